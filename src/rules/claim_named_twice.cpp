#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// The second entry of the same pod finds the device registered, by the first.
void check_claim_named_twice(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::claim_named_twice, out);
}

}  // namespace

const Rule kClaimNamedTwice{
    "ACC012",
    "claim-named-twice",
    Severity::warning,
    "A pod names the same device twice, so its own GPU is taken for shared (F3)",
    info(Cause::claim_named_twice).mend,
    kPodsAndNodes,
    of_audit<check_claim_named_twice>};

}  // namespace draudit
