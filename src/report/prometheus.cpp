#include <fmt/format.h>

#include <map>
#include <tuple>

#include "draudit/timestamp.hpp"
#include "report/plain.hpp"
#include "report/renderers.hpp"

namespace draudit {
namespace {

std::string label(std::string_view text) {
  std::string out;
  for (const char c : plain(text)) {
    if (c == '\\' || c == '"') out += '\\';
    out += c;
  }
  return out;
}

void head(std::string& out, std::string_view name, std::string_view help) {
  out += fmt::format("# HELP {} {}\n# TYPE {} gauge\n", name, help, name);
}

struct NodeGauge {
  std::string_view name;
  std::string_view help;
  /// No value where it is not known: the node then has no such series.
  std::optional<Gpus> (*value)(const Report::Node& node);
};

constexpr NodeGauge kGauges[] = {
    {"draudit_node_capacity_gpus", "GPUs that KAI believes the node has.",
     [](const Report::Node& n) { return n.capacity.value; }},
    {"draudit_node_naive_used_gpus", "GPUs in use as KAI without the fix counts, at worst.",
     [](const Report::Node& n) { return std::optional{n.naive.printed_used}; }},
    {"draudit_node_corrected_used_gpus", "GPUs in use as KAI with the fix counts, at worst.",
     [](const Report::Node& n) { return std::optional{n.corrected.printed_used}; }},
    {"draudit_node_held_gpus", "GPUs that are physically taken.",
     [](const Report::Node& n) { return std::optional{n.held}; }},
    {"draudit_node_naive_idle_gpus", "Idle GPUs as KAI without the fix counts, at worst.",
     [](const Report::Node& n) { return n.naive.idle; }},
    {"draudit_node_corrected_idle_gpus", "Idle GPUs as KAI with the fix counts, at worst.",
     [](const Report::Node& n) { return n.corrected.idle; }},
};

void findings(std::string& out, const Report& report) {
  // A rule without findings has a 0: an alert would not end on a series that is gone.
  std::map<std::tuple<std::string_view, std::string_view, std::string_view, bool>, std::uint64_t> n;
  for (const Report::RuleInfo& r : report.rules)
    n[{r.id, r.name, to_string(r.severity), false}] = 0;
  for (const Report::Finding& f : report.findings) {
    ++n[{f.id, f.rule, to_string(f.severity), f.waived.has_value()}];
  }
  head(out, "draudit_findings", "Findings by rule; waived ones do not fail the gate.");
  for (const auto& [key, count] : n) {
    const auto& [id, rule, severity, waived] = key;
    out +=
        fmt::format("draudit_findings{{id=\"{}\",rule=\"{}\",severity=\"{}\",waived=\"{}\"}} {}\n",
                    label(id), label(rule), severity, waived, count);
  }
}

}  // namespace

std::string prometheus_report(const Report& report, const FormatOptions&) {
  std::string out;
  head(out, "draudit_build_info", "What wrote this, and the KAI versions that it imitated.");
  out +=
      fmt::format("draudit_build_info{{version=\"{}\",naive=\"{}\",corrected=\"{}\"}} 1\n",
                  label(report.tool.version), label(report.kai.naive), label(report.kai.corrected));
  head(out, "draudit_complete", "1 if all of the input was read and was enough.");
  out += fmt::format("draudit_complete {}\n", report.complete ? 1 : 0);
  head(out, "draudit_input_problems", "Parts of the input that could not be read.");
  out += fmt::format("draudit_input_problems {}\n", report.problems.size());
  if (report.now) {
    if (const auto now = parse_timestamp(*report.now)) {
      head(out, "draudit_as_of_timestamp_seconds", "Time that the state is judged at.");
      out += fmt::format("draudit_as_of_timestamp_seconds {}\n",
                         to_string(Gpus{now->nanoseconds} / 1'000'000'000));
    }
  }
  head(out, "draudit_kind_missing", "Kinds that may exist and were not read.");
  for (const Report::Absent& a : report.not_in_dump) {
    out += fmt::format("draudit_kind_missing{{kind=\"{}\"}} 1\n", label(a.kind));
  }
  head(out, "draudit_input_gaps", "Things that the input seems to lack; the report names them.");
  out += fmt::format("draudit_input_gaps {}\n", report.completeness.gaps.size());
  head(out, "draudit_rule_not_checkable", "Rules that could not run.");
  for (const Report::NotCheckable& n : report.not_checkable) {
    out += fmt::format("draudit_rule_not_checkable{{id=\"{}\",rule=\"{}\"}} 1\n", label(n.id),
                       label(n.rule));
  }
  findings(out, report);
  for (const NodeGauge& g : kGauges) {
    head(out, g.name, g.help);
    for (const Report::Node& n : report.nodes) {
      const std::optional<Gpus> value = g.value(n);
      if (value)
        out += fmt::format("{}{{node=\"{}\"}} {}\n", g.name, label(n.name), to_string(*value));
    }
  }
  return out;
}

}  // namespace draudit
