#pragma once

#include <string>
#include <string_view>

namespace draudit {

/// Colours of the terminal, or nothing. Colour never carries what the words don't.
class Style {
 public:
  explicit Style(bool color) : color_(color) {}
  [[nodiscard]] std::string bold(std::string_view t) const { return wrap("1", t); }
  [[nodiscard]] std::string dim(std::string_view t) const { return wrap("2", t); }
  [[nodiscard]] std::string red(std::string_view t) const { return wrap("1;31", t); }
  [[nodiscard]] std::string yellow(std::string_view t) const { return wrap("1;33", t); }
  [[nodiscard]] std::string cyan(std::string_view t) const { return wrap("1;36", t); }
  [[nodiscard]] std::string green(std::string_view t) const { return wrap("1;32", t); }

 private:
  [[nodiscard]] std::string wrap(std::string_view code, std::string_view text) const {
    if (!color_) return std::string{text};
    std::string out = "\x1b[";
    out += code;
    out += 'm';
    out += text;
    out += "\x1b[0m";
    return out;
  }
  bool color_;
};

}  // namespace draudit
