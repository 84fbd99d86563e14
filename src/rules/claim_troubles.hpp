#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "rules/common.hpp"

namespace draudit {

/// One finding a claim, however many pods name it.
template <class Wanted, class Say>
void by_claim(const Audit& audit, const Rule& rule, Wanted wanted, Say say,
              std::vector<Finding>& out) {
  std::map<std::tuple<std::string_view, std::string_view, ClaimTrouble>,
           std::vector<const PodClaimTrouble*>>
      claims;
  for (const PodClaimTrouble& t : audit.claim_troubles) {
    if (wanted(t.use.trouble)) claims[{t.pod->meta.ns, t.use.name, t.use.trouble}].push_back(&t);
  }
  for (const auto& [key, troubles] : claims) {
    const auto& [ns, name, trouble] = key;
    Finding f;
    f.rule = &rule;
    f.severity = rule.severity;
    f.mend = rule.mend;
    f.subject = {trouble == ClaimTrouble::not_created ? "ResourceClaimTemplate" : "ResourceClaim",
                 fmt::format("{}/{}", ns, name),
                 {},
                 troubles.front()->pod->meta.at};
    const ResourceClaim* claim = troubles.front()->use.claim;
    if (claim != nullptr) f.subject.at = claim->meta.at;
    f.node = troubles.front()->node->meta.name;
    for (const PodClaimTrouble* t : troubles) {
      const std::string pod = full_name(t->pod->meta);
      if (!f.pods.empty() && f.pods.back() == pod) continue;  // named twice by one pod
      f.pods.push_back(pod);
      if (t->node->meta.name != f.node) f.node.clear();
    }
    f.message = say(f, *troubles.front());
    out.push_back(std::move(f));
  }
}

}  // namespace draudit
