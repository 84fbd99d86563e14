#include <fmt/format.h>

#include "rules/claim_troubles.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// Such a claim adds nothing to any figure: what the pod holds through it, nobody can tell.
void check_unresolved_claim(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  const Audit& audit = evidence.audit;
  by_claim(
      audit, rule,
      [](ClaimTrouble t) {
        return t == ClaimTrouble::missing || t == ClaimTrouble::other_namespace ||
               t == ClaimTrouble::not_created;
      },
      [&](Finding& f, const PodClaimTrouble& t) {
        as_sure_as_age(evidence, f, "Pod", t.pod->meta);
        const std::string pods = count_of(static_cast<Gpus>(f.pods.size()), "pod");
        if (t.use.trouble == ClaimTrouble::other_namespace) {
          return fmt::format("{}: named by {}, but the claim of that name is in another namespace",
                             f.subject.name, pods);
        }
        if (t.use.trouble == ClaimTrouble::not_created) {
          return fmt::format("{}: {} with a node, and no claim made from this template for {}",
                             f.subject.name, pods, f.pods.size() == 1 ? "it" : "them");
        }
        return fmt::format("{}: named by {}, and there is no such claim in the input",
                           f.subject.name, pods);
      },
      out);
}

}  // namespace

const Rule kUnresolvedClaim{
    "CLM001",
    "unresolved-claim",
    Severity::error,
    "A pod on a node names a claim that is not there or not in its namespace",
    "take the dump with -A and with resourceclaims; else repair the pod's reference",
    kPodsClaimsNodes,
    check_unresolved_claim};

}  // namespace draudit
