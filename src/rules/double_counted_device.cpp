#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// The same miscount where it does not (yet) push the node over its capacity, or where the capacity
// is not known: what the claims prove by themselves.
void check_double_counted_device(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  for (const NodeAudit& node : audit.nodes) {
    if (counted_twice(node) <= 0) continue;
    const CauseShare* shared = find_cause(node, Cause::shared_device);
    if (shared == nullptr || shared->naive <= 0) continue;  // the corrected figure is the wrong one
    const Range naive = node.naive.figures.printed_used();
    const Range corrected = node.corrected.figures.printed_used();
    if (node.capacity.value && naive.most > node.naive.capacity &&
        corrected.least <= node.corrected.capacity) {
      continue;  // over-counted-node says it
    }
    Finding f = about_node(rule, node);
    as_sure_as_version(f, audit);
    f.message =
        fmt::format("{}: shared devices count once per pod: naive used {}, corrected used {}",
                    f.node, to_string(naive), to_string(corrected));
    if (audit.runs_fix()) f.severity = Severity::note;
    add_shared_devices(f, node);
    add_idle_fact(f, node, node.naive);
    add_causes(f, node, CausedFigure::used, Direction::too_many);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kDoubleCountedDevice{
    "ACC002",
    "double-counted-device",
    Severity::warning,
    "KAI counts a shared device once per pod, where the node has room or its capacity is not known",
    "run KAI v0.17.1 or later, which counts each device once",
    kPodsAndNodes,
    of_audit<check_double_counted_device>};

}  // namespace draudit
