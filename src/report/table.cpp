#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "report/gate.hpp"
#include "report/plain.hpp"
#include "report/renderers.hpp"
#include "report/words.hpp"

// csv and tsv. Figures stand as they are; text that a spreadsheet would take for a formula gets an
// apostrophe before it. Line ends and tabs in names are escapes by then, so a row is a line.
namespace draudit {
namespace {

struct Cell {
  Cell(std::string_view t) : text(plain(t)) {  // NOLINT: rows read as rows
    if (!text.empty() && std::string_view{"=+-@"}.find(text.front()) != std::string_view::npos) {
      text.insert(0, 1, '\'');
    }
  }
  Cell(const std::string& t) : Cell(std::string_view{t}) {}  // NOLINT
  Cell(const char* t) : Cell(std::string_view{t}) {}         // NOLINT
  // A row is a list of what its cells hold: the conversions are wanted.
  // NOLINTBEGIN(google-explicit-constructor)
  template <class T>
  requires std::is_arithmetic_v<T> || std::same_as<T, Gpus> Cell(T n)
      : text(number(n)), is_number(true) {}
  // NOLINTEND(google-explicit-constructor)
  template <class T>
  Cell(const std::optional<T>& n) : Cell(n ? Cell(*n) : Cell("")) {}  // NOLINT

  template <class T>
  static std::string number(T n) {
    if constexpr (std::same_as<T, bool>) {
      return n ? "true" : "false";
    } else {
      return to_string(Gpus{n});
    }
  }

  std::string text;
  bool is_number = false;
};
using Row = std::vector<Cell>;

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& n : names) out += (out.empty() ? "" : " ") + n;
  return out;
}

std::vector<Row> node_rows(const Report& report) {
  std::map<std::string_view, std::uint64_t> findings;
  std::map<std::string_view, Severity> worst;
  for (const Report::Finding& f : report.findings) {
    if (!f.node || f.waived) continue;
    ++findings[*f.node];
    worst[*f.node] = std::max(worst.try_emplace(*f.node, f.severity).first->second, f.severity);
  }
  std::vector<Row> out = {{"node", "capacity", "capacity_source", "capacity_certainty",
                           "naive_version", "naive_used", "naive_idle", "corrected_version",
                           "corrected_used", "corrected_used_least", "corrected_idle", "held",
                           "physical", "upgrade_helps", "findings", "worst", "complete"}};
  for (const Report::Node& n : report.nodes) {
    const auto bad = worst.find(n.name);
    out.push_back({n.name, n.capacity.value, n.capacity.source, to_string(n.capacity.certainty),
                   n.naive.kai_version, n.naive.printed_used, n.naive.idle, n.corrected.kai_version,
                   n.corrected.printed_used, n.corrected.printed_used_range.least, n.corrected.idle,
                   n.held, n.physical, n.upgrade_helps, findings[n.name],
                   bad == worst.end() ? std::string_view{} : to_string(bad->second),
                   report.complete});
  }
  return out;
}

std::vector<Row> device_rows(const Report& report) {
  std::vector<Row> out = {
      {"node", "device", "published", "claims", "claim_names", "pods", "pod_names", "complete"}};
  for (const Report::Node& n : report.nodes) {
    for (const Report::Device& d : n.devices) {
      out.push_back({n.name, d.device, d.published, d.claims.size(), joined(d.claims),
                     d.pods.size(), joined(d.pods), report.complete});
    }
  }
  return out;
}

/// Findings, and behind them whatever keeps the list from being all there is to find.
std::vector<Row> finding_rows(const Report& report) {
  std::vector<Row> out = {{"record", "id", "rule", "severity", "certainty", "node", "subject_kind",
                           "subject", "message", "mend", "file", "line", "column", "fingerprint",
                           "waived"}};
  for (const Report::Finding& f : report.findings) {
    const Report::Place at = place_of(report, f);
    out.push_back({"finding", f.id, f.rule, to_string(f.severity), to_string(f.certainty), f.node,
                   f.subject.kind, f.subject.name, f.message, f.mend, at.file, at.line, at.column,
                   f.fingerprint, f.waived ? waived_text(*f.waived) : std::string{}});
  }
  const auto other = [&out](std::string_view record, std::string_view id, std::string_view rule,
                            std::string_view message, std::string_view mend) -> Row& {
    return out.emplace_back(
        Row{record, id, rule, "", "", "", "", "", message, mend, "", "", "", "", ""});
  };
  if (report.unable) other("not-audited", "", "", *report.unable, "");
  for (const Report::Problem& p : report.problems) {
    Row& row = other("problem", "", "", problem_line(p), p.advice);
    row[10] = Cell(p.file);
    row[11] = Cell(p.line);
    row[12] = Cell(p.column);
  }
  for (const Report::NotCheckable& n : report.not_checkable) {
    other("not-checkable", n.id, n.rule, n.reason, "");
  }
  for (const Report::Absent& a : report.not_in_dump) {
    other("not-in-dump", "", "", fmt::format("{}: {}", a.kind, a.consequence), a.command);
  }
  for (const std::string& gap : report.completeness.gaps) other("gap", "", "", gap, "");
  return out;
}

std::string quoted(const Cell& cell) {
  if (cell.is_number || cell.text.find_first_of(",;\"' ") == std::string::npos) return cell.text;
  std::string out = "\"";
  for (const char c : cell.text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string table(const Report& report, TableOf of, char separator) {
  std::vector<Row> rows;
  switch (of) {
    case TableOf::findings: rows = finding_rows(report); break;
    case TableOf::nodes: rows = node_rows(report); break;
    case TableOf::devices: rows = device_rows(report); break;
  }
  std::string out;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) out += separator;
      out += separator == ',' ? quoted(row[i]) : row[i].text;
    }
    out += '\n';
  }
  return out;
}

}  // namespace

std::string csv_report(const Report& report, const FormatOptions& options) {
  return table(report, options.table, ',');
}

std::string tsv_report(const Report& report, const FormatOptions& options) {
  return table(report, options.table, '\t');
}

}  // namespace draudit
