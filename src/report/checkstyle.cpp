#include <fmt/format.h>

#include <map>

#include "report/gate.hpp"
#include "report/plain.hpp"
#include "report/renderers.hpp"
#include "report/words.hpp"

namespace draudit {
namespace {

std::string_view checkstyle_severity(const Report::Finding& f) {
  if (f.waived) return "info";
  switch (f.severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: return "info";
  }
  return "info";
}

}  // namespace

std::string checkstyle_report(const Report& report, const FormatOptions&) {
  std::map<std::string, std::string> files;
  for (const Report::Input& i : report.inputs) files[repository_path(i.name)];
  const auto add = [&files](const Report::Place& at, std::string_view as, std::string_view source,
                            std::string_view message) {
    files[repository_path(at.file)] +=
        fmt::format("    <error line=\"{}\" column=\"{}\" severity=\"{}\" message=\"{}\" "
                    "source=\"draudit.{}\"/>\n",
                    at.line, at.column, as, xml(message), xml(source));
  };
  const Report::Place first{report.inputs.empty() ? "-" : report.inputs.front().name, 1, 1, 0, 0};
  if (report.unable) add(first, "error", "input", verdict(report));
  for (const Report::Problem& p : report.problems) {
    add(place_of(report, p), "error", "input", problem_line(p));
  }
  for (const Report::Finding& f : report.findings) {
    add(place_of(report, f), checkstyle_severity(f), f.rule, message_of(f));
  }
  for (const Report::NotCheckable& n : report.not_checkable) {
    add(first, "info", n.rule, fmt::format("not checkable: {}", n.reason));
  }
  for (const Report::Absent& a : report.not_in_dump) {
    add(first, "info", "input", fmt::format("{} is not in the input: {}", a.kind, a.consequence));
  }
  for (const std::string& gap : report.completeness.gaps) add(first, "info", "input", gap);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n";
  for (const auto& [name, errors] : files) {
    out += fmt::format("  <file name=\"{}\">\n{}  </file>\n", xml(name), errors);
  }
  return out + "</checkstyle>\n";
}

}  // namespace draudit
