#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "draudit/result.hpp"

/// Reports format what is there: they decide nothing and compute nothing.
namespace draudit {

inline constexpr std::string_view kSchemaVersion = "1.0";

struct TextOptions {
  bool color = false;
  bool all = false;    ///< list the nodes without findings too
  bool quiet = false;  ///< findings only, a line each
};
[[nodiscard]] std::string text_report(const Result& result, const TextOptions& options);

/// The contract of docs/schema/report.schema.json.
[[nodiscard]] std::string json_report(const Result& result);

struct TraceOptions {
  bool color = false;
  bool release = false;            ///< go on and take the pods off again, last one first
  std::vector<std::string> order;  ///< pods ("ns/name") to add first, in this order
};
/// Every step of one node, in both accountings side by side.
[[nodiscard]] std::string trace_report(const Result& result, const NodeAudit& node,
                                       const TraceOptions& options);

/// One line for a problem of the input: "file:line:column: object: field: what: advice".
[[nodiscard]] std::string problem_line(const Snapshot& snapshot, const Problem& problem);

}  // namespace draudit
