#include <fmt/format.h>

#include "rules/claim_troubles.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// KAI counts the demand of such a claim, and has no device to tell it from another pod's.
void check_unallocated_claim(const Evidence& evidence, const Rule& rule,
                             std::vector<Finding>& out) {
  const Audit& audit = evidence.audit;
  by_claim(
      audit, rule, [](ClaimTrouble t) { return t == ClaimTrouble::unallocated; },
      [&](Finding& f, const PodClaimTrouble& t) {
        if (t.pod->node.empty()) {
          f.severity = Severity::warning;
          demote(f, Certainty::possible, "a pod that is being bound may wait for its allocation");
        }
        // The scheduler allocates before it binds: whoever bound this pod did not.
        as_sure_as_age(evidence, f, "Pod", t.pod->meta);
        as_sure_as_age(evidence, f, "ResourceClaim", t.use.claim->meta);
        return fmt::format(
            "{}: not allocated, yet named by {} with a node: no device can be counted",
            f.subject.name, count_of(static_cast<Gpus>(f.pods.size()), "pod"));
      },
      out);
}

}  // namespace

const Rule kUnallocatedClaim{"CLM002",
                             "unallocated-claim",
                             Severity::error,
                             "A pod on a node names a claim that has no allocation",
                             "see which scheduler bound the pod",
                             kPodsClaimsNodes,
                             check_unallocated_claim};

}  // namespace draudit
