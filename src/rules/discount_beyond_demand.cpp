#include <fmt/format.h>

#include <set>

#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// The fixed fit test raises idle by every device of the pod's claims that is already counted, also
// by those that the pod's own demand does not contain: an All claim brings 8 and asks for 1.
void check_discount_beyond_demand(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  for (const PendingPod& p : audit.pending) {
    const Gpus request = static_cast<Gpus>(p.container_gpus) + p.claim_gpus;
    if (p.container_gpus == 0 || p.devices.empty()) continue;
    for (const NodeAudit& node : audit.nodes) {
      if (!node.capacity.value) continue;
      std::set<std::uint32_t> counted;
      for (const Step& step : node.corrected.steps) {
        for (const DeviceTouch& t : step.touched) counted.insert(t.device);
      }
      Gpus discount = 0;
      for (const DeviceKey& key : p.devices) {
        for (const std::uint32_t d : counted) discount += node.devices[d].key == key ? 1 : 0;
      }
      const Gpus idle = node.corrected.figures.idle.most;
      if (discount <= p.claim_gpus || request > idle + discount || request <= idle + p.claim_gpus) {
        continue;
      }
      Finding f = about_node(rule, node);
      f.subject = ref("Pod", p.pod->meta);
      f.certainty = Certainty::likely;
      f.why_not_certain = "only GPUs were looked at, not the pod's other needs";
      f.message = fmt::format(
          "{}: seems to fit on {} (asks for {}, idle {}, {} taken for shared), but takes more",
          f.subject.name, f.node, count_of(request, "GPU"), to_string(idle), to_string(discount));
      out.push_back(std::move(f));
    }
  }
}

}  // namespace

const Rule kDiscountBeyondDemand{
    "ACC030",
    "discount-beyond-demand",
    Severity::warning,
    "A pending pod is granted more shared devices than it asks for, and seems to fit (F17)",
    "ask for an exact count in the claim",
    kPodsAndNodes,
    of_audit<check_discount_beyond_demand>};

}  // namespace draudit
