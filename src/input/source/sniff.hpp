#pragma once

#include <cstdint>
#include <string_view>

namespace draudit {

/// What bytes are packed in, by their content; a name tells nothing (KAI's snapshot.gzip is a ZIP).
enum class Packing : std::uint8_t {
  none,
  gzip,
  zstd,
  xz,
  bzip2,
  zip,
  tar,
  utf16_le,
  utf16_be,
  foreign,  ///< of a kind that is not unpacked here
};

struct Sniffed {
  Packing packing = Packing::none;
  std::string_view name;  ///< "gzip data"; of foreign kinds too
};

/// Bytes that `sniff` wants to see.
inline constexpr std::size_t kSniffed = 512;
[[nodiscard]] Sniffed sniff(std::string_view start);

}  // namespace draudit
