#pragma once

#include <string>
#include <vector>

#include "draudit/io.hpp"

namespace draudit {

/// Exit statuses; they never depend on format, colour or terminal (design.md §4).
inline constexpr int kExitClean = 0;     ///< nothing at or above --fail-on
inline constexpr int kExitFindings = 1;  ///< findings at or above --fail-on
inline constexpr int kExitUnable = 2;    ///< usage, input not (wholly) readable, nothing to audit

/// The whole command line tool: `args` are those after the program's name.
/// Never throws and never exits; every failure is a line on `io.err` and an exit status.
[[nodiscard]] int run(const std::vector<std::string>& args, Io& io);

}  // namespace draudit
