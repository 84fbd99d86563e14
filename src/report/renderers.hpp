#pragma once

#include "draudit/formats.hpp"

/// The formats, one file each; `formats.cpp` is their table.
namespace draudit {

[[nodiscard]] std::string ndjson_report(const Report& report, const FormatOptions& options);
[[nodiscard]] std::string sarif_report(const Report& report, const FormatOptions& options);
[[nodiscard]] std::string junit_report(const Report& report, const FormatOptions& options);
[[nodiscard]] std::string github_report(const Report& report, const FormatOptions& options);
[[nodiscard]] std::string github_summary(const Report& report, const FormatOptions& options);
[[nodiscard]] std::string gitlab_report(const Report& report, const FormatOptions& options);
[[nodiscard]] std::string checkstyle_report(const Report& report, const FormatOptions& options);
[[nodiscard]] std::string csv_report(const Report& report, const FormatOptions& options);
[[nodiscard]] std::string tsv_report(const Report& report, const FormatOptions& options);
[[nodiscard]] std::string prometheus_report(const Report& report, const FormatOptions& options);
[[nodiscard]] std::string markdown_report(const Report& report, const FormatOptions& options);
[[nodiscard]] std::string html_report(const Report& report, const FormatOptions& options);
[[nodiscard]] std::string slack_report(const Report& report, const FormatOptions& options);

}  // namespace draudit
