#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// Versions before v0.17 do not know the annotation of such claims.
void check_extended_claim_counted_twice(const Audit& audit, const Rule& rule,
                                        std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::extended_claim_twice, out);
}

}  // namespace

const Rule kExtendedClaimCountedTwice{
    "ACC037",
    "extended-claim-counted-twice",
    Severity::warning,
    "The claim made for an extended resource is counted beside the containers' request (F23)",
    info(Cause::extended_claim_twice).mend,
    kPodsAndNodes,
    of_audit<check_extended_claim_counted_twice>};

}  // namespace draudit
