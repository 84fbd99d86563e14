#include "report/plain.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace draudit {
namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< 0: not UTF-8
};

Character decode(std::string_view s) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned char lead = at(0);
  if (lead < 0x80) return {lead, 1};
  std::size_t n = 0;
  char32_t code = 0;
  if ((lead & 0xE0U) == 0xC0) {
    n = 2;
    code = lead & 0x1FU;
  } else if ((lead & 0xF0U) == 0xE0) {
    n = 3;
    code = lead & 0x0FU;
  } else if ((lead & 0xF8U) == 0xF0) {
    n = 4;
    code = lead & 0x07U;
  } else {
    return {};
  }
  if (s.size() < n) return {};
  for (std::size_t i = 1; i < n; ++i) {
    if ((at(i) & 0xC0U) != 0x80) return {};
    code = code << 6 | (at(i) & 0x3FU);
  }
  // Longer than need be, half of a pair, or beyond Unicode: no UTF-8, and a trap for filters.
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[n] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, n};
}

/// Would move the cursor, hide or turn around what follows.
bool is_control(char32_t c) {
  struct Span {
    char32_t first;
    char32_t last;
  };
  static constexpr Span kControls[] = {
      {0x00, 0x1F},       {0x7F, 0x9F},     {0xAD, 0xAD},     {0x61C, 0x61C},
      {0x180E, 0x180E},   {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},
      {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xFFFE, 0xFFFF},  // no XML either
      {0xE0000, 0xE0FFF},  // tags: text that nobody sees
  };
  for (const Span& s : kControls) {
    if (c >= s.first && c <= s.last) return true;
  }
  return false;
}

}  // namespace

std::string plain(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character c = decode(text);
    if (c.bytes == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
      continue;
    }
    if ((c.code >= 0x20 && c.code < 0x7F) || !is_control(c.code)) {
      out += text.substr(0, c.bytes);
    } else if (c.code < 0x100) {
      out += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c.code));
    } else {
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c.code));
    }
    text.remove_prefix(c.bytes);
  }
  return out;
}

std::string valid_utf8(std::string text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const Character c = decode(rest);
    if (c.bytes == 0) break;
    rest.remove_prefix(c.bytes);
  }
  if (rest.empty()) return text;
  std::string out = text.substr(0, text.size() - rest.size());
  while (!rest.empty()) {
    const Character c = decode(rest);
    if (c.bytes == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(rest.front()));
    } else {
      out += rest.substr(0, c.bytes);
    }
    rest.remove_prefix(c.bytes == 0 ? 1 : c.bytes);
  }
  return out;
}

std::size_t width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Character c = decode(text);
    const bool wide =
        (c.code >= 0x1100 && c.code <= 0x115F) || (c.code >= 0x2E80 && c.code <= 0xA4CF) ||
        (c.code >= 0xAC00 && c.code <= 0xD7A3) || (c.code >= 0xF900 && c.code <= 0xFAFF) ||
        (c.code >= 0xFF00 && c.code <= 0xFF60) || (c.code >= 0x1F300 && c.code <= 0x1FAFF);
    const bool combining = c.code >= 0x0300 && c.code <= 0x036F;
    columns += wide ? 2 : combining ? 0 : 1;
    text.remove_prefix(c.bytes == 0 ? 1 : c.bytes);
  }
  return columns;
}

std::string pad_right(std::string_view text, std::size_t columns) {
  const std::size_t w = width(text);
  return std::string{text} + std::string(columns > w ? columns - w : 0, ' ');
}

std::string pad_left(std::string_view text, std::size_t columns) {
  const std::size_t w = width(text);
  return std::string(columns > w ? columns - w : 0, ' ') + std::string{text};
}

}  // namespace draudit
