#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

void check_deallocation_pending(const Evidence& evidence, const Rule& rule,
                                std::vector<Finding>& out) {
  for (const ClaimRecord& r : evidence.claims.records()) {
    if (!r.claim->deallocation_requested || !r.claim->allocation) continue;
    if (r.story == ClaimStory::stuck || fresh(evidence, r.claim->meta)) continue;
    Finding f = about_claim(rule, *r.claim);
    f.message = fmt::format("{}: to be deallocated{}, and still allocated", f.subject.name,
                            r.claim->controller.empty()
                                ? std::string{}
                                : fmt::format(" by controller {}", r.claim->controller));
    demote(f, Certainty::likely, "since when it is to be deallocated is not recorded");
    add_consumers(f, r);
    add_held_devices(f, *r.claim);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kDeallocationPending{"CLM015",
                                "deallocation-pending",
                                Severity::warning,
                                "A claim of classic DRA is to be deallocated, and its controller "
                                "has not done so",
                                "see that the driver's controller runs",
                                kPodsAndClaims,
                                check_deallocation_pending};

}  // namespace draudit
