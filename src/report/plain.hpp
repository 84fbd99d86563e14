#pragma once

#include <string>
#include <string_view>

namespace draudit {

/// Text from a dump made safe for a terminal: control characters, also those of C1 and the
/// directional ones, become visible escapes; bytes that are no UTF-8 become \xNN.
[[nodiscard]] std::string plain(std::string_view text);

/// The same text where it is UTF-8; a byte that is not becomes \xNN.
[[nodiscard]] std::string valid_utf8(std::string text);

/// Columns that a terminal gives to the text.
[[nodiscard]] std::size_t width(std::string_view text);

/// Pads with blanks to `columns`.
[[nodiscard]] std::string pad_right(std::string_view text, std::size_t columns);
[[nodiscard]] std::string pad_left(std::string_view text, std::size_t columns);

}  // namespace draudit
