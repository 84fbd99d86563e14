#include <fmt/format.h>

#include <map>
#include <tuple>

#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// Until the claim is allocated there is no device to tell that the pods share it, and KAI wants an
// idle GPU for each of them within one cycle.
void check_gang_on_unallocated_claim(const Audit& audit, const Rule& rule,
                                     std::vector<Finding>& out) {
  using Group = std::tuple<std::string_view, std::string_view, const ResourceClaim*>;
  std::map<Group, std::vector<const PendingPod*>> gangs;
  for (const PendingPod& p : audit.pending) {
    const auto group = find(p.pod->annotations, "pod-group-name");
    if (!group) continue;
    for (const ResourceClaim* claim : p.unallocated) {
      gangs[{p.pod->meta.ns, *group, claim}].push_back(&p);
    }
  }
  for (const auto& [key, pods] : gangs) {
    const ResourceClaim& claim = *std::get<const ResourceClaim*>(key);
    if (pods.size() < 2) continue;
    Gpus wanted = 0;
    Gpus each = 0;
    for (const PendingPod* p : pods) {
      each = p->claim_gpus;
      wanted += p->claim_gpus;
    }
    Gpus idle = 0;
    std::string best;
    for (const NodeAudit& node : audit.nodes) {
      if (!node.capacity.value || node.corrected.figures.idle.most <= idle) continue;
      idle = node.corrected.figures.idle.most;
      best = node.node->meta.name;
    }
    if (idle < each || idle >= wanted) continue;
    Finding f = about(rule, ref("ResourceClaim", claim.meta));
    f.certainty = Certainty::likely;
    f.why_not_certain = "only GPUs were looked at, not the pods' other needs";
    f.message =
        fmt::format("{}: {} of gang {} share it; KAI wants {} idle for them, the claim takes {}",
                    f.subject.name, count_of(static_cast<Gpus>(pods.size()), "pending pod"),
                    std::get<1>(key), count_of(wanted, "GPU"), to_string(each));
    for (const PendingPod* p : pods) f.pods.push_back(full_name(p->pod->meta));
    f.facts.push_back({"most idle", fmt::format("{} on {}", to_string(idle), best)});
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kGangOnUnallocatedClaim{"ACC019",
                                   "gang-on-unallocated-claim",
                                   Severity::warning,
                                   "A gang shares a claim that is not allocated yet, and KAI wants "
                                   "a GPU for each of its pods (F10)",
                                   "start one pod first, so that the claim gets its allocation",
                                   kPodsClaimsNodes,
                                   of_audit<check_gang_on_unallocated_claim>};

}  // namespace draudit
