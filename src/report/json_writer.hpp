#pragma once

#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "draudit/gpus.hpp"
#include "report/fields.hpp"

namespace draudit {

/// In quotes, with what JSON wants escaped escaped. `text` must be UTF-8.
[[nodiscard]] std::string json_string(std::string_view text);

/// Writes JSON a field at a time; in one line, or two blanks deeper for each level. Numbers have
/// all their digits: a double would lose those of a sum beyond 2^53.
class JsonWriter {
 public:
  explicit JsonWriter(bool one_line = false) : one_line_(one_line) {}

  void open(char bracket) {
    out_ += bracket;
    first_ = true;
    ++depth_;
  }
  void close(char bracket) {
    --depth_;
    if (!first_) new_line();
    first_ = false;
    out_ += bracket;
  }
  /// Goes before each element of a list.
  void element() {
    if (!first_) out_ += ',';
    first_ = false;
    new_line();
  }
  void key(std::string_view name) {
    element();
    out_ += json_string(name);
    out_ += one_line_ ? ":" : ": ";
  }

  template <class T>
  void field(std::string_view name, const T& x) {
    key(name);
    value(x);
  }

  void value(std::string_view x) { out_ += json_string(x); }
  void value(const std::string& x) { out_ += json_string(x); }
  void value(const char* x) { out_ += json_string(x); }
  void value(bool x) { out_ += x ? "true" : "false"; }
  void value(std::nullptr_t) { out_ += "null"; }
  template <WholeNumber T>
  void value(T x) {
    out_ += to_string(Gpus{x});
  }
  void value(Severity x) { out_ += json_string(to_string(x)); }
  void value(Certainty x) { out_ += json_string(to_string(x)); }
  void value(const Range& x) {
    open('[');
    element();
    value(x.least);
    element();
    value(x.most);
    close(']');
  }
  template <class T>
  void value(const std::optional<T>& x) {
    if (x) {
      value(*x);
    } else {
      value(nullptr);
    }
  }
  template <class T>
  void value(const std::vector<T>& x) {
    open('[');
    for (const T& e : x) {
      element();
      value(e);
    }
    close(']');
  }
  template <class T>
  void value(const std::map<std::string, T>& x) {
    open('{');
    for (const auto& [name, member] : x) field(name, member);
    close('}');
  }
  template <class T>
  void value(const std::vector<std::pair<std::string, T>>& x) {
    open('{');
    for (const auto& [name, member] : x) field(name, member);
    close('}');
  }
  /// A ledger is read by the line.
  void value(const Report::Step& x) {
    const bool before = std::exchange(one_line_, true);
    object(x);
    one_line_ = before;
  }
  template <class T>
  requires std::is_class_v<T>
  void value(const T& x) { object(x); }

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  template <class T>
  void object(const T& x) {
    open('{');
    fields(*this, x);
    close('}');
  }
  void new_line() {
    if (one_line_) return;
    out_ += '\n';
    out_.append(2 * depth_, ' ');
  }

  std::string out_;
  std::size_t depth_ = 0;
  bool one_line_;
  bool first_ = true;
};

}  // namespace draudit
