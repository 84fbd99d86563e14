#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// The DRA allocator holds every device of an allocated claim, consumed or not; KAI charges pods
// only, so it sees a free GPU that cannot be had.
// Where the claim's own story says why, that rule tells it: consumer-gone and its like.
void check_orphan_allocation(const Evidence& evidence, const Rule& rule,
                             std::vector<Finding>& out) {
  for (const OrphanClaim& o : evidence.audit.orphans) {
    const ClaimRecord* record = evidence.claims.of(o.claim);
    if (record->story != ClaimStory::none && record->story != ClaimStory::unused) continue;
    Finding f = about(rule, ref("ResourceClaim", o.claim->meta));
    if (o.node != nullptr) f.node = o.node->meta.name;
    if (!o.claim->reserved_for.empty()) {
      f.certainty = Certainty::likely;
      f.why_not_certain = "the pods that it is reserved for may be missing from the dump";
      for (const Consumer& c : o.claim->reserved_for) {
        f.facts.push_back({"reserved for", fmt::format("{} (not among the living pods)", c.name)});
      }
    }
    f.message = fmt::format("{}: allocated with {}, and no living pod consumes it", f.subject.name,
                            count_of(static_cast<Gpus>(o.devices.size()), "GPU"));
    for (const DeviceKey& key : o.devices) f.facts.push_back({"device", to_string(key)});
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kOrphanAllocation{"ACC033",
                             "orphan-allocation",
                             Severity::warning,
                             "An allocated claim holds GPUs and no living pod consumes it (F19)",
                             "delete the claim if nobody needs its allocation",
                             kPodsClaimsNodes,
                             check_orphan_allocation};

}  // namespace draudit
