#include <fmt/format.h>

#include <algorithm>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// The pod's status may show a part of its claims only (kubernetes#138407); owners tell the rest.
void check_claim_status_lags(const Evidence& evidence, const Rule& rule,
                             std::vector<Finding>& out) {
  for (const Pod& p : evidence.audit.snapshot->pods) {
    if (!on_a_node(p)) continue;
    std::vector<Fact> lacking;
    for (const PodClaim& entry : p.claims) {
      if (!entry.claim.empty()) continue;
      const bool there = std::any_of(p.claim_statuses.begin(), p.claim_statuses.end(),
                                     [&](const PodClaimStatus& s) { return s.name == entry.name; });
      if (there) continue;
      const ClaimUse use = evidence.claims.index().resolve(p, entry);
      if (use.claim == nullptr) continue;  // unresolved-claim's
      lacking.push_back({"entry", fmt::format("{}: {}", entry.name, use.claim->meta.name)});
    }
    if (lacking.empty()) continue;
    Finding f = about(rule, ref("Pod", p.meta));
    f.facts = std::move(lacking);
    f.node = p.node;
    f.message = fmt::format("{}: its status lacks {} of {} claim{}; found by owner", f.subject.name,
                            f.facts.size(), p.claims.size(), p.claims.size() == 1 ? "" : "s");
    as_sure_as_age(evidence, f, "Pod", p.meta);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kClaimStatusLags{"CLM010",
                            "claim-status-lags",
                            Severity::note,
                            "A pod's status does not name a claim that was made for it",
                            "nothing, if the pod runs; Kubernetes 1.34 to 1.36 do this at times",
                            kPodsAndClaims,
                            check_claim_status_lags};

}  // namespace draudit
