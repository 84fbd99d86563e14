#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

void check_pod_stuck_terminating(const Evidence& evidence, const Rule& rule,
                                 std::vector<Finding>& out) {
  for (const Pod& p : evidence.audit.snapshot->pods) {
    if (!on_a_node(p) || !older(evidence, p.meta.deleted, evidence.audit.options.grace.deletion)) {
      continue;
    }
    Finding f = about(rule, ref("Pod", p.meta));
    for (const PodClaim& entry : p.claims) {
      const ResourceClaim* claim = evidence.claims.index().resolve(p, entry).claim;
      if (claim == nullptr || !claim->allocation) continue;
      f.objects.push_back(ref("ResourceClaim", claim->meta));
      add_held_devices(f, *claim);
    }
    if (f.objects.empty()) continue;
    f.node = p.node;
    f.message = fmt::format("{}: terminating for {}, and its devices stay taken", f.subject.name,
                            duration_text(age_of(evidence, p.meta.deleted).value_or(0)));
    as_sure_as_one_cluster(evidence, f);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kPodStuckTerminating{"CLM020",
                                "pod-stuck-terminating",
                                Severity::note,
                                "A pod with devices has been terminating for long",
                                "see that the kubelet and the driver of its node run",
                                kPodsAndClaims,
                                check_pod_stuck_terminating};

}  // namespace draudit
