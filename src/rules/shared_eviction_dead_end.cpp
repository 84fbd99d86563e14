#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// In its simulations KAI evicts pods one by one, and each goes off against the references of the
// others: a device that several pods share never comes free, though all of them are evicted.
void check_shared_eviction_dead_end(const Audit& audit, const Rule& rule,
                                    std::vector<Finding>& out) {
  // A cluster that is known to run a version without the fix has no such dead end yet.
  if (!audit.running.version.empty() && !audit.running.fixed) return;
  for (const NodeAudit& node : audit.nodes) {
    // Only where someone would have to be evicted to make room.
    if (!node.capacity.value || node.corrected.capacity <= 0) continue;
    if (node.corrected.figures.idle.most > 0) continue;
    if (!node.corrected.profile->dedup) continue;
    Finding f = about_node(rule, node);
    add_shared_devices(f, node);
    if (f.devices.empty()) continue;
    as_sure_as_capacity(f, node);
    f.message = fmt::format(
        "{}: full, and KAI {} would not see that evicting all pods of {} frees {}", f.node,
        node.corrected.version, count_of(static_cast<Gpus>(f.devices.size()), "shared device"),
        f.devices.size() == 1 ? "it" : "them");
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kSharedEvictionDeadEnd{
    "ACC018",
    "shared-eviction-dead-end",
    Severity::note,
    "On a full node, KAI with the fix sees no gain in evicting the pods that share a device (F9)",
    "evict by hand where a pod of higher priority has to run",
    kPodsAndNodes,
    of_audit<check_shared_eviction_dead_end>};

}  // namespace draudit
