#include <fmt/format.h>

#include <algorithm>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// Claims with GPUs that were made by hand are orphan-allocation's.
void check_unused_allocation(const Evidence& evidence, const Rule& rule,
                             std::vector<Finding>& out) {
  std::vector<const ResourceClaim*> told;
  for (const OrphanClaim& o : evidence.audit.orphans) told.push_back(o.claim);
  std::sort(told.begin(), told.end());
  const bool nodes = evidence.audit.snapshot->of(Kind::node).known();
  for (const ClaimRecord& r : evidence.claims.records()) {
    const bool left = r.story == ClaimStory::left;
    if (!left && r.story != ClaimStory::unused) continue;
    if (!left && nodes && std::binary_search(told.begin(), told.end(), r.claim)) continue;
    if (r.claim->allocation->results.empty() && !r.claim->controller.empty()) continue;
    Finding f = about_claim(rule, *r.claim);
    if (left) {
      const OwnerReference& maker = *maker_of(*r.claim);
      const Pod* pod = evidence.claims.pod(r.claim->meta.ns, maker.name);
      const bool over = pod != nullptr && has_ended(*pod);
      f.message = fmt::format("{}: still allocated, and the {} that it was made for, {}, {}",
                              f.subject.name, maker.kind == "Pod" ? "pod" : "PodGroup", maker.name,
                              over ? "has ended" : "is gone");
      if (!over && maker.kind == "Pod" && !evidence.claims.ended_pods_seen()) {
        f.severity = Severity::warning;
        demote(f, Certainty::likely, "no pod in the input has ended: such pods may be left out");
      }
    } else {
      f.severity = Severity::warning;
      f.message = fmt::format("{}: allocated, reserved for nobody and named by no living pod",
                              f.subject.name);
    }
    as_sure_as_pods(evidence, f, r);
    add_held_devices(f, *r.claim);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kUnusedAllocation{"CLM006",
                             "unused-allocation",
                             Severity::error,
                             "A claim keeps its allocation though nobody uses it, or the pod that "
                             "it was made for is gone",
                             "delete the claim if nobody needs its allocation",
                             kPodsAndClaims,
                             check_unused_allocation};

}  // namespace draudit
