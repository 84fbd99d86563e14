#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// KAI adds allocatable and slices; nothing tells it that they are the same.
void check_dual_advertised(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::dual_advertised, out);
}

}  // namespace

const Rule kDualAdvertised{"ACC025",
                           "dual-advertised",
                           Severity::warning,
                           "The same GPUs are offered by the device plugin and by DRA, and counted "
                           "twice as capacity (F15)",
                           info(Cause::dual_advertised).mend,
                           kPodsAndNodes,
                           of_audit<check_dual_advertised>};

}  // namespace draudit
