#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// Without a Pod owner, only the first reservedFor entry relates a claim.
void check_related_by_reservation(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::related_by_reservation, out, true);
}

}  // namespace

const Rule kRelatedByReservation{
    "ACC038",
    "related-by-reservation",
    Severity::warning,
    "KAI relates a claim to other pods than those that consume it (F24)",
    info(Cause::related_by_reservation).mend,
    kPodsAndNodes,
    of_audit<check_related_by_reservation>};

}  // namespace draudit
