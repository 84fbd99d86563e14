#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// Even with each device counted once there is more in use than the scheduler thinks there is.
void check_over_committed_node(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  for (const NodeAudit& node : audit.nodes) {
    if (!node.capacity.value) continue;
    const Gpus capacity = node.corrected.capacity;
    const Range corrected = node.corrected.figures.printed_used();
    if (corrected.least <= capacity) continue;
    Finding f = about_node(rule, node);
    as_sure_as_capacity(f, node);
    f.message =
        fmt::format("{}: corrected used {} is above capacity {}; held is {}", f.node,
                    to_string(corrected), to_string(capacity), to_string(node.held.total()));
    add_shared_devices(f, node);
    for (const DeviceUse& device : node.devices) {
      if (device.published || device.holders.empty() ||
          node.capacity.source != CapacitySource::slices_and_allocatable) {
        continue;
      }
      f.facts.push_back({"in use, not published", to_string(device.key)});
    }
    add_idle_fact(f, node, node.corrected);
    f.facts.push_back({"the scheduler says", kai_sentence(corrected.most, capacity)});
    add_causes(f, node, CausedFigure::used, Direction::too_many);
    add_causes(f, node, CausedFigure::capacity, Direction::too_few);
    add_upgrade_fact(f, node);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kOverCommittedNode{
    "ACC003",
    "over-committed-node",
    Severity::error,
    "KAI believes that more GPUs are in use than the node has, also with each device counted once",
    "look at the causes: devices withdrawn, a class that is no GPU, a plugin GPU gone unhealthy",
    kPodsAndNodes,
    of_audit<check_over_committed_node>};

}  // namespace draudit
