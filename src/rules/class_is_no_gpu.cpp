#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// Any class name that contains "gpu" is demand: gpu-direct-nic too.
void check_class_is_no_gpu(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::class_is_no_gpu, out);
}

}  // namespace

const Rule kClassIsNoGpu{"ACC014",
                         "class-is-no-gpu",
                         Severity::warning,
                         "A device class named like a GPU's counts devices that are none (F5)",
                         info(Cause::class_is_no_gpu).mend,
                         kPodsAndNodes,
                         of_audit<check_class_is_no_gpu>};

}  // namespace draudit
