#include <fmt/format.h>

#include <algorithm>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// The kubelet refuses a pod that its claim is not reserved for.
void check_not_reserved(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  for (const ClaimRecord& r : evidence.claims.records()) {
    if (!r.claim->allocation || r.story == ClaimStory::stuck) continue;
    Finding f = about_claim(rule, *r.claim);
    std::vector<const Pod*> pods;
    for (const ClaimUser& user : r.users) {
      if (!on_a_node(*user.pod) || is_reserved_for(*r.claim, *user.pod)) continue;
      // consumer-replaced and foreign-claim tell why.
      const bool told = std::any_of(r.replaced.begin(), r.replaced.end(),
                                    [&](const auto& e) { return e.second == user.pod; });
      if (told || (user.by_template && !made_for(*r.claim, *user.pod))) continue;
      pods.push_back(user.pod);
      f.pods.push_back(full_name(user.pod->meta));
    }
    if (pods.empty()) continue;
    f.message = fmt::format("{}: not reserved for {} on a node that {} it", f.subject.name,
                            pods_text(f.pods), pods.size() == 1 ? "uses" : "use");
    as_sure_as_pods(evidence, f, r);
    bool settled = false;
    for (const Pod* p : pods) settled = settled || !(p->meta.deleted || fresh(evidence, p->meta));
    if (!settled) {
      demote(f, Certainty::possible, "the pods are new or terminating, and lists differ in time");
    }
    add_consumers(f, r);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kNotReserved{"CLM007",
                        "not-reserved",
                        Severity::error,
                        "A pod on a node uses a claim that is not reserved for it",
                        "delete the pod so that a scheduler that knows claims places it",
                        kPodsAndClaims,
                        check_not_reserved};

}  // namespace draudit
