#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "draudit/report_model.hpp"

/// Reports format what is there: they decide nothing and compute nothing.
namespace draudit {

inline constexpr std::string_view kSchemaVersion = "1.2";

struct TextOptions {
  bool color = false;
  bool all = false;           ///< list the nodes without findings too
  bool quiet = false;         ///< findings only, a line each
  std::size_t columns = 100;  ///< that a line may take
  bool graph = false;         ///< a picture of each node with findings
  bool ascii = false;         ///< of which every mark is ASCII
};
[[nodiscard]] std::string text_report(const Report& report, const TextOptions& options);

/// The contract of docs/schema/report.schema.json.
[[nodiscard]] std::string json_report(const Report& report);

/// A text is no JSON report, or one of another major version. `what` says where and why.
class ReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
/// What `json_report` wrote, as it was, also out of a page of the format html. Throws ReportError.
[[nodiscard]] Report read_json_report(std::string text);

struct TraceOptions {
  bool color = false;
  bool release = false;            ///< go on and take the pods off again, last one first
  std::vector<std::string> order;  ///< pods ("ns/name") to add first, in this order
  bool ascii = false;              ///< every mark of the picture is ASCII
};
/// Every step of one node, in both accountings side by side.
[[nodiscard]] std::string trace_report(const Result& result, const NodeAudit& node,
                                       const TraceOptions& options);

/// One line for a problem of the input: "file:line:column: object: field: what: advice".
[[nodiscard]] std::string problem_line(const Report::Problem& problem);

}  // namespace draudit
