#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// KAI looks at the label app alone, not at the namespace or the name.
void check_foreign_reservation_label(const Audit& audit, const Rule& rule,
                                     std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::reservation_label, out);
}

}  // namespace

const Rule kForeignReservationLabel{
    "ACC035",
    "foreign-reservation-label",
    Severity::warning,
    "An ordinary pod carries the label of KAI's reservation pods, so its GPUs count 0 (F21)",
    info(Cause::reservation_label).mend,
    kPodsAndNodes,
    of_audit<check_foreign_reservation_label>};

}  // namespace draudit
