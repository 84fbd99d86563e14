#include "input/scanner.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "input/byte_block.hpp"

namespace draudit {
namespace {

constexpr std::size_t kPadding = 64;  ///< simdjson reads this far behind a value

constexpr bool is_space(int c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// Bytes at which skipping has to stop and look.
constexpr auto kStructural = [] {
  std::array<bool, 256> table{};
  for (const char c : {'"', '{', '}', '[', ']'}) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

}  // namespace

Scanner::Scanner(ByteSource& source, std::uint64_t max_value, std::size_t window)
    : source_(source), max_value_(max_value), window_(window), buffer_(window + kPadding) {}

void Scanner::count_lines_to(std::size_t at) {
  while (counted_ < at) {
    const std::size_t n = std::min(ByteBlock::kSize, at - counted_);
    const std::uint64_t lines = ByteBlock(buffer_.data() + counted_).equal('\n') & lowest_bits(n);
    if (lines != 0) {
      line_ += static_cast<std::uint64_t>(std::popcount(lines));
      line_start_ = base_ + counted_ + static_cast<std::size_t>(std::bit_width(lines));
    }
    counted_ += n;
  }
}

bool Scanner::refill() {
  if (at_end_) return false;
  if (mark_ && end_ - *mark_ > max_value_) {
    mark_.reset();
    overflow_ = true;
  }
  const std::size_t keep = mark_ ? std::min(*mark_, pos_) : pos_;
  count_lines_to(keep);
  if (keep > 0) {
    std::memmove(buffer_.data(), buffer_.data() + keep, end_ - keep);
    base_ += keep;
    pos_ -= keep;
    end_ -= keep;
    counted_ -= keep;
    if (mark_) *mark_ -= keep;
  }
  if (buffer_.size() < end_ + window_ + kPadding) {
    buffer_.resize(std::max(buffer_.size() * 2, end_ + window_ + kPadding));
  }
  const std::size_t got = source_.read({buffer_.data() + end_, window_});
  end_ += got;
  at_end_ = got == 0;
  return got > 0;
}

void Scanner::skip_space() {
  while (true) {
    while (pos_ < end_ && is_space(byte(pos_))) ++pos_;
    if (pos_ < end_ || !refill()) return;
  }
}

std::string_view Scanner::ahead(std::size_t n) {
  while (end_ - pos_ < n && refill()) {
  }
  return {buffer_.data() + pos_, std::min(n, end_ - pos_)};
}

void Scanner::skip_line() {
  do {
    const void* hit = std::memchr(buffer_.data() + pos_, '\n', end_ - pos_);
    if (hit != nullptr) {
      pos_ = static_cast<std::size_t>(static_cast<const char*>(hit) - buffer_.data()) + 1;
      return;
    }
    pos_ = end_;
  } while (refill());
}

bool Scanner::skip_past(std::string_view text) {
  do {
    const std::string_view here{buffer_.data() + pos_, end_ - pos_};
    if (const std::size_t at = here.find(text); at != std::string_view::npos) {
      pos_ += at + text.size();
      return true;
    }
    // Its first half may stand at the end of the window.
    if (here.size() >= text.size()) pos_ = end_ - text.size() + 1;
  } while (refill());
  pos_ = end_;
  return false;
}

Position Scanner::position() {
  count_lines_to(pos_);
  return {base_ + pos_, line_, base_ + pos_ - line_start_ + 1};
}

std::string_view Scanner::marked() const {
  if (!mark_ || pos_ - *mark_ > max_value_) return {};
  return {buffer_.data() + *mark_, pos_ - *mark_};
}

SkipResult Scanner::skip_string_rest() {
  while (true) {
    while (pos_ < end_) {
      const auto* at =
          static_cast<const char*>(std::memchr(buffer_.data() + pos_, '"', end_ - pos_));
      const std::size_t stop = at == nullptr ? end_ : static_cast<std::size_t>(at - buffer_.data());
      const auto* escape =
          static_cast<const char*>(std::memchr(buffer_.data() + pos_, '\\', stop - pos_));
      if (escape == nullptr) {
        pos_ = stop;
        if (at == nullptr) break;
        ++pos_;
        return SkipResult::ok;
      }
      pos_ = static_cast<std::size_t>(escape - buffer_.data()) + 1;
      if (peek() == kEnd) return SkipResult::truncated;
      ++pos_;
    }
    if (!refill()) return SkipResult::truncated;
  }
}

SkipResult Scanner::skip_value() {
  const int first = peek();
  if (first == kEnd) return SkipResult::truncated;
  if (first == '"') {
    advance();
    return skip_string_rest();
  }
  if (first != '{' && first != '[') {
    // A number or a literal ends where the structure goes on.
    while (true) {
      const int c = peek();
      if (c == kEnd || is_space(c) || c == ',' || c == '}' || c == ']' || c == ':') {
        return SkipResult::ok;
      }
      advance();
    }
  }
  return skip_bracketed();
}

/// Every byte of a dump passes here, so 64 at a time: where the strings are follows from the parity
/// of the quotes, and only brackets outside of them are looked at one by one. From the first block
/// that has a backslash outside of strings on, where the shortcut and JSON part, byte by byte.
SkipResult Scanner::skip_bracketed() {
  brackets_.clear();
  bool in_string = false;
  bool escaped_first = false;  // the block's first byte stands behind a backslash
  while (true) {
    if (pos_ == end_ && !refill()) return SkipResult::truncated;
    const std::size_t n = std::min(ByteBlock::kSize, end_ - pos_);
    const std::uint64_t valid = lowest_bits(n);
    const ByteBlock block(buffer_.data() + pos_);
    const std::uint64_t backslashes = block.equal('\\') & valid;
    std::uint64_t escaped = escaped_first ? 1U : 0U;
    bool escapes_next = false;
    // One after another: they are rare, and most of those that there are come in pairs with quotes.
    for (std::uint64_t rest = backslashes; rest != 0; rest &= rest - 1) {
      const std::uint64_t bit = rest & -rest;
      if ((escaped & bit) != 0) continue;
      escaped |= bit << 1;
      escapes_next = ((bit << 1) & valid) == 0;
    }
    const std::uint64_t quotes = block.equal('"') & ~escaped & valid;
    std::uint64_t strings = prefix_parity(quotes);
    if (in_string) strings = ~strings;
    if ((backslashes & ~strings) != 0) return skip_bytes(in_string, escaped_first);
    // '[' and ']' are '{' and '}' without this bit.
    constexpr char kBit = 0x20;
    const std::uint64_t opening = block.equal_with('{', kBit) & ~strings & valid;
    const std::uint64_t closing = block.equal_with('}', kBit) & ~strings & valid;
    for (std::uint64_t rest = opening | closing; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(rest));
      const char c = buffer_[pos_ + i];
      if ((opening & rest & -rest) != 0) {
        brackets_.push_back(c == '{');
        continue;
      }
      if (brackets_.back() != (c == '}')) {
        pos_ += i;
        return SkipResult::mismatched;
      }
      brackets_.pop_back();
      if (brackets_.empty()) {
        pos_ += i + 1;
        return SkipResult::ok;
      }
    }
    in_string = (strings >> (n - 1) & 1U) != 0;
    escaped_first = escapes_next;
    pos_ += n;
  }
}

SkipResult Scanner::skip_bytes(bool in_string, bool escaped) {
  if (escaped) advance();
  if (in_string) {
    if (const SkipResult r = skip_string_rest(); r != SkipResult::ok) return r;
  }
  while (true) {
    while (pos_ < end_ && !kStructural[static_cast<unsigned char>(buffer_[pos_])]) ++pos_;
    const int c = peek();
    if (c == kEnd) return SkipResult::truncated;
    if (c == '"') {
      advance();
      if (const SkipResult r = skip_string_rest(); r != SkipResult::ok) return r;
    } else if (c == '{' || c == '[') {
      brackets_.push_back(c == '{');
      advance();
    } else if (c == '}' || c == ']') {
      if (brackets_.back() != (c == '}')) return SkipResult::mismatched;
      brackets_.pop_back();
      advance();
      if (brackets_.empty()) return SkipResult::ok;
    } else {
      advance();  // only after a refill: the first byte was not looked at yet
    }
  }
}

void Scanner::drain() {
  do {
    pos_ = end_;
  } while (refill());
}

}  // namespace draudit
