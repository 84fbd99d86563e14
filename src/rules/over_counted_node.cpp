#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// The incident itself: KAI issue #1930. What the node really has in use fits its capacity, what
// KAI believes does not.
void check_over_counted_node(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  for (const NodeAudit& node : audit.nodes) {
    if (!node.capacity.value) continue;
    // Two versions may see two capacities: each figure is held against its own.
    const Gpus capacity = node.naive.capacity;
    const Range naive = node.naive.figures.printed_used();
    const Range corrected = node.corrected.figures.printed_used();
    if (naive.most <= capacity || corrected.least > node.corrected.capacity) continue;

    Finding f = about_node(rule, node);
    if (corrected.most > node.corrected.capacity) {
      f.certainty = Certainty::possible;
      f.why_not_certain = "corrected used depends on the order of pods";
    } else {
      as_sure_as_capacity(f, node);
    }
    as_sure_as_version(f, audit);
    f.message = fmt::format("{}: naive used {} is above capacity {}; corrected used is {}", f.node,
                            to_string(naive), to_string(capacity), to_string(corrected));
    if (audit.runs_fix()) {
      // This cluster runs the fix: said for the record, nothing is wrong now.
      f.severity = Severity::note;
      f.facts.push_back({"running", fmt::format("KAI {} counts each device once: this is what {} "
                                                "would say",
                                                audit.running.version, node.naive.version)});
    }
    add_shared_devices(f, node);
    add_idle_fact(f, node, node.naive);
    f.facts.push_back({"the scheduler says", kai_sentence(naive.most, capacity)});
    add_causes(f, node, CausedFigure::used, Direction::too_many);
    add_upgrade_fact(f, node);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kOverCountedNode{
    "ACC001",
    "over-counted-node",
    Severity::error,
    "KAI believes that more GPUs are in use than the node has, though what is in use fits",
    "run KAI v0.17.1 or later, which counts each device once",
    kPodsAndNodes,
    of_audit<check_over_counted_node>};

}  // namespace draudit
