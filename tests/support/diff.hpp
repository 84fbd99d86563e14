#pragma once

#include <string>
#include <string_view>

namespace draudit::test {

/// What changed, line by line and with a little around it: '-' is expected, '+' came instead.
/// Empty where the two are the same. What a terminal would hide is spelled out.
[[nodiscard]] std::string line_diff(std::string_view expected, std::string_view actual);

}  // namespace draudit::test
