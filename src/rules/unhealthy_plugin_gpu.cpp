#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// The pod on the GPU stays charged; the GPU is gone from allocatable.
void check_unhealthy_plugin_gpu(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::unhealthy_plugin_gpu, out);
}

}  // namespace

const Rule kUnhealthyPluginGpu{
    "ACC023",
    "unhealthy-plugin-gpu",
    Severity::warning,
    "The device plugin withdrew GPUs: allocatable is below capacity (F13)",
    info(Cause::unhealthy_plugin_gpu).mend,
    kPodsAndNodes,
    of_audit<check_unhealthy_plugin_gpu>};

}  // namespace draudit
