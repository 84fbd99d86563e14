#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// The driver restarted or lost its slices: capacity 0. Versions from v0.17 on then record no use,
// older ones record it against nothing and refuse every pod.
void check_slices_missing(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  for (const NodeAudit& node : audit.nodes) {
    if (node.capacity.source != CapacitySource::slices_and_allocatable) continue;
    if (node.capacity.value != Gpus{0} || find_cause(node, Cause::unpublished_device) == nullptr) {
      continue;
    }
    Finding f = about_node(rule, node);
    f.message = fmt::format("{}: no GPU is published for this node, and pods hold {}", f.node,
                            count_of(node.held.devices, "device"));
    for (const DeviceUse& d : node.devices) {
      if (!d.holders.empty()) f.facts.push_back({"in use", to_string(d.key)});
    }
    add_idle_fact(f, node, node.naive);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kSlicesMissing{"ACC024",
                          "slices-missing",
                          Severity::error,
                          "Pods hold devices of a node for which no GPU is published at all (F14)",
                          "bring the driver's ResourceSlices back",
                          kPodsAndNodes,
                          of_audit<check_slices_missing>};

}  // namespace draudit
