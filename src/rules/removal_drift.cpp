#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// Taking pods off in another order than the reverse leaves a remainder where a pod names more
// devices than it counts. KAI rebuilds its records every cycle and undoes in reverse, so this is a
// property of the state, not an incident.
void check_removal_drift(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  for (const NodeAudit& node : audit.nodes) {
    if (node.corrected.least_steps.empty()) continue;
    const std::vector<Step> off = release_first_in_first_out(node, node.corrected);
    if (off.empty() || off.back().after.used == 0) continue;
    Finding f = about_node(rule, node);
    f.certainty = Certainty::possible;
    f.why_not_certain = "KAI takes pods off in reverse order within one cycle";
    f.message = fmt::format("{}: with every pod taken off, first one first, used would be {}",
                            f.node, to_string(off.back().after.used));
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kRemovalDrift{
    "ACC031",
    "removal-drift",
    Severity::note,
    "Taking the pods off in another order than the reverse would not lead back to 0 (F18)",
    "as for flapping-node",
    kPodsAndNodes,
    of_audit<check_removal_drift>};

}  // namespace draudit
