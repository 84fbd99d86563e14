#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "accounting/index.hpp"
#include "draudit/causes.hpp"

namespace draudit {

/// The devices of one node, each with a small number.
class DeviceTable {
 public:
  std::uint32_t number(const DeviceKey& key) {
    return numbers_.try_emplace(key, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }
  /// Renumbers in the order of keys, so that no number depends on the order of pods; returns
  /// old → new.
  std::vector<std::uint32_t> sort();
  [[nodiscard]] const std::map<DeviceKey, std::uint32_t>& all() const { return numbers_; }

 private:
  std::map<DeviceKey, std::uint32_t> numbers_;
};

/// What a pod brings to its node, as KAI sees it with some causes of error taken away.
[[nodiscard]] Charge charge_of(const Index& index, const Pod& pod, const Node& node,
                               const Profile& profile, Fixes fixes, DeviceTable& devices);

/// Charges of the pods that count on a node, in canonical order: reservation pods first, as KAI
/// adds them, then by name, since KAI has no order of its own.
[[nodiscard]] std::vector<Charge> charges_of(const Index& index, const Node& node,
                                             std::span<const Pod* const> pods,
                                             const Profile& profile, Fixes fixes,
                                             DeviceTable& devices);

/// Causes that can play a part in what this pod is counted as, and the claims they come through
/// (where `claims` is given). More than do play one, never fewer.
[[nodiscard]] Fixes causes_of_pod(const Index& index, const Pod& pod, const Profile& profile,
                                  std::vector<ClaimCause>* claims);

}  // namespace draudit
