#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

void check_extended_claim_wrong(const Evidence& evidence, const Rule& rule,
                                std::vector<Finding>& out) {
  for (const Pod& p : evidence.audit.snapshot->pods) {
    if (p.extended_claim.empty() || has_ended(p)) continue;
    const ResourceClaim* claim = evidence.audit.snapshot->claim(p.meta.ns, p.extended_claim);
    std::string wrong;
    if (claim == nullptr) {
      wrong = "is not in the input";
    } else if (!made_for(*claim, p)) {
      wrong = "was not made for it";
    } else if (!claim->extended_resource) {
      wrong = "lacks the annotation resource.kubernetes.io/extended-resource-claim";
    } else if (!claim->allocation && !p.node.empty()) {
      wrong = "has no allocation";
    } else {
      continue;
    }
    Finding f = about(rule, ref("Pod", p.meta));
    f.node = p.node;
    f.message = fmt::format("{}: the claim for its extended resources, {}, {}", f.subject.name,
                            p.extended_claim, wrong);
    as_sure_as_one_cluster(evidence, f);
    as_sure_as_age(evidence, f, "Pod", p.meta);
    if (claim != nullptr) {
      as_sure_as_age(evidence, f, "ResourceClaim", claim->meta);
      f.objects.push_back(ref("ResourceClaim", claim->meta));
    }
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kExtendedClaimWrong{"CLM011",
                               "extended-claim-wrong",
                               Severity::error,
                               "The claim that a pod's status names for its extended resources is "
                               "missing or not the pod's",
                               "delete the pod so that it is scheduled again",
                               kPodsAndClaims,
                               check_extended_claim_wrong};

}  // namespace draudit
