#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// KAI adds pods in the order of a Go map, drawn anew in every cycle. A pod that names more devices
// than it counts GPUs makes the sum depend on it (kai-accounting.md §7.6, F1).
void check_flapping_node(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  for (const NodeAudit& node : audit.nodes) {
    const Range used = node.corrected.figures.printed_used();
    if (used.fixed()) continue;
    Finding f = about_node(rule, node);
    f.message = fmt::format("{}: corrected used is anything in {}, as pods happen to be added",
                            f.node, to_string(used));
    for (const Charge& charge : node.corrected.charges) {
      const auto devices = static_cast<Gpus>(charge.devices.size());
      if (charge.gpus <= 0 || devices <= charge.gpus) continue;
      f.pods.push_back(full_name(charge.pod->meta));
      f.facts.push_back({full_name(charge.pod->meta),
                         fmt::format("names {} and is counted as {}", count_of(devices, "device"),
                                     count_of(charge.gpus, "GPU"))});
    }
    if (!node.corrected.figures.exact) {
      f.certainty = Certainty::likely;
      f.why_not_certain = "too many pods interlock to try all orders: the true range lies inside";
    }
    add_idle_fact(f, node, node.corrected);
    f.facts.push_back({"both orders", fmt::format("draudit trace {}", f.node)});
    add_causes(f, node, CausedFigure::used, Direction::either);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kFlappingNode{
    "ACC005",
    "flapping-node",
    Severity::warning,
    "Corrected used depends on the order in which KAI happens to add the pods",
    "keep pods with admin access or allocationMode All off the class names that KAI counts",
    kPodsAndNodes,
    of_audit<check_flapping_node>};

}  // namespace draudit
