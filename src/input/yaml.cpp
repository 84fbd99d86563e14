#include "input/yaml.hpp"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <istream>
#include <streambuf>

namespace draudit {
namespace {

constexpr std::size_t kDeepestYaml = 200;  ///< below what yaml-cpp's own recursion bears
constexpr std::size_t kLargest = std::size_t{16} << 20;  ///< ten times what etcd stores
constexpr std::size_t kMostBrackets = 1000;              ///< open at once, those in texts too
constexpr std::string_view kTooDeep = "nested too deep to be a Kubernetes object";
constexpr std::size_t kYamlPadding = 64;  ///< simdjson reads this far behind a text

constexpr bool is_yaml_digit(char c) { return c >= '0' && c <= '9'; }

/// A string's bytes as a stream, without a copy.
class ViewBuffer : public std::streambuf {
 public:
  explicit ViewBuffer(std::string& text) {
    setg(text.data(), text.data(), text.data() + text.size());
  }
};

void append_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text, done, i - done);
    done = i + 1;
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      default: fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    }
  }
  out.append(text, done);
  out += '"';
}

std::size_t count_digits(std::string_view s) {
  return static_cast<std::size_t>(std::find_if_not(s.begin(), s.end(), is_yaml_digit) - s.begin());
}

/// [-+]? digits, in base 10, 8 (0o) or 16 (0x). False: it is none.
bool append_integer(std::string& out, std::string_view text) {
  int base = 10;
  std::string_view digits = text;
  const bool minus = digits.starts_with('-');
  if (text.starts_with("0o") || text.starts_with("0x")) {
    base = text[1] == 'o' ? 8 : 16;
    digits.remove_prefix(2);
  } else if (minus || digits.starts_with('+')) {
    digits.remove_prefix(1);
  }
  if (digits.empty() || digits.front() == '-' || digits.front() == '+') return false;
  std::uint64_t n = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n, base);
  // What no reader could hold as a number stays exact as a text.
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 63;
  if (stop != digits.data() + digits.size() || error != std::errc{} || (minus && n > kLeast)) {
    return false;
  }
  fmt::format_to(std::back_inserter(out), "{}{}", minus ? "-" : "", n);
  return true;
}

/// [-+]? ( \. digits | digits ( \. digits* )? ) ( [eE] [-+]? digits )?
bool append_float(std::string& out, std::string_view text) {
  const bool minus = text.starts_with('-');
  std::string_view rest = text;
  if (minus || rest.starts_with('+')) rest.remove_prefix(1);
  const std::string_view whole = rest.substr(0, count_digits(rest));
  rest.remove_prefix(whole.size());
  std::string_view fraction;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    fraction = rest.substr(0, count_digits(rest));
    rest.remove_prefix(fraction.size());
  }
  if (whole.empty() && fraction.empty()) return false;
  std::string_view exponent;
  if (rest.starts_with('e') || rest.starts_with('E')) {
    exponent = rest.substr(1);
    std::string_view digits = exponent;
    if (digits.starts_with('-') || digits.starts_with('+')) digits.remove_prefix(1);
    if (digits.empty() || count_digits(digits) != digits.size()) return false;
  } else if (!rest.empty()) {
    return false;
  }
  const std::size_t zeros = std::min(whole.find_first_not_of('0'), whole.size());
  std::string number{minus ? "-" : ""};
  number += zeros == whole.size() ? std::string_view{"0"} : whole.substr(zeros);
  if (!fraction.empty()) number.append(".").append(fraction);
  if (!exponent.empty()) number.append("e").append(exponent);
  double value = 0;
  const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc{}) return false;  // beyond a double: a text
  if (fraction.empty() && exponent.empty() && text.find('.') == std::string_view::npos) {
    return false;  // an integer beyond 64 bits
  }
  out += number;
  return true;
}

void append_plain(std::string& out, std::string_view text) {
  struct Word {
    std::string_view yaml;
    std::string_view json;
  };
  static constexpr std::array kWords = {
      Word{"", "null"},       Word{"~", "null"},      Word{"null", "null"},   Word{"Null", "null"},
      Word{"NULL", "null"},   Word{"true", "true"},   Word{"True", "true"},   Word{"TRUE", "true"},
      Word{"false", "false"}, Word{"False", "false"}, Word{"FALSE", "false"},
  };
  if (text.size() <= 5) {
    for (const Word& w : kWords) {
      if (w.yaml == text) {
        out += w.json;
        return;
      }
    }
  }
  const char c = text.front();
  if ((is_yaml_digit(c) || c == '-' || c == '+' || c == '.') &&
      (append_integer(out, text) || append_float(out, text))) {
    return;
  }
  append_string(out, text);
}

}  // namespace

std::string json_of_plain_scalar(std::string_view text) {
  std::string out;
  append_plain(out, text);
  return out;
}

class YamlToJson::Handler : public YAML::EventHandler {
 public:
  Handler(YamlToJson& to, const Position& start) : to_(to), start_(start) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    refuse(mark, fmt::format("the anchor &{} is not supported", name.substr(0, 40)));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "an alias is not supported");
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    check(mark, "", anchor);
    if (key_is_next()) fail(mark, "a key is missing");
    begin(mark);
    to_.json_ += "null";
    end();
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const bool plain = tag == "?";
    check(mark, tag == "!" ? "" : tag, anchor);
    if (!plain) check_quotes(mark);
    if (key_is_next()) {
      if (plain && value == "<<") refuse(mark, "the merge key << is not supported");
      begin(mark);
      if (open_.size() == 1) {
        // Only these make a map more than one object.
        for (const std::string_view key : {"items", "rawObjects", "object"}) {
          if (value == key) to_.may_be_envelope_ = true;
        }
        names_kind_ = value == "kind";
      }
      append_string(to_.json_, value);
      to_.json_ += ':';
      open_.back().key_next = false;
      return;
    }
    begin(mark);
    // A list without items is to be told apart from an object.
    if (names_kind_ && open_.size() == 1 && value.ends_with("List")) to_.may_be_envelope_ = true;
    if (plain) {
      append_plain(to_.json_, value);
    } else {
      append_string(to_.json_, value);
    }
    end();
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    start(mark, tag, anchor, '[');
  }
  void OnSequenceEnd() override { finish(']'); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    start(mark, tag, anchor, '{');
  }
  void OnMapEnd() override { finish('}'); }

  [[nodiscard]] Position place(const YAML::Mark& mark) const {
    Position at = start_;
    at.line += static_cast<std::uint64_t>(std::max(0, mark.line));
    at.column = static_cast<std::uint64_t>(std::max(0, mark.column)) + 1;
    at.offset += static_cast<std::uint64_t>(std::max(0, mark.pos));
    return at;
  }

 private:
  struct Open {
    bool map = false;
    bool key_next = false;
    bool any = false;
  };

  [[noreturn]] void fail(const YAML::Mark& mark, std::string message,
                         std::string advice = {}) const {
    throw YamlError{place(mark), std::move(message), std::move(advice)};
  }
  [[noreturn]] void refuse(const YAML::Mark& mark, std::string message) const {
    fail(mark, std::move(message), "kubectl writes none: take the dump again with -o json");
  }
  void check(const YAML::Mark& mark, std::string_view tag, YAML::anchor_t anchor) const {
    if (anchor != 0) refuse(mark, "an anchor is not supported");
    if (!tag.empty() && tag != "?") {
      refuse(mark, fmt::format("the tag {} is not supported", tag.substr(0, 40)));
    }
  }
  /// yaml-cpp takes the end of the text for a closing quote.
  void check_quotes(const YAML::Mark& mark) const {
    const std::string& text = to_.text_;
    auto at = static_cast<std::size_t>(std::max(0, mark.pos));
    if (at >= text.size() || (text[at] != '\'' && text[at] != '"')) return;
    const char quote = text[at];
    const char* const special = quote == '"' ? "\"\\" : "'";
    while (true) {
      at = text.find_first_of(special, at + 1);
      if (at == std::string::npos) fail(mark, "this quote is not closed");
      const bool doubled = quote == '\'' && at + 1 < text.size() && text[at + 1] == quote;
      if (text[at] == quote && !doubled) return;
      ++at;  // of an escape, the second character
    }
  }
  [[nodiscard]] bool key_is_next() const { return !open_.empty() && open_.back().key_next; }
  void begin(const YAML::Mark& mark) {
    if (!open_.empty() && (!open_.back().map || open_.back().key_next)) {
      if (open_.back().any) to_.json_ += ',';
      open_.back().any = true;
    }
    const Position at = place(mark);
    to_.marks_.push_back({to_.json_.size(), at.line, at.column});
  }
  void end() {
    if (!open_.empty() && open_.back().map) open_.back().key_next = true;
  }
  void start(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, char bracket) {
    check(mark, tag, anchor);
    if (key_is_next()) fail(mark, "a key that is no text is not supported");
    if (open_.size() >= kDeepestYaml) fail(mark, std::string{kTooDeep});
    begin(mark);
    to_.json_ += bracket;
    open_.push_back({.map = bracket == '{', .key_next = bracket == '{'});
  }
  void finish(char bracket) {
    to_.json_ += bracket;
    open_.pop_back();
    end();
  }

  YamlToJson& to_;
  Position start_;
  std::vector<Open> open_;
  bool names_kind_ = false;  ///< the last key of the outermost map was "kind"
};

void YamlToJson::convert(std::string_view text, const Position& at, bool item) {
  if (text.size() > kLargest) {
    throw YamlError{at, "this object is too large to be one of Kubernetes'", {}};
  }
  text_ = text;
  json_.clear();
  marks_.clear();
  may_be_envelope_ = false;
  Position start = at;
  start.offset -= start.column - 1;
  if (item) {
    // `text` begins at the dash; what stands before it on its line is blank.
    text_.front() = ' ';
    text_.insert(0, start.column - 1, ' ');
  }
  Handler handler(*this, start);
  // yaml-cpp ends at byte 4, guesses UTF-16 from NULs, and lets other controls through. Of lists
  // that open and don't close it keeps every one before it tells the first.
  std::size_t brackets = 0;
  bool deep = false;
  const auto bad = std::find_if(text_.begin(), text_.end(), [&](char c) {
    if (c == '[' || c == '{') {
      deep = ++brackets > kMostBrackets;
      return deep;
    }
    if ((c == ']' || c == '}') && brackets > 0) --brackets;
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t') ||
           static_cast<unsigned char>(c) >= 0xfe;
  });
  if (bad != text_.end()) {
    YAML::Mark mark;
    mark.pos = static_cast<int>(bad - text_.begin());
    mark.line = static_cast<int>(std::count(text_.begin(), bad, '\n'));
    const std::size_t line = text_.rfind('\n', static_cast<std::size_t>(mark.pos));
    mark.column = mark.pos - (line == std::string::npos ? 0 : static_cast<int>(line) + 1);
    if (deep) {
      throw YamlError{handler.place(mark), std::string{kTooDeep}, {}};
    }
    throw YamlError{handler.place(mark),
                    fmt::format("byte 0x{:02x} can't stand in YAML",
                                static_cast<unsigned>(static_cast<unsigned char>(*bad))),
                    {}};
  }
  ViewBuffer buffer(text_);
  std::istream stream(&buffer);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(handler)) {
      json_ = "null";
      return;
    }
    const std::size_t whole = json_.size();
    YAML::Mark end;
    const auto stop = [&] {
      throw YamlError{handler.place(end), "there is more in this document than one value", {}};
    };
    try {
      if (parser.HandleNextDocument(handler)) stop();
    } catch (const YAML::ParserException& e) {
      end = e.mark;
      stop();
    }
    json_.resize(whole);
  } catch (const YAML::DeepRecursion& e) {
    throw YamlError{handler.place(e.mark), std::string{kTooDeep}, {}};
  } catch (const YAML::ParserException& e) {
    const auto at_mark = static_cast<std::size_t>(std::max(0, e.mark.pos));
    if (at_mark < text_.size() && text_[at_mark] == '*') {
      handler.OnAlias(e.mark, 0);  // of an anchor that there is not, in this document at least
    }
    throw YamlError{handler.place(e.mark), fmt::format("this is no YAML: {}", e.msg), {}};
  }
  json_.reserve(json_.size() + kYamlPadding);
}

}  // namespace draudit
