#include <fmt/format.h>

#include "rules/claim_troubles.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// KAI counts the demand of such a claim, and has no device to tell it from another pod's.
void check(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  by_claim(
      audit, rule, [](ClaimTrouble t) { return t == ClaimTrouble::unallocated; },
      [&](Finding& f, const PodClaimTrouble& t) {
        if (t.status == PodStatus::bound || t.status == PodStatus::binding) {
          f.certainty = Certainty::possible;
          f.why_not_certain = "a pod that is being bound may wait for its allocation";
        }
        return fmt::format(
            "{}: not allocated, yet named by {} with a node: no device can be counted",
            f.subject.name, count_of(static_cast<Gpus>(f.pods.size()), "pod"));
      },
      out);
}

}  // namespace

const Rule kUnallocatedClaim{"CLM002",
                             "unallocated-claim",
                             Severity::warning,
                             "A pod on a node names a claim that has no allocation",
                             "see which scheduler bound the pod",
                             kPodsClaimsNodes,
                             of_audit<check>};

}  // namespace draudit
