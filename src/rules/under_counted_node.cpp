#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// Pods hold more than even the corrected version counts: KAI thinks that GPUs are free which are
// not. It can't hand out a held device, but it plans with it.
void check_under_counted_node(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  for (const NodeAudit& node : audit.nodes) {
    const Range corrected = node.corrected.figures.printed_used();
    const Gpus held = node.held.total();
    if (corrected.most >= held) continue;
    Finding f = about_node(rule, node);
    f.message = fmt::format("{}: pods hold {}, corrected used is {}", f.node, count_of(held, "GPU"),
                            to_string(corrected));
    f.facts.push_back(
        {"held", fmt::format("{} by claims, {} by device plugin, {} shared by fractions",
                             node.held.devices, node.held.plugin, node.held.groups)});
    if (node.capacity.value == Gpus{0}) {
      f.facts.push_back(
          {"capacity 0", "KAI records no use at all on a node without published GPUs"});
    }
    add_causes(f, node, CausedFigure::used, Direction::too_few);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kUnderCountedNode{"ACC004",
                             "under-counted-node",
                             Severity::warning,
                             "Pods hold more GPUs than even the corrected accounting counts",
                             "look in the trace for the pods that count less than they hold",
                             kPodsAndNodes,
                             of_audit<check_under_counted_node>};

}  // namespace draudit
