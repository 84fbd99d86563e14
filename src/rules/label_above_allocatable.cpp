#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// The fraction bookkeeping compares with the label, not with capacity.
void check_label_above_allocatable(const Audit& audit, const Rule& rule,
                                   std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::label_above_allocatable, out);
}

}  // namespace

const Rule kLabelAboveAllocatable{
    "ACC034",
    "label-above-allocatable",
    Severity::warning,
    "With a gpu.count label above capacity, fraction groups do not lower idle (F20)",
    info(Cause::label_above_allocatable).mend,
    kPodsAndNodes,
    of_audit<check_label_above_allocatable>};

}  // namespace draudit
