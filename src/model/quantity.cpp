#include "draudit/quantity.hpp"

#include <array>
#include <limits>

namespace draudit {
namespace {

constexpr Int128 kMaxUnits = std::numeric_limits<std::int64_t>::max();
constexpr Int128 kNano = 1'000'000'000;
constexpr Int128 kCap = kMaxUnits * kNano;

struct Suffix {
  std::string_view text;
  std::int32_t ten;  ///< power of ten
  std::int32_t two;  ///< power of two
};
constexpr std::array kSuffixes = {
    Suffix{"", 0, 0},    Suffix{"n", -9, 0},  Suffix{"u", -6, 0},  Suffix{"m", -3, 0},
    Suffix{"k", 3, 0},   Suffix{"M", 6, 0},   Suffix{"G", 9, 0},   Suffix{"T", 12, 0},
    Suffix{"P", 15, 0},  Suffix{"E", 18, 0},  Suffix{"Ki", 0, 10}, Suffix{"Mi", 0, 20},
    Suffix{"Gi", 0, 30}, Suffix{"Ti", 0, 40}, Suffix{"Pi", 0, 50}, Suffix{"Ei", 0, 60},
};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Decimal digits with a power of ten: value = digits * 10^ten. `exact` is false where digits past
/// the 28th were dropped; they then only matter for rounding up.
struct Decimal {
  Int128 digits = 0;
  std::int32_t ten = 0;
  bool exact = true;
};

/// Digits beyond what the cap can hold move into the exponent.
void push(Decimal& d, char c, bool after_point) {
  constexpr Int128 kRoom = static_cast<Int128>(1'000'000'000'000'000'000) * 1'000'000'000;
  if (d.digits < kRoom) {
    d.digits = d.digits * 10 + (c - '0');
    if (after_point) --d.ten;
    return;
  }
  if (c != '0') d.exact = false;
  if (!after_point) ++d.ten;
}

/// digits * 10^ten * 2^two in nano, rounded away from zero, capped.
Int128 scale(const Decimal& d, std::int32_t two) {
  if (d.digits == 0) return d.exact ? 0 : 1;
  Int128 n = d.digits;
  std::int32_t ten = d.ten + 9;
  bool inexact = !d.exact;
  while (two > 0) {
    if (n > kCap) return kCap;
    n *= 2;
    --two;
  }
  while (ten > 0) {
    if (n > kCap) return kCap;
    n *= 10;
    --ten;
  }
  while (ten < 0 && n != 0) {
    if (n % 10 != 0) inexact = true;
    n /= 10;
    ++ten;
  }
  if (inexact) ++n;
  return n > kCap ? kCap : n;
}

}  // namespace

std::optional<Quantity> Quantity::parse(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  Decimal number;
  bool any = false;
  bool point = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    if (is_digit(text[i])) {
      push(number, text[i], point);
      any = true;
    } else if (text[i] == '.' && !point) {
      point = true;
    } else {
      break;
    }
  }
  if (!any) return std::nullopt;
  std::string_view rest = text.substr(i);

  std::int32_t two = 0;
  if (rest.size() > 1 && (rest.front() == 'e' || rest.front() == 'E')) {
    rest.remove_prefix(1);
    bool down = false;
    if (rest.front() == '-' || rest.front() == '+') {
      down = rest.front() == '-';
      rest.remove_prefix(1);
    }
    if (rest.empty()) return std::nullopt;
    std::int32_t exponent = 0;
    for (const char c : rest) {
      if (!is_digit(c)) return std::nullopt;
      if (exponent < 1'000'000) exponent = exponent * 10 + (c - '0');
    }
    number.ten += down ? -exponent : exponent;
  } else {
    const Suffix* found = nullptr;
    for (const Suffix& s : kSuffixes) {
      if (s.text == rest) found = &s;
    }
    if (found == nullptr) return std::nullopt;
    number.ten += found->ten;
    two = found->two;
  }
  const Int128 nano = scale(number, two);
  return Quantity{negative ? -nano : nano};
}

std::int64_t Quantity::value() const {
  // Up, not away from zero: -1.5 is -1.
  Int128 units = nano_ / kNano;
  if (nano_ > 0 && nano_ % kNano != 0) ++units;
  return static_cast<std::int64_t>(units);
}

std::int64_t Quantity::milli() const {
  constexpr Int128 kMicro = 1'000'000;
  Int128 thousandths = nano_ / kMicro;
  if (nano_ > 0 && nano_ % kMicro != 0) ++thousandths;
  if (thousandths > kMaxUnits) return std::numeric_limits<std::int64_t>::max();
  if (thousandths < -kMaxUnits) return -std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(thousandths);
}

}  // namespace draudit
