#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "draudit/rules.hpp"
#include "rules/claim_book.hpp"
#include "rules/pools.hpp"
#include "rules/rows.hpp"

namespace draudit {

/// What rules look at: the audit, and look-ups that several rules share, each built once a run so
/// that no rule walks the cluster for every object.
struct Evidence {
  explicit Evidence(const Audit& of);

  const Audit& audit;
  Pools pools;
  DeviceRows rows;
  ClaimBook claims;
  /// Claims that are allocated on one node alone which the input does not have, by its name.
  std::map<std::string_view, std::vector<const ResourceClaim*>> pinned_away;
};

/// For a rule that looks at the audit alone.
template <void (*Check)(const Audit& audit, const Rule& rule, std::vector<Finding>& out)>
void of_audit(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  Check(evidence.audit, rule, out);
}

}  // namespace draudit
