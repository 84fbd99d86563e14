#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "draudit/gpus.hpp"

namespace draudit::html {

/// Text of the program's own source. Only a constant expression makes one, so that nothing that
/// was read at run time can pass for markup.
class Literal {
 public:
  template <std::size_t n>
  consteval Literal(const char (&text)[n])  // NOLINT(google-explicit-constructor)
      : text_(static_cast<const char*>(text), n - 1) {}
  [[nodiscard]] constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

/// HTML that is safe to stand on the page. There are three ways in: markup of our own source,
/// other HTML, and text, which is escaped for content and for attributes in double quotes alike,
/// with its control and directional characters made visible.
class Html {
 public:
  Html& raw(Literal markup);
  Html& add(const Html& other);
  Html& text(std::string_view text);
  Html& text(Gpus number) { return text(to_string(number)); }
  /// ASCII data in which no `<`, `>` or `&` may stand; throws std::logic_error where one does.
  Html& data_block(std::string_view data);
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }

 private:
  std::string bytes_;
};

}  // namespace draudit::html
