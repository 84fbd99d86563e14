#pragma once

#include <vector>

#include "draudit/rules.hpp"
#include "rules/pools.hpp"
#include "rules/rows.hpp"

namespace draudit {

/// What rules look at: the audit, and look-ups that several rules share, each built once a run so
/// that no rule walks the cluster for every object.
struct Evidence {
  explicit Evidence(const Audit& of) : audit(of), pools(*of.snapshot), rows(*of.snapshot) {}

  const Audit& audit;
  Pools pools;
  DeviceRows rows;
};

/// For a rule that looks at the audit alone.
template <void (*Check)(const Audit& audit, const Rule& rule, std::vector<Finding>& out)>
void of_audit(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  Check(evidence.audit, rule, out);
}

}  // namespace draudit
