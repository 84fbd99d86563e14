#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// Slices are looked up by node name only.
void check_network_attached_devices(const Audit& audit, const Rule& rule,
                                    std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::network_attached, out);
}

}  // namespace

const Rule kNetworkAttachedDevices{
    "ACC028",
    "network-attached-devices",
    Severity::warning,
    "Devices not tied to a node by name are used and give no capacity (F15)",
    info(Cause::network_attached).mend,
    kPodsAndNodes,
    of_audit<check_network_attached_devices>};

}  // namespace draudit
