#include "report/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "draudit/report.hpp"
#include "report/plain.hpp"

namespace draudit {
namespace {

std::size_t nodes_with(const Report& report, std::string_view rule, Severity at_least) {
  std::size_t n = 0;
  for (const Report::Finding& f : report.findings) {
    if (f.rule == rule && f.severity >= at_least) ++n;
  }
  return n;
}

std::string nodes_of(std::size_t n, std::size_t all) {
  return fmt::format("{} of {} {}", n, all, all == 1 ? "node" : "nodes");
}

std::string verdict_of_what_was_read(const Report& report) {
  const std::size_t all = report.nodes.size();
  const std::string naive = plain(report.kai.naive);
  const std::size_t over = nodes_with(report, "over-counted-node", Severity::warning);
  const std::size_t committed = nodes_with(report, "over-committed-node", Severity::warning);
  const std::size_t noted = nodes_with(report, "over-counted-node", Severity::note);
  std::string out;
  if (over > 0) {
    out = fmt::format("{} {} over-counted: KAI {} believes that more GPUs are in use than {}.",
                      nodes_of(over, all), over == 1 ? "is" : "are", naive,
                      over == 1 ? "it has" : "they have");
  } else if (noted > 0) {
    out = fmt::format("This cluster runs KAI {}, which counts rightly; {} would over-count {}.",
                      plain(report.kai.running.value_or("")), naive, nodes_of(noted, all));
  }
  if (committed > 0) {
    out += fmt::format("{}{} {} over-committed: even KAI {} believes in more use than capacity.",
                       out.empty() ? "" : " ", nodes_of(committed, all),
                       committed == 1 ? "is" : "are", plain(report.kai.corrected));
  }
  if (!out.empty()) return out;
  if (report.findings.empty()) {
    return fmt::format("No findings on {}.", all == 1 ? "1 node" : fmt::format("{} nodes", all));
  }
  const std::size_t unknown = nodes_with(report, "capacity-unknown", Severity::note);
  if (unknown > 0) {
    return fmt::format("No node is known to be over-counted; the capacity of {} is not known.",
                       nodes_of(unknown, all));
  }
  return "No node is over-counted.";
}

}  // namespace

std::string capacity_text(const std::optional<Gpus>& value, Certainty certainty) {
  if (!value) return "?";
  return fmt::format("{}{}", certainty == Certainty::certain ? "" : "~", to_string(*value));
}

std::string capacity_derivation(const Capacity& capacity) {
  std::string out{to_string(capacity.source)};
  for (std::size_t i = 0; i < capacity.parts.size(); ++i) {
    out += fmt::format("{}{} {}", i == 0 ? ": " : " + ", plain(capacity.parts[i].what),
                       to_string(capacity.parts[i].gpus));
  }
  return out;
}

std::string verdict(const Report& report) {
  if (report.unable) return fmt::format("Not audited: {}.", plain(*report.unable));
  if (report.complete) return verdict_of_what_was_read(report);
  const auto& ns = report.completeness.pods_of_one_namespace;
  if (ns && report.problems.empty()) {
    return fmt::format("Only pods of the namespace {} were read. By them: {}", plain(*ns),
                       verdict_of_what_was_read(report));
  }
  return fmt::format("Not all of the input could be read. Of what was: {}",
                     verdict_of_what_was_read(report));
}

std::string objects_read(const Report& report) {
  struct Words {
    std::string_view kind;
    std::string_view one;
    std::string_view many;
    bool always;
  };
  static constexpr Words kWords[] = {
      {"Pod", "pod", "pods", true},
      {"ResourceClaim", "claim", "claims", true},
      {"Node", "node", "nodes", true},
      {"ResourceSlice", "slice", "slices", false},
      {"DeviceClass", "class", "classes", false},
      {"BindRequest", "bind request", "bind requests", false},
  };
  std::string out;
  for (const auto& [kind, n] : report.objects.read) {
    const auto* words = std::find_if(std::begin(kWords), std::end(kWords),
                                     [&k = kind](const Words& w) { return w.kind == k; });
    const bool known = words != std::end(kWords);
    if (n == 0 && !(known && words->always)) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", n,
                       !known   ? plain(kind)
                       : n == 1 ? std::string{words->one}
                                : std::string{words->many});
  }
  return out;
}

std::string location_text(const std::optional<Report::Place>& place) {
  if (!place) return {};
  return fmt::format("{}:{}:{}", plain(place->file), place->line, place->column);
}

std::string naive_text(const Report::Kai& kai) {
  const auto why = [&kai]() -> std::string {
    if (kai.naive_from == "flag") return "asked for";
    if (!kai.running) {
      return fmt::format(
          "{}: the last version with the defect",
          kai.running_from.empty() ? "no KAI scheduler in the input" : plain(kai.running_from));
    }
    if (kai.running_has_fix.value_or(false)) {
      return fmt::format("the cluster runs {}, which has the fix", plain(*kai.running));
    }
    return plain(kai.running_from);
  };
  return fmt::format("KAI {} ({})", plain(kai.naive), why());
}

std::string waived_text(const Report::Waived& waived) {
  if (waived.by == "baseline") return "in the baseline";
  std::string out = fmt::format("suppressed: {}", plain(waived.reason));
  if (!waived.expires.empty()) out += fmt::format(", until {}", plain(waived.expires));
  if (!waived.owner.empty()) out += fmt::format(", by {}", plain(waived.owner));
  return out;
}

std::string problem_line(const Report::Problem& problem) {
  std::string out = plain(problem.file);
  if (problem.line > 0) out += fmt::format(":{}:{}", problem.line, problem.column);
  for (const std::string& part : {problem.object, problem.field, problem.message}) {
    if (!part.empty()) out += ": " + plain(part);
  }
  if (!problem.advice.empty()) out += fmt::format(" ({})", plain(problem.advice));
  return out;
}

}  // namespace draudit
