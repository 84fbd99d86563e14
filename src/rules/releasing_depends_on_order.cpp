#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// A shared device is booked by whichever of its pods comes first, with that pod's status: while one
// of them terminates, the device is counted as about to be free, or not.
void check_releasing_depends_on_order(const Audit& audit, const Rule& rule,
                                      std::vector<Finding>& out) {
  for (const NodeAudit& node : audit.nodes) {
    const Range releasing = node.corrected.figures.releasing;
    if (releasing.fixed()) continue;
    Finding f = about_node(rule, node);
    f.message = fmt::format("{}: corrected releasing is anything in {}, as pods happen to be added",
                            f.node, to_string(releasing));
    for (const Charge& c : node.corrected.charges) {
      if (c.status == PodStatus::releasing && !c.devices.empty()) {
        f.pods.push_back(full_name(c.pod->meta));
      }
    }
    add_shared_devices(f, node);
    f.facts.push_back({"means", "a pod may be pipelined to a GPU that another pod goes on using"});
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kReleasingDependsOnOrder{
    "ACC017",
    "releasing-depends-on-order",
    Severity::warning,
    "A terminating sharer makes a GPU look about to be free, or not, by the order of pods (F8)",
    "wait until the pod is gone, or give each pod its own claim",
    kPodsAndNodes,
    of_audit<check_releasing_depends_on_order>};

}  // namespace draudit
