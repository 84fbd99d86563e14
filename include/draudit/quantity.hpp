#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace draudit {

/// 128-bit integer; every sum that a dump can provoke fits.
__extension__ using Int128 = __int128;

/// A Kubernetes resource quantity, exact.
///
/// Kept as an integer count of 10^-9 units: the API server rounds anything finer up to that, and
/// caps magnitudes at 2^63-1 units (apimachinery `resource.Quantity`), so nothing a cluster can
/// store is lost. "1Gi", "1073741824" and "1024Mi" compare equal.
class Quantity {
 public:
  constexpr Quantity() = default;

  /// `units` whole units.
  [[nodiscard]] static constexpr Quantity of(std::int64_t units) {
    return Quantity{static_cast<Int128>(units) * kNano};
  }

  /// Reads the API grammar: sign, digits with an optional fraction, then one of
  /// n u m k M G T P E Ki Mi Gi Ti Pi Ei or a decimal exponent. Nothing else: no blanks, no hex.
  [[nodiscard]] static std::optional<Quantity> parse(std::string_view text);

  /// Whole units, rounded up as `Quantity.Value()` of the API does.
  [[nodiscard]] std::int64_t value() const;
  /// Thousandths, rounded up as `Quantity.MilliValue()`; saturates at the limits of int64.
  [[nodiscard]] std::int64_t milli() const;
  [[nodiscard]] constexpr Int128 nano() const { return nano_; }

  constexpr Quantity& operator+=(Quantity other) {
    nano_ += other.nano_;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr bool operator==(Quantity a, Quantity b) { return a.nano_ == b.nano_; }
  friend constexpr std::strong_ordering operator<=>(Quantity a, Quantity b) {
    return a.nano_ < b.nano_   ? std::strong_ordering::less
           : a.nano_ > b.nano_ ? std::strong_ordering::greater
                               : std::strong_ordering::equal;
  }

 private:
  static constexpr Int128 kNano = 1'000'000'000;
  constexpr explicit Quantity(Int128 nano) : nano_(nano) {}
  Int128 nano_ = 0;
};

}  // namespace draudit
