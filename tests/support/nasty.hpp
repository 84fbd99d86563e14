#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/testdata.hpp"

namespace draudit::test {

/// Names that mean something to a format, a shell, a terminal or a reader of one. All of it UTF-8,
/// as whatever comes out of a dump is. `tests/e2e` runs the same ones.
[[nodiscard]] inline std::vector<std::string> nasty_names() {
  return nlohmann::json::parse(slurp(testdata() / "names" / "nasty.json"));
}

}  // namespace draudit::test
