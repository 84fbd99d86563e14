#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// Pods use GPUs on this node, and nothing in the input says how many it has.
void check_capacity_unknown(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  for (const NodeAudit& node : audit.nodes) {
    if (node.capacity.value) continue;
    if (node.capacity.at_least == 0 && node.naive.figures.printed_used().most == 0) continue;
    Finding f = about_node(rule, node);
    f.message = fmt::format(
        "{}: capacity is not in the input; at least {} (naive used {}, corrected used {})", f.node,
        count_of(node.capacity.at_least, "GPU is there", "GPUs are there"),
        to_string(node.naive.figures.printed_used()),
        to_string(node.corrected.figures.printed_used()));
    f.facts.push_back({"add the slices", "kubectl get resourceslices -o json"});
    f.facts.push_back({"or say it", fmt::format("--capacity {}=N", f.node)});
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kCapacityUnknown{"INP001",
                            "capacity-unknown",
                            Severity::warning,
                            "GPUs are used on a node, and the input does not say how many it has",
                            "add ResourceSlices to the dump, or give --capacity NODE=N",
                            kPodsAndNodes,
                            of_audit<check_capacity_unknown>};

}  // namespace draudit
