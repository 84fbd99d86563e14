#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// KAI cannot know from the spec how many devices there will be, and counts one.
void check_all_mode_undercounted(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::all_mode, out);
}

}  // namespace

const Rule kAllModeUndercounted{
    "ACC011",
    "all-mode-undercounted",
    Severity::warning,
    "A claim with allocationMode All counts as one GPU, however many it takes (F2)",
    info(Cause::all_mode).mend,
    kPodsAndNodes,
    of_audit<check_all_mode_undercounted>};

}  // namespace draudit
