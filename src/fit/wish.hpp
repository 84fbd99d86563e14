#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "accounting/demand.hpp"

namespace draudit {

/// Amounts of everything but GPUs: cpu and other names in thousandths, memory in bytes, pods.
using Amounts = std::map<std::string_view, Int128>;

/// Effective requests without GPUs and MIG profiles: sum of containers, or the peak of the init
/// containers, with overhead and one pod slot (dra-objects.md §3).
[[nodiscard]] Amounts amounts_of(const Pod& pod, const Profile& profile);
/// The same of what a node offers.
[[nodiscard]] Amounts amounts_of(const std::vector<ResourceAmount>& allocatable);

/// 0 where the name is not there.
[[nodiscard]] Int128 amount_of(const Amounts& in, std::string_view name);

/// What a pending pod asks of a node, as one KAI version sees it.
struct Wish {
  const Pod* pod = nullptr;
  Demand demand;
  std::int64_t claim_gpus = 0;
  double gpus = 0;  ///< that its containers or its fraction ask for
  double slot = 0;  ///< the GPU entry of its vector: the above and those of claims
  Amounts amounts;
  std::vector<DeviceKey> devices;  ///< K(p), may repeat
  bool gang = false;               ///< its PodGroup has more pods
  [[nodiscard]] bool shared() const {
    return demand.type == PodType::fraction || demand.type == PodType::gpu_memory;
  }
};

[[nodiscard]] Wish wish_of(const Index& index, const Pod& pod, const Profile& profile, bool gang);

}  // namespace draudit
