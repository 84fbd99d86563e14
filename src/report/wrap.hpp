#pragma once

#include <string>
#include <string_view>

namespace draudit {

/// Columns that a ticket, a terminal and a screen reader keep whole.
inline constexpr std::size_t kLineWidth = 100;

/// Breaks at blanks so that no line passes `columns`; further lines begin at `indent`, where the
/// first is taken to begin too.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent,
                                  std::size_t columns = kLineWidth);

}  // namespace draudit
