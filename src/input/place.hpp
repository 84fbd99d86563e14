#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "input/scanner.hpp"

namespace draudit {

/// A byte of a JSON text that was made of something else, and the place in the input it stands for.
struct TextMark {
  std::size_t json = 0;
  std::uint64_t line = 0;
  std::uint64_t column = 0;
};

/// Where an object stands in the input. Its JSON text is what stands there, unless it was made of
/// something else: then marks lead back.
struct Place {
  Position at;
  std::uint64_t length = 0;                      ///< in the input
  const std::vector<TextMark>* marks = nullptr;  ///< by `json`, ascending
  std::size_t shift = 0;  ///< where in the text that the marks are for this object's text starts

  /// Line and column of a byte of the object's JSON text.
  [[nodiscard]] Position of(std::string_view json, std::size_t offset) const;
};

}  // namespace draudit
