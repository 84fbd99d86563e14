#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// mig.nvidia.com or h100: in capacity by driver, not in demand by class.
void check_class_without_gpu(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::class_without_gpu, out);
}

}  // namespace

const Rule kClassWithoutGpu{
    "ACC015",
    "class-without-gpu",
    Severity::warning,
    "GPUs claimed through a class whose name lacks \"gpu\" count nothing (F6)",
    info(Cause::class_without_gpu).mend,
    kPodsAndNodes,
    of_audit<check_class_without_gpu>};

}  // namespace draudit
