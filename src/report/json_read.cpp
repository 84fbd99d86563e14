#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "draudit/report.hpp"
#include "input/locate.hpp"
#include "report/fields.hpp"
#include "report/html/island.hpp"
#include "report/plain.hpp"

namespace draudit {
namespace {

namespace od = simdjson::ondemand;

/// Where a value stands: "nodes[3].capacity.value".
struct Path {
  const Path* parent = nullptr;
  std::string_view key;
  std::size_t index = 0;

  [[nodiscard]] std::string text() const {
    std::string out = parent == nullptr ? std::string{} : parent->text();
    if (key.empty()) return parent == nullptr ? out : out + fmt::format("[{}]", index);
    if (!out.empty()) out += '.';
    return out + plain(key);
  }
  [[noreturn]] void fail(std::string_view what) const {
    throw ReportError(fmt::format("{}: {}", text(), what));
  }
};

template <class T>
T checked(simdjson::simdjson_result<T> result, const Path& at, std::string_view wanted) {
  T out;
  if (std::move(result).get(out) != simdjson::SUCCESS) at.fail(wanted);
  return out;
}

/// All digits of a whole number, which simdjson's own numbers are too short for.
Gpus whole_number(std::string_view token, const Path& at) {
  while (!token.empty() && (token.back() == ' ' || token.back() == '\n' || token.back() == '\r' ||
                            token.back() == '\t')) {
    token.remove_suffix(1);
  }
  const bool negative = token.starts_with('-');
  if (negative) token.remove_prefix(1);
  constexpr std::size_t kDigits = 38;  // as many as surely fit
  const bool digits =
      !token.empty() && token.find_first_not_of("0123456789") == std::string_view::npos;
  if (!digits || token.size() > kDigits) at.fail("no whole number");
  Gpus out = 0;
  for (const char c : token) out = out * 10 + (c - '0');
  return negative ? -out : out;
}

class Reader {
 public:
  Reader(od::object object, const Path& at) : object_(object), at_(at) {}

  template <class T>
  void field(std::string_view name, T& into) {
    const Path here{&at_, name, 0};
    od::value found = checked(object_.find_field_unordered(name), here, "the field is not there");
    value(found, into, here);
  }

  template <WholeNumber T>
  static void value(od::value from, T& into, const Path& at) {
    const Gpus n = whole_number(from.raw_json_token(), at);
    if constexpr (!std::same_as<T, Gpus>) {
      if (n < Gpus{std::numeric_limits<T>::min()} || n > Gpus{std::numeric_limits<T>::max()}) {
        at.fail("the number is out of range");
      }
    }
    into = static_cast<T>(n);
  }
  static void value(od::value from, bool& into, const Path& at) {
    into = checked(from.get_bool(), at, "neither true nor false");
  }
  static void value(od::value from, std::string& into, const Path& at) {
    into = checked(from.get_string(), at, "no text");
  }
  static void value(od::value from, Severity& into, const Path& at) {
    into = word<Severity>(from, {Severity::note, Severity::warning, Severity::error}, at);
  }
  static void value(od::value from, Certainty& into, const Path& at) {
    into = word<Certainty>(from, {Certainty::possible, Certainty::likely, Certainty::certain}, at);
  }
  static void value(od::value from, Range& into, const Path& at) {
    std::vector<Gpus> both;
    value(from, both, at);
    if (both.size() != 2) at.fail("not two numbers");
    into = {both[0], both[1]};
  }
  template <class T>
  static void value(od::value from, std::optional<T>& into, const Path& at) {
    if (checked(from.is_null(), at, "no JSON")) {
      into.reset();
    } else {
      T x{};  // not emplace(): clang 14 sees no default constructor of a nested struct there
      value(from, x, at);
      into = std::move(x);
    }
  }
  template <class T>
  static void value(od::value from, std::vector<T>& into, const Path& at) {
    into.clear();
    std::size_t i = 0;
    od::array list = checked(from.get_array(), at, "no list");
    for (auto element : list) {
      const Path here{&at, {}, i++};
      value(checked(element, here, "broken"), into.emplace_back(), here);
    }
  }
  template <class T>
  static void value(od::value from, std::map<std::string, T>& into, const Path& at) {
    std::vector<std::pair<std::string, T>> members;
    value(from, members, at);
    for (auto& [name, member] : members) into[std::move(name)] = std::move(member);
  }
  template <class T>
  static void value(od::value from, std::vector<std::pair<std::string, T>>& into, const Path& at) {
    into.clear();
    od::object object = checked(from.get_object(), at, "no object");
    for (auto member : object) {
      od::field field = checked(std::move(member), at, "broken");
      const std::string name{checked(field.unescaped_key(), at, "a broken name")};
      const Path here{&at, name, 0};
      T x{};
      value(field.value(), x, here);
      into.emplace_back(name, std::move(x));
    }
  }
  template <class T>
  requires std::is_class_v<T>
  static void value(od::value from, T& into, const Path& at) {
    Reader inner(checked(from.get_object(), at, "no object"), at);
    fields(inner, into);
  }

 private:
  template <class T>
  static T word(od::value from, std::initializer_list<T> among, const Path& at) {
    std::string text;
    value(from, text, at);
    for (const T x : among) {
      if (to_string(x) == text) return x;
    }
    at.fail(fmt::format("\"{}\" is no word that may stand here", plain(text)));
  }

  od::object object_;
  const Path& at_;
};

constexpr std::string_view kNoReport =
    "it is no report of draudit check --format json; a dump is for draudit check";

/// On-demand trusts what it is given: a report that is cut off, that another follows or whose
/// brackets do not match must not reach it.
void check_is_json(std::string_view text) {
  const std::optional<SyntaxError> error = find_syntax_error(text);
  if (!error) return;
  const std::string_view before = text.substr(0, std::min(error->offset, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  throw ReportError(fmt::format("it is cut off, broken, or something follows the report: line {}, "
                                "byte {}: {}",
                                line, error->offset, plain(error->message)));
}

/// Only what says of itself that it is a report that this version knows is read as one.
void check_version(od::object object) {
  std::string_view version;
  if (object.find_field_unordered("schema_version").get_string().get(version) !=
      simdjson::SUCCESS) {
    throw ReportError(std::string{kNoReport});
  }
  int numbers[2] = {-1, -1};
  const std::size_t dot = std::min(version.find('.'), version.size());
  std::from_chars(version.data(), version.data() + dot, numbers[0]);
  if (dot < version.size()) {
    std::from_chars(version.data() + dot + 1, version.data() + version.size(), numbers[1]);
  }
  if (numbers[0] == 1 && numbers[1] >= 2) return;
  throw ReportError(fmt::format("its schema version is {}, and this draudit reads {} and later 1.x"
                                "; run draudit check again",
                                plain(version), kSchemaVersion));
}

}  // namespace

Report read_json_report(std::string text) {
  if (html::is_page(text)) text = html::json_of_page(text);
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string::npos || text[start] != '{') throw ReportError(std::string{kNoReport});
  check_is_json(text);
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  od::parser parser;
  od::document document;
  od::object object;
  if (parser.iterate(text).get(document) != simdjson::SUCCESS ||
      document.get_object().get(object) != simdjson::SUCCESS) {
    throw ReportError(std::string{kNoReport});
  }
  check_version(object);
  Report out;
  const Path top;
  Reader reader(object, top);
  try {
    fields(reader, out);
  } catch (const simdjson::simdjson_error& e) {
    throw ReportError(fmt::format("broken JSON: {}", e.what()));
  }
  if (out.tool.name != "draudit") throw ReportError(std::string{kNoReport});
  out.schema_version = kSchemaVersion;
  return out;
}

}  // namespace draudit
