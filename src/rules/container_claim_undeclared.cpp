#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

void check_container_claim_undeclared(const Evidence& evidence, const Rule& rule,
                                      std::vector<Finding>& out) {
  for (const Pod& p : evidence.audit.snapshot->pods) {
    if (p.container_claims.empty() || has_ended(p)) continue;
    std::set<std::string> wrong;
    bool forbidden = false;
    for (const ContainerClaim& c : p.container_claims) {
      const auto entry = std::find_if(p.claims.begin(), p.claims.end(),
                                      [&](const PodClaim& e) { return e.name == c.name; });
      if (entry == p.claims.end()) {
        wrong.insert(fmt::format("{} is not in spec.resourceClaims", c.name));
        forbidden = true;
        continue;
      }
      if (c.request.empty()) continue;
      const ResourceClaim* claim = evidence.claims.index().resolve(p, *entry).claim;
      if (claim == nullptr || !claim->controller.empty()) continue;
      if (std::none_of(claim->requests.begin(), claim->requests.end(),
                       [&](const DeviceRequest& r) { return r.name == c.request; })) {
        wrong.insert(
            fmt::format("{} has no request {} (claim {})", c.name, c.request, claim->meta.name));
      }
    }
    if (wrong.empty()) continue;
    Finding f = about(rule, ref("Pod", p.meta));
    f.node = p.node;
    f.message = fmt::format("{}: containers name claims or requests that are not there: {}",
                            f.subject.name, *wrong.begin());
    for (const std::string& w : wrong) f.facts.push_back({"claim", w});
    if (forbidden) {
      f.facts.push_back({"input", "the API server refuses such a pod: the dump may be edited"});
    }
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kContainerClaimUndeclared{"CLM013",
                                     "container-claim-undeclared",
                                     Severity::error,
                                     "A container names a claim that its pod does not declare, or "
                                     "a request that its claim lacks",
                                     "mend the pod's resources.claims",
                                     kPodsAndClaims,
                                     check_container_claim_undeclared};

}  // namespace draudit
