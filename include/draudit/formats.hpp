#pragma once

#include <span>
#include <string>
#include <string_view>

#include "draudit/report.hpp"

namespace draudit {

/// What the rows of csv and tsv are.
enum class TableOf : std::uint8_t { findings, nodes, devices };

struct FormatOptions {
  bool color = false;
  bool all = false;
  bool quiet = false;
  bool graph = false;              ///< text: a picture of each node with findings
  bool ascii = false;              ///< text: of ASCII marks
  FailOn fail_on = FailOn::error;  ///< junit: a failure at or above it
  TableOf table = TableOf::findings;
  std::string sarif_anchor;  ///< file of the repository that results are pinned to; empty: the dump
};

/// Which of the options change a format; the others are refused.
struct FormatTakes {
  bool color = false;
  bool all = false;
  bool quiet = false;
  bool graph = false;
  bool table = false;
  bool sarif_anchor = false;
};

/// One row of the one table of formats.
struct Format {
  std::string_view name;
  std::string_view what;  ///< for whom, half a line
  bool digests = false;   ///< shows the SHA-256 of the input
  FormatTakes takes;
  std::string (*render)(const Report& report, const FormatOptions& options) = nullptr;
};

/// Every format, in the order in which they are explained.
[[nodiscard]] std::span<const Format> formats();
/// Or null.
[[nodiscard]] const Format* find_format(std::string_view name);

}  // namespace draudit
