#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"
#include "draudit/formats.hpp"

namespace draudit {

/// One format and where it goes.
struct Output {
  const Format* format = nullptr;
  std::string file;  ///< empty: stdout
};

/// What --format and -o ask for; text to stdout where nothing does. Throws UsageError where they,
/// or options of the formats, make no sense together.
[[nodiscard]] std::vector<Output> outputs(const Arguments& args);

/// Renders every format, then writes the files, then stdout.
void deliver(const Arguments& args, Io& io, const Report& report);

/// Writes one text where -o says, else to stdout.
void deliver_text(const Arguments& args, Io& io, std::string_view text);

}  // namespace draudit
