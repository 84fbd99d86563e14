#pragma once

#include <algorithm>

#include "draudit/objects.hpp"

/// Conditions that a device must meet before its pod is bound (KEP-5007).
namespace draudit {

/// What the driver says of a condition of that result's device, or null.
[[nodiscard]] inline const Condition* condition_of(const ResourceClaim& claim,
                                                   const DeviceResult& result,
                                                   std::string_view type) {
  for (const DeviceStatus& s : claim.device_statuses) {
    if (s.driver != result.driver || s.pool != result.pool || s.device != result.device ||
        s.share_id != result.share_id) {
      continue;
    }
    const auto it = std::find_if(s.conditions.begin(), s.conditions.end(),
                                 [type](const Condition& c) { return c.type == type; });
    if (it != s.conditions.end()) return &*it;
  }
  return nullptr;
}

/// The first failure condition of the result that is true, or null.
[[nodiscard]] inline const Condition* binding_failure(const ResourceClaim& claim,
                                                      const DeviceResult& result) {
  for (const std::string_view type : result.binding_failures) {
    const Condition* c = condition_of(claim, result, type);
    if (c != nullptr && c->status == "True") return c;
  }
  return nullptr;
}

}  // namespace draudit
