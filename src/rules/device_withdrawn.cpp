#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// KAI counts what is published, whoever still uses what is not.
void check_device_withdrawn(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::unpublished_device, out);
  // Where nothing at all is published, slices-missing says it.
  std::erase_if(out, [&](const Finding& f) {
    const NodeAudit* node = audit.node(f.node);
    return f.rule == &rule && node != nullptr && node->capacity.value == Gpus{0};
  });
}

}  // namespace

const Rule kDeviceWithdrawn{
    "ACC022",
    "device-withdrawn",
    Severity::error,
    "A device in use is in no ResourceSlice, so capacity is below what is in use (F13)",
    info(Cause::unpublished_device).mend,
    kPodsAndNodes,
    of_audit<check_device_withdrawn>};

}  // namespace draudit
