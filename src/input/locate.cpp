#include "input/locate.hpp"

#include <nlohmann/json.hpp>

namespace draudit {
namespace {

std::size_t skip_space(std::string_view s, std::size_t i) {
  while (i < s.size() && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r')) ++i;
  return i;
}

std::size_t skip_string(std::string_view s, std::size_t i) {
  for (++i; i < s.size() && s[i] != '"'; ++i) {
    if (s[i] == '\\') ++i;
  }
  return i + 1;
}

std::size_t skip_value(std::string_view s, std::size_t i) {
  std::size_t depth = 0;
  do {
    if (i >= s.size()) return s.size();
    if (s[i] == '"') {
      i = skip_string(s, i);
    } else {
      if (s[i] == '{' || s[i] == '[') ++depth;
      if (s[i] == '}' || s[i] == ']') --depth;
      ++i;
    }
    if (depth == 0 && i < s.size() && s[i - 1] != '"' && s[i - 1] != '}' && s[i - 1] != ']') {
      while (i < s.size() && s[i] != ',' && s[i] != '}' && s[i] != ']') ++i;
    }
  } while (depth != 0);
  return i;
}

/// Throws nothing and builds nothing; remembers the first error.
class FindError : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception& e) override {
    std::string what = e.what();
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error …: reason"
    for (const std::string_view lead : {"syntax error while parsing ", "parse error: ", ": "}) {
      if (const std::size_t at = what.find(lead); at != std::string::npos) {
        what = what.substr(at + (lead == ": " ? 2 : 0));
        break;
      }
    }
    error = SyntaxError{position > 0 ? position - 1 : 0, std::move(what)};
    return false;
  }
  std::optional<SyntaxError> error;
};

}  // namespace

std::size_t locate(std::string_view json, const std::vector<std::string>& path) {
  std::size_t at = skip_space(json, 0);
  for (const std::string& step : path) {
    const bool index = step.starts_with('[');
    std::size_t wanted = index ? std::stoul(step.substr(1)) : 0;
    std::size_t i = skip_space(json, at + 1);
    std::size_t found = at;
    while (i < json.size() && json[i] != '}' && json[i] != ']') {
      bool here = false;
      if (index) {
        here = wanted-- == 0;
      } else {
        const std::size_t end = skip_string(json, i);
        here = json.substr(i + 1, end - i - 2) == step;
        i = skip_space(json, skip_space(json, end) + 1);
      }
      // The last of equal keys: the one that was noticed to be a second.
      if (here) found = i;
      if (here && index) break;
      i = skip_space(json, skip_value(json, i));
      if (i < json.size() && json[i] == ',') i = skip_space(json, i + 1);
    }
    if (found == at) return at;  // an escaped key: near enough
    at = found;
  }
  return at;
}

std::optional<SyntaxError> find_syntax_error(std::string_view json) {
  FindError finder;
  nlohmann::json::sax_parse(json.begin(), json.end(), &finder);
  return finder.error;
}

}  // namespace draudit
