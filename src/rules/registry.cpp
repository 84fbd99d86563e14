#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "model/sha256.hpp"
#include "rules/common.hpp"

namespace draudit {
namespace {

constexpr std::array kPodsAndNodes = {Kind::pod, Kind::node};
constexpr std::array kAll = {Kind::pod, Kind::claim, Kind::node};

// The one table. An id is never given to another rule.
constexpr std::array kRules = {
    Rule{"ACC001", "over-counted-node", Severity::error,
         "KAI believes that more GPUs are in use than the node has, though what is in use fits",
         "KAI v0.17.1 or later counts each device once", kPodsAndNodes, over_counted_node},
    Rule{"ACC002", "double-counted-device", Severity::warning,
         "KAI counts a shared device once per pod; the node still has room",
         "KAI v0.17.1 or later counts each device once", kPodsAndNodes, double_counted_device},
    Rule{"ACC003", "over-committed-node", Severity::error,
         "More GPUs are in use than the node has, each device counted once",
         "find out why: devices withdrawn, a class that is no GPU, a plugin GPU gone unhealthy",
         kPodsAndNodes, over_committed_node},
    Rule{"ACC004", "under-counted-node", Severity::warning,
         "Pods hold more GPUs than even the corrected accounting counts",
         "look in the trace for the pods that count 0", kPodsAndNodes, under_counted_node},
    Rule{"ACC005", "flapping-node", Severity::warning,
         "Corrected used depends on the order in which KAI happens to add the pods",
         "keep pods with admin access or allocationMode All off the class names that KAI counts",
         kPodsAndNodes, flapping_node},
    Rule{"CLM001", "unresolved-claim", Severity::error,
         "A pod on a node names a claim that is not there or not in its namespace",
         "take the dump with -A and with resourceclaims; else repair the pod's reference", kAll,
         unresolved_claim},
    Rule{"CLM002", "unallocated-claim", Severity::warning,
         "A pod on a node names a claim that has no allocation", "see which scheduler bound the pod",
         kAll, unallocated_claim},
    Rule{"INP001", "capacity-unknown", Severity::warning,
         "GPUs are used on a node, and the input does not say how many it has",
         "add ResourceSlices to the dump, or give --capacity NODE=N", kPodsAndNodes,
         capacity_unknown},
};

std::string fingerprint_of(const Finding& f) {
  // Names only: counts, uids, lines and order change from dump to dump.
  return sha256(fmt::format("{}\n{}\n{}\n{}", f.rule->id, f.subject.kind, f.subject.name, f.node))
      .substr(0, 32);
}

}  // namespace

std::span<const Rule> rules() { return kRules; }

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "note";
}

RuleRun check(const Audit& audit) {
  RuleRun out;
  for (const Rule& rule : kRules) {
    std::string missing;
    for (const Kind kind : rule.needs) {
      if (audit.snapshot->of(kind).known()) continue;
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", info(kind).name);
    }
    if (!missing.empty()) {
      out.not_checkable.push_back({&rule, fmt::format("no {} in the input", missing)});
      continue;
    }
    rule.check(audit, rule, out.findings);
  }
  for (Finding& f : out.findings) f.fingerprint = fingerprint_of(f);
  std::stable_sort(out.findings.begin(), out.findings.end(),
                   [](const Finding& a, const Finding& b) {
                     return std::tuple{b.severity, a.rule->id, a.node, a.subject.name} <
                            std::tuple{a.severity, b.rule->id, b.node, b.subject.name};
                   });
  return out;
}

}  // namespace draudit
