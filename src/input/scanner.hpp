#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "draudit/io.hpp"

namespace draudit {

struct Position {
  std::uint64_t offset = 0;
  std::uint64_t line = 1;
  std::uint64_t column = 1;  ///< in bytes
};

/// What stopped a value from being skipped.
enum class SkipResult : std::uint8_t { ok, truncated, mismatched };

/// A stream of bytes, one window in memory, that knows where it is and can hold on to the bytes
/// from a mark on.
///
/// Memory stays within a window plus one marked value of at most `max_value` bytes: a longer one
/// is walked over, but not kept.
class Scanner {
 public:
  static constexpr std::size_t kWindow = std::size_t{256} << 10;
  /// `window`: bytes that are asked of the source at once.
  Scanner(ByteSource& source, std::uint64_t max_value, std::size_t window = kWindow);

  static constexpr int kEnd = -1;
  /// Next byte, or kEnd.
  [[nodiscard]] int peek() { return pos_ < end_ || refill() ? byte(pos_) : kEnd; }
  void advance() { ++pos_; }
  void skip_space();
  [[nodiscard]] Position position();
  /// Up to `n` bytes from here on, without stepping over them; fewer only before the end.
  [[nodiscard]] std::string_view ahead(std::size_t n);
  /// To the start of the next line.
  void skip_line();
  /// Behind the next place where `text` stands; to the end and false if there is none.
  bool skip_past(std::string_view text);

  void mark() {
    mark_ = pos_;
    overflow_ = false;
  }
  void unmark() { mark_.reset(); }
  [[nodiscard]] bool marking() const { return mark_.has_value(); }
  /// Back to the mark, which must still be there.
  void rewind() { pos_ = *mark_; }
  [[nodiscard]] std::size_t since_mark() const { return mark_ ? pos_ - *mark_ : 0; }
  /// Bytes from the mark to here; at least simdjson's padding is readable behind them. Empty where
  /// there were too many to keep: see `overflowed`.
  [[nodiscard]] std::string_view marked() const;
  [[nodiscard]] bool overflowed() const { return overflow_; }

  /// Steps over one value, by its brackets and quotes alone; what is in it is for the parser.
  /// At a mismatch or the end of input the position is where it was noticed.
  SkipResult skip_value();

  /// Every byte that was read so far.
  [[nodiscard]] std::uint64_t bytes_read() const { return base_ + end_; }
  /// Reads on to the end, so that size and digest are of the whole file.
  void drain();

 private:
  [[nodiscard]] int byte(std::size_t at) const { return static_cast<unsigned char>(buffer_[at]); }
  bool refill();
  /// What is left of a string, with its closing quote.
  SkipResult skip_string_rest();
  /// From an opening bracket to behind the one that closes it.
  SkipResult skip_bracketed();
  /// The rest of that, a byte at a time, from within a string or behind a backslash too.
  SkipResult skip_bytes(bool in_string, bool escaped);
  void count_lines_to(std::size_t at);

  ByteSource& source_;
  std::uint64_t max_value_;
  std::size_t window_;
  std::vector<char> buffer_;
  std::size_t pos_ = 0;
  std::size_t end_ = 0;
  std::optional<std::size_t> mark_;
  bool overflow_ = false;
  bool at_end_ = false;
  std::uint64_t base_ = 0;   ///< offset of buffer_[0] in the input
  std::size_t counted_ = 0;  ///< lines are counted up to here
  std::uint64_t line_ = 1;
  std::uint64_t line_start_ = 0;  ///< offset in the input
  std::vector<bool> brackets_;    ///< open ones; true is '{'
};

}  // namespace draudit
