#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// Demand goes by the class name, the reference count by the driver name.
void check_driver_without_gpu(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::driver_without_gpu, out);
}

}  // namespace

const Rule kDriverWithoutGpu{
    "ACC013",
    "driver-without-gpu",
    Severity::warning,
    "Devices of a driver whose name lacks \"gpu\" are counted by class and never recognised (F4)",
    info(Cause::driver_without_gpu).mend,
    kPodsAndNodes,
    of_audit<check_driver_without_gpu>};

}  // namespace draudit
