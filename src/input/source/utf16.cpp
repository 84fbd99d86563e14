#include "input/source/utf16.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "input/source/limits.hpp"

namespace draudit {
namespace {

constexpr std::size_t kUtf16Buffer = std::size_t{64} << 10;

void append_utf8(std::vector<char>& out, char32_t c) {
  const auto byte = [&out](char32_t b) { out.push_back(static_cast<char>(b)); };
  const auto tail = [&](unsigned shift) { byte(0x80U | ((c >> shift) & 0x3fU)); };
  if (c < 0x80U) {
    byte(c);
  } else if (c < 0x800U) {
    byte(0xc0U | (c >> 6U));
    tail(0);
  } else if (c < 0x10000U) {
    byte(0xe0U | (c >> 12U));
    tail(6);
    tail(0);
  } else {
    byte(0xf0U | (c >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace

Utf16Source::Utf16Source(ByteSource& inner, bool big_endian)
    : inner_(inner), big_endian_(big_endian), in_(kUtf16Buffer) {
  unit();  // the byte order mark
}

std::optional<char16_t> Utf16Source::unit() {
  while (end_ - at_ < 2) {
    std::copy(in_.data() + at_, in_.data() + end_, in_.data());
    end_ -= at_;
    at_ = 0;
    const std::size_t got = inner_.read({in_.data() + end_, in_.size() - end_});
    if (got == 0 && end_ == 0) return std::nullopt;
    if (got == 0) throw BadSource("the UTF-16 text ends in the middle of a character");
    end_ += got;
  }
  const auto first = static_cast<unsigned char>(in_[at_]);
  const auto second = static_cast<unsigned char>(in_[at_ + 1]);
  at_ += 2;
  offset_ += 2;
  return static_cast<char16_t>(big_endian_ ? (first << 8U) | second : (second << 8U) | first);
}

std::size_t Utf16Source::read(std::span<char> into) {
  if (out_at_ == out_.size()) {
    out_.clear();
    out_at_ = 0;
    while (out_.size() < kUtf16Buffer) {
      const auto high = unit();
      if (!high) break;
      char32_t c = *high;
      if (c >= 0xd800U && c <= 0xdfffU) {
        const auto low = c < 0xdc00U ? unit() : std::nullopt;
        if (!low || *low < 0xdc00U || *low > 0xdfffU) {
          throw BadSource(fmt::format("byte {} is half a character of UTF-16", offset_ - 2),
                          "is it really UTF-16? Take the dump as UTF-8");
        }
        c = 0x10000U + ((c - 0xd800U) << 10U) + (*low - 0xdc00U);
      }
      append_utf8(out_, c);
    }
  }
  const std::size_t n = std::min(into.size(), out_.size() - out_at_);
  std::copy_n(out_.data() + out_at_, n, into.data());
  out_at_ += n;
  return n;
}

}  // namespace draudit
