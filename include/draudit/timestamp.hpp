#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace draudit {

/// A moment, in nanoseconds since 1970-01-01T00:00:00Z.
struct Timestamp {
  std::int64_t nanoseconds = 0;
  friend constexpr auto operator<=>(const Timestamp&, const Timestamp&) = default;
};

/// Reads RFC 3339 with an offset, as the API writes metav1.Time and MicroTime.
[[nodiscard]] std::optional<Timestamp> parse_timestamp(std::string_view text);

/// RFC 3339 in UTC, whole seconds where that is exact.
[[nodiscard]] std::string to_string(Timestamp t);

}  // namespace draudit
