#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// The GPU entry of a fraction or MIG pod is 0, whatever else it asks for.
void check_fraction_with_claim(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::fraction_with_claim, out);
}

}  // namespace

const Rule kFractionWithClaim{
    "ACC029",
    "fraction-with-claim",
    Severity::warning,
    "A fraction or MIG pod holds whole GPUs besides, which are not counted (F16)",
    info(Cause::fraction_with_claim).mend,
    kPodsAndNodes,
    of_audit<check_fraction_with_claim>};

}  // namespace draudit
