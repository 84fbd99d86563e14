#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"

/// Settings: flags before environment before file before what is built in.
namespace draudit {

/// Fills in what the command line left open, from the environment, the configuration file and the
/// built-in values; reads suppressions and baseline. Throws UsageError, naming file and line.
void settle(Arguments& args, Io& io);

/// A setting as it is in force.
struct SettledValue {
  std::string key;
  std::string value;  ///< of lists: each, behind a blank
  std::string from;   ///< "--fail-on", "DRAUDIT_FAIL_ON", ".draudit.yaml:3", "default"
};
/// In the order of docs/config.md. `args` are settled.
[[nodiscard]] std::vector<SettledValue> settled_values(const Arguments& args);

}  // namespace draudit
