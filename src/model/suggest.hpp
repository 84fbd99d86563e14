#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace draudit {

/// The word of `among` that was probably meant, if one is near; else empty.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& among);

/// The end of a sentence about a word that is none of these: "; did you mean X?", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string>& among);

}  // namespace draudit
