#include <fmt/format.h>

#include <algorithm>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// The claim controller and the kubelet go by uid: to them the new pod is a stranger.
void check_consumer_replaced(const Evidence& evidence, const Rule& rule,
                             std::vector<Finding>& out) {
  for (const ClaimRecord& r : evidence.claims.records()) {
    if (r.story != ClaimStory::replaced) continue;
    // Made for the former pod, too: foreign-claim tells it.
    if (std::any_of(r.users.begin(), r.users.end(), [&](const ClaimUser& u) {
          return u.by_template && !made_for(*r.claim, *u.pod);
        })) {
      continue;
    }
    Finding f = about_claim(rule, *r.claim);
    for (const auto& [consumer, pod] : r.replaced) f.pods.push_back(full_name(pod->meta));
    f.message = fmt::format("{}: reserved for {} under a uid that {} no longer {}", f.subject.name,
                            pods_text(f.pods), f.pods.size() == 1 ? "it" : "they",
                            f.pods.size() == 1 ? "has" : "have");
    as_sure_as_pods(evidence, f, r);
    for (const auto& [consumer, pod] : r.replaced) {
      as_sure_as_age(evidence, f, "Pod", pod->meta);
    }
    add_consumers(f, r);
    add_held_devices(f, *r.claim);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kConsumerReplaced{"CLM004",
                             "consumer-replaced",
                             Severity::error,
                             "A claim is reserved for a former pod of that name, not for the "
                             "present one",
                             "delete the new pod so that it is scheduled again; see that the claim "
                             "controller runs",
                             kPodsAndClaims,
                             check_consumer_replaced};

}  // namespace draudit
