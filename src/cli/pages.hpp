#pragma once

#include <string_view>

namespace draudit {

/// docs/rules/ID.md as it was when this was built, or nothing.
[[nodiscard]] std::string_view rule_page(std::string_view id);

}  // namespace draudit
