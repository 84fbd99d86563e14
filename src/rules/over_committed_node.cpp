#include <fmt/format.h>

#include "rules/common.hpp"

namespace draudit {

// Even with each device counted once there is more in use than the scheduler thinks there is.
void over_committed_node(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  for (const NodeAudit& node : audit.nodes) {
    if (!node.capacity.value) continue;
    const Gpus capacity = *node.capacity.value;
    const Range corrected = node.corrected.figures.printed_used();
    if (corrected.least <= capacity) continue;
    Finding f = about_node(rule, node);
    as_sure_as_capacity(f, node);
    f.message = fmt::format("{}: corrected used {} is above capacity {}; held is {}", f.node,
                            to_string(corrected), to_string(capacity),
                            to_string(node.held.total()));
    add_shared_devices(f, node);
    for (const DeviceUse& device : node.devices) {
      if (device.published || device.holders.empty() ||
          node.capacity.source != CapacitySource::slices_and_allocatable) {
        continue;
      }
      f.facts.push_back({"in use, not published", to_string(device.key)});
    }
    add_idle_fact(f, node.corrected);
    f.facts.push_back({"the scheduler says", kai_sentence(corrected.most, capacity)});
    out.push_back(std::move(f));
  }
}

}  // namespace draudit
