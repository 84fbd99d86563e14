#include <fmt/format.h>

#include "rules/claim_troubles.hpp"

namespace draudit {

// KAI counts the demand of such a claim, and has no device to tell it from another pod's.
void unallocated_claim(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  by_claim(
      audit, rule, [](ClaimTrouble t) { return t == ClaimTrouble::unallocated; },
      [&](Finding& f, const PodClaimTrouble& t) {
        if (t.status == PodStatus::bound || t.status == PodStatus::binding) {
          f.certainty = Certainty::possible;
          f.why_not_certain = "a pod that is being bound may wait for its allocation";
        }
        return fmt::format("{}: not allocated, yet named by {} with a node: no device can be counted",
                           f.subject.name, count_of(static_cast<Gpus>(f.pods.size()), "pod"));
      },
      out);
}

}  // namespace draudit
