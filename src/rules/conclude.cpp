#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "draudit/cli.hpp"
#include "draudit/result.hpp"

namespace draudit {
namespace {

struct AbsentRow {
  Kind kind;
  std::string_view consequence;
};
// Said of a kind that is not there, in the order of the report.
constexpr std::array kAbsent = {
    AbsentRow{Kind::pod, "nothing can be counted"},
    AbsentRow{Kind::claim, "devices that pods hold through claims can't be counted"},
    AbsentRow{Kind::node, "nothing can be counted"},
    AbsentRow{Kind::slice,
              "capacity is taken from allocatable or the label nvidia.com/gpu.count, or unknown"},
    AbsentRow{Kind::device_class, "classes that stand for extended resources are not known"},
    AbsentRow{Kind::bind_request,
              "pods that KAI is binding, and the GPU groups of fractions, may be missed"},
};

std::string why_unable(const Audit& audit) {
  const Snapshot& s = *audit.snapshot;
  // Not even where the input is said to be complete: nothing checked is no clean result.
  if (s.nodes.empty()) return "no Node in the input: there is nothing to audit";
  if (!s.of(Kind::pod).known()) return "no Pod in the input: there is nothing to audit";
  if (audit.nodes.empty() && !s.nodes.empty()) {
    return fmt::format(
        "none of the {} nodes is of the shard {}={}", s.nodes.size(), audit.options.node_pool_key,
        audit.options.node_pool_value.empty() ? "(absent)" : audit.options.node_pool_value);
  }
  if (!s.of(Kind::claim).known()) {
    const auto naming =
        std::count_if(s.pods.begin(), s.pods.end(), [](const Pod& p) { return !p.claims.empty(); });
    if (naming > 0) {
      return fmt::format(
          "no ResourceClaim in the input, and {} {} claims: their devices can't be counted", naming,
          naming == 1 ? "pod names" : "pods name");
    }
  }
  return {};
}

/// Whether a claim of another namespace has a consumer can't be told from the pods of one.
void leave_to_missing_pods(Result& result) {
  const Completeness& c = result.completeness;
  if (c.pods_of_one_namespace.empty()) return;
  const Rule* orphan = find_rule("orphan-allocation");
  const auto unknown = [&](const Finding& f) {
    return f.rule == orphan &&
           f.subject.name.substr(0, f.subject.name.find('/')) != c.pods_of_one_namespace;
  };
  auto& findings = result.run.findings;
  const auto first = std::remove_if(findings.begin(), findings.end(), unknown);
  if (first == findings.end()) return;
  findings.erase(first, findings.end());
  result.run.not_checkable.push_back(
      {orphan, fmt::format("for claims outside {}: only pods of that namespace were read",
                           c.pods_of_one_namespace)});
}

}  // namespace

Result conclude(const Snapshot& snapshot, AuditOptions options) {
  Result out{.audit = audit(snapshot, std::move(options)),
             .run = {},
             .absent = {},
             .completeness = {},
             .unable = {},
             .config_file = {},
             .baseline_file = {},
             .tuning_notes = {}};
  out.run = check(out.audit);
  out.completeness = completeness_of(snapshot);
  leave_to_missing_pods(out);
  for (const AbsentRow& row : kAbsent) {
    if (snapshot.of(row.kind).known()) continue;
    const KindInfo& kind = info(row.kind);
    out.absent.push_back(
        {row.kind, std::string{row.consequence},
         fmt::format("kubectl get {}{} -o json", kind.plural, kind.namespaced ? " -A" : "")});
  }
  out.unable = why_unable(out.audit);
  return out;
}

bool fails_gate(Severity severity, bool waived, FailOn fail_on) {
  if (waived) return false;
  switch (fail_on) {
    case FailOn::note: return true;
    case FailOn::warning: return severity >= Severity::warning;
    case FailOn::error: return severity >= Severity::error;
    case FailOn::never: return false;
  }
  return false;
}

int exit_status(const Result& result, FailOn fail_on) {
  if (!result.complete()) return kExitUnable;
  const auto& findings = result.run.findings;
  return std::any_of(findings.begin(), findings.end(),
                     [fail_on](const Finding& f) {
                       return fails_gate(f.severity, f.waived.has_value(), fail_on);
                     })
             ? kExitFindings
             : kExitClean;
}

}  // namespace draudit
