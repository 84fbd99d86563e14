#include "draudit/formats.hpp"

#include <array>

#include "report/renderers.hpp"

namespace draudit {
namespace {

std::string text(const Report& report, const FormatOptions& o) {
  return text_report(
      report,
      {.color = o.color, .all = o.all, .quiet = o.quiet, .graph = o.graph, .ascii = o.ascii});
}

std::string json(const Report& report, const FormatOptions&) { return json_report(report); }

constexpr std::array kFormats = {
    Format{.name = "text",
           .what = "for people; 100 columns",
           .takes = {.color = true, .all = true, .quiet = true, .graph = true},
           .render = text},
    Format{.name = "json", .what = "all of it; docs/json.md", .digests = true, .render = json},
    Format{.name = "ndjson",
           .what = "a line a finding, for databases",
           .digests = true,
           .render = ndjson_report},
    Format{.name = "sarif",
           .what = "SARIF 2.1.0, for GitHub code scanning",
           .takes = {.sarif_anchor = true},
           .render = sarif_report},
    Format{.name = "junit", .what = "for Jenkins, GitLab and their like", .render = junit_report},
    Format{.name = "github", .what = "annotations of a workflow", .render = github_report},
    Format{.name = "github-summary", .what = "summary of a step", .render = github_summary},
    Format{.name = "gitlab", .what = "code quality report", .render = gitlab_report},
    Format{.name = "checkstyle", .what = "for whatever takes it", .render = checkstyle_report},
    Format{.name = "csv",
           .what = "for a spreadsheet; see --table",
           .takes = {.table = true},
           .render = csv_report},
    Format{.name = "tsv",
           .what = "the same with tabs",
           .takes = {.table = true},
           .render = tsv_report},
    Format{.name = "prometheus",
           .what = "metrics, for the textfile collector",
           .render = prometheus_report},
    Format{.name = "markdown", .what = "for a ticket; below 60 kB", .render = markdown_report},
    Format{.name = "html",
           .what = "a page by itself, for a post-mortem",
           .digests = true,
           .render = html_report},
    Format{.name = "slack",
           .what = "text of 80 columns, for a chat",
           .takes = {.all = true, .quiet = true},
           .render = slack_report},
};

}  // namespace

std::span<const Format> formats() { return kFormats; }

const Format* find_format(std::string_view name) {
  for (const Format& f : kFormats) {
    if (f.name == name) return &f;
  }
  return nullptr;
}

}  // namespace draudit
