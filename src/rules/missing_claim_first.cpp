#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// The walk over spec.resourceClaims ends at a named claim that is not found.
void check_missing_claim_first(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::missing_claim_first, out);
}

}  // namespace

const Rule kMissingClaimFirst{
    "ACC021",
    "missing-claim-first",
    Severity::warning,
    "A missing claim keeps KAI from seeing the devices of those named behind it (F12)",
    info(Cause::missing_claim_first).mend,
    kPodsAndNodes,
    of_audit<check_missing_claim_first>};

}  // namespace draudit
