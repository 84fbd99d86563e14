#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace draudit {

/// Byte in `json`, which is valid, at which the value of this path begins: keys and "[i]".
[[nodiscard]] std::size_t locate(std::string_view json, const std::vector<std::string>& path);

struct SyntaxError {
  std::size_t offset = 0;
  std::string message;
};
/// Where and why `json` is no JSON; nothing if the slow reader finds no fault. Used after the fast
/// reader has refused it, since that one gives no position.
[[nodiscard]] std::optional<SyntaxError> find_syntax_error(std::string_view json);

}  // namespace draudit
