#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#if defined(__SSE2__)
#include <emmintrin.h>
#else
#include <cstring>
#endif

namespace draudit {

/// 64 bytes looked at as one: a bit of an answer for each, the first byte lowest. All 64 must be
/// readable. SSE2 is part of x86-64, so nothing has to be asked of the machine.
class ByteBlock {
 public:
  static constexpr std::size_t kSize = 64;

#if defined(__SSE2__)
  explicit ByteBlock(const char* at) {
    for (int i = 0; i < 4; ++i) {
      part_[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * i));
    }
  }
  /// Bytes that are `c`.
  [[nodiscard]] std::uint64_t equal(char c) const { return compare(c, 0); }
  /// Bytes that are `c` when the bits of `also` are set in them.
  [[nodiscard]] std::uint64_t equal_with(char c, char also) const { return compare(c, also); }

 private:
  [[nodiscard]] std::uint64_t compare(char c, char also) const {
    const __m128i wanted = _mm_set1_epi8(c);
    const __m128i bits = _mm_set1_epi8(also);
    std::uint64_t out = 0;
    for (int i = 0; i < 4; ++i) {
      const __m128i hits = _mm_cmpeq_epi8(_mm_or_si128(part_[i], bits), wanted);
      out |= std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(hits))} << (16 * i);
    }
    return out;
  }

  __m128i part_[4];
#else
  explicit ByteBlock(const char* at) { std::memcpy(bytes_, at, kSize); }
  [[nodiscard]] std::uint64_t equal(char c) const { return equal_with(c, 0); }
  [[nodiscard]] std::uint64_t equal_with(char c, char also) const {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < kSize; ++i) {
      out |= std::uint64_t{(bytes_[i] | also) == c} << i;
    }
    return out;
  }

 private:
  char bytes_[kSize];
#endif
};

/// Bit i is the parity of bits 0…i: from a bit for each quote, where strings are.
[[nodiscard]] constexpr std::uint64_t prefix_parity(std::uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

/// The lowest `n` bits, of at most 64.
[[nodiscard]] constexpr std::uint64_t lowest_bits(std::size_t n) {
  return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
}

}  // namespace draudit
