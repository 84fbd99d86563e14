#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

constexpr std::int64_t kControllerShouldHave = 600;

void check_consumer_ended(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  for (const ClaimRecord& r : evidence.claims.records()) {
    if (r.story != ClaimStory::ended) continue;
    Finding f = about_claim(rule, *r.claim);
    bool long_ago = false;
    bool just_now = true;
    for (const Pod* p : r.ended) {
      f.pods.push_back(full_name(p->meta));
      long_ago = long_ago || older(evidence, p->ended, kControllerShouldHave);
      just_now = just_now && younger(evidence, p->ended, evidence.audit.options.grace.reservation);
    }
    const bool idle = r.live.empty() && r.others.empty();
    if (idle && long_ago) f.severity = Severity::error;
    f.message = fmt::format("{}: still reserved for {} that {} ended{}", f.subject.name,
                            pods_text(f.pods), f.pods.size() == 1 ? "has" : "have",
                            idle ? "; its devices stay taken" : "; others use it too");
    as_sure_as_pods(evidence, f, r);
    if (just_now) {
      demote(f, Certainty::possible, "it ended just before the dump; the controller takes seconds");
    }
    add_consumers(f, r);
    add_held_devices(f, *r.claim);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kConsumerEnded{"CLM005",
                          "consumer-ended",
                          Severity::warning,
                          "A claim is still reserved for pods that have ended",
                          "delete the ended pods; see that the claim controller runs",
                          kPodsAndClaims,
                          check_consumer_ended};

}  // namespace draudit
