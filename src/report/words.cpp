#include "report/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "draudit/report.hpp"
#include "report/plain.hpp"

namespace draudit {
namespace {

std::size_t nodes_with(const Result& result, std::string_view rule, Severity at_least) {
  std::size_t n = 0;
  for (const Finding& f : result.run.findings) {
    if (f.rule->name == rule && f.severity >= at_least) ++n;
  }
  return n;
}

std::string nodes_of(std::size_t n, std::size_t all) {
  return fmt::format("{} of {} {}", n, all, all == 1 ? "node" : "nodes");
}

std::string verdict_of_what_was_read(const Result& result) {
  const std::size_t all = result.audit.nodes.size();
  const std::string naive = result.audit.options.naive_version;
  const std::size_t over = nodes_with(result, "over-counted-node", Severity::warning);
  const std::size_t committed = nodes_with(result, "over-committed-node", Severity::warning);
  const std::size_t noted = nodes_with(result, "over-counted-node", Severity::note);
  std::string out;
  if (over > 0) {
    out = fmt::format("{} {} over-counted: KAI {} believes that more GPUs are in use than {}.",
                      nodes_of(over, all), over == 1 ? "is" : "are", naive,
                      over == 1 ? "it has" : "they have");
  } else if (noted > 0) {
    out = fmt::format("This cluster runs KAI {}, which counts rightly; {} would over-count {}.",
                      result.audit.running.version, naive, nodes_of(noted, all));
  }
  if (committed > 0) {
    out += fmt::format("{}{} {} over-committed: even KAI {} believes in more use than capacity.",
                       out.empty() ? "" : " ", nodes_of(committed, all),
                       committed == 1 ? "is" : "are", result.audit.options.corrected_version);
  }
  if (!out.empty()) return out;
  if (result.run.findings.empty()) {
    return fmt::format("No findings on {}.", all == 1 ? "1 node" : fmt::format("{} nodes", all));
  }
  const std::size_t unknown = nodes_with(result, "capacity-unknown", Severity::note);
  if (unknown > 0) {
    return fmt::format("No node is known to be over-counted; the capacity of {} is not known.",
                       nodes_of(unknown, all));
  }
  return "No node is over-counted.";
}

}  // namespace

std::string capacity_text(const Capacity& capacity) {
  if (!capacity.value) return "?";
  return fmt::format("{}{}", capacity.certainty == Certainty::certain ? "" : "~",
                     to_string(*capacity.value));
}

std::string capacity_derivation(const Capacity& capacity) {
  std::string out{to_string(capacity.source)};
  for (std::size_t i = 0; i < capacity.parts.size(); ++i) {
    out += fmt::format("{}{} {}", i == 0 ? ": " : " + ", plain(capacity.parts[i].what),
                       to_string(capacity.parts[i].gpus));
  }
  return out;
}

std::string verdict(const Result& result) {
  if (!result.unable.empty()) return fmt::format("Not audited: {}.", result.unable);
  if (result.complete()) return verdict_of_what_was_read(result);
  const std::string& ns = result.completeness.pods_of_one_namespace;
  if (!ns.empty() && result.snapshot().problems.empty()) {
    return fmt::format("Only pods of the namespace {} were read. By them: {}", plain(ns),
                       verdict_of_what_was_read(result));
  }
  return fmt::format("Not all of the input could be read. Of what was: {}",
                     verdict_of_what_was_read(result));
}

std::string objects_read(const Snapshot& s) {
  const auto part = [](std::size_t n, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
  };
  std::string out = part(s.pods.size(), "pod", "pods");
  out += ", " + part(s.claims.size(), "claim", "claims");
  out += ", " + part(s.nodes.size(), "node", "nodes");
  if (!s.slices.empty()) out += ", " + part(s.slices.size(), "slice", "slices");
  if (!s.device_classes.empty()) out += ", " + part(s.device_classes.size(), "class", "classes");
  if (!s.bind_requests.empty()) {
    out += ", " + part(s.bind_requests.size(), "bind request", "bind requests");
  }
  return out;
}

std::string location_text(const Snapshot& snapshot, const Location& at) {
  if (at.line == 0 || at.file >= snapshot.files.size()) return {};
  return fmt::format("{}:{}:{}", plain(snapshot.files[at.file].name), at.line, at.column);
}

std::string problem_line(const Snapshot& snapshot, const Problem& problem) {
  std::string out = plain(snapshot.files[problem.file].name);
  if (problem.line > 0) out += fmt::format(":{}:{}", problem.line, problem.column);
  for (const std::string& part : {problem.object, problem.field, problem.message}) {
    if (!part.empty()) out += ": " + plain(part);
  }
  if (!problem.advice.empty()) out += fmt::format(" ({})", plain(problem.advice));
  return out;
}

}  // namespace draudit
