#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

void check_consumer_gone(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  for (const ClaimRecord& r : evidence.claims.records()) {
    if (r.story != ClaimStory::gone) continue;
    Finding f = about_claim(rule, *r.claim);
    for (const Consumer* c : r.gone) {
      f.pods.push_back(fmt::format("{}/{}", r.claim->meta.ns, c->name));
    }
    const bool idle = r.live.empty() && r.others.empty();
    f.message = fmt::format("{}: reserved for {}, not in the input{}", f.subject.name,
                            pods_text(f.pods), idle ? ", and for nobody else that lives" : "");
    as_sure_as_pods(evidence, f, r);
    // A reservation has no time. Only a claim that was made for the pod is as old as the pod.
    const OwnerReference* maker = maker_of(*r.claim);
    const bool made_for = maker != nullptr && maker->kind == "Pod" && r.gone.size() == 1 &&
                          maker->name == r.gone.front()->name;
    if (!made_for) {
      demote(f, Certainty::likely,
             "a pod made between the lists of pods and claims looks like this");
    }
    if (!evidence.claims.ended_pods_seen()) {
      f.severity = Severity::warning;
      demote(f, Certainty::likely, "no pod in the input has ended: such pods may be left out");
    }
    add_consumers(f, r);
    add_held_devices(f, *r.claim);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kConsumerGone{"CLM003",
                         "consumer-gone",
                         Severity::error,
                         "A claim is reserved for pods that are not there any more",
                         "see that the claim controller runs; take the entries off reservedFor if "
                         "the pods are really gone",
                         kPodsAndClaims,
                         check_consumer_gone};

}  // namespace draudit
