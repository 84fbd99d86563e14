#pragma once

#include <string_view>

namespace draudit {

/// Same as in meson.build; a test compares them.
inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace draudit
