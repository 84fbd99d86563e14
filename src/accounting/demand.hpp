#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "accounting/index.hpp"

namespace draudit {

/// What a pod asks for, from specs alone (kai-accounting.md §5).
struct Demand {
  PodType type = PodType::regular;
  Gpus container_gpus = 0;
  Gpus claim_gpus = 0;
  Gpus gpus = 0;  ///< the vector's GPU entry of an ordinary pod; 0 for fractions and MIG
  std::map<std::string_view, std::int64_t> mig;
  double portion = 0;           ///< of a fraction pod
  std::int64_t gpu_memory = 0;  ///< MiB, of a gpu-memory pod
};

[[nodiscard]] Demand demand_of(const Pod& pod, const std::vector<const ResourceClaim*>& claims,
                               const Profile& profile);

/// GPUs of one claim by its spec (§5.3).
[[nodiscard]] std::int64_t gpus_of_claim(const ResourceClaim& claim, const Profile& profile);

/// Saturates at the limits of int64, as KAI's sums do.
[[nodiscard]] std::int64_t add_saturating(std::int64_t a, std::int64_t b);

inline constexpr std::string_view kNvidiaGpu = "nvidia.com/gpu";
inline constexpr std::string_view kAmdGpu = "amd.com/gpu";
inline constexpr std::string_view kMigPrefix = "nvidia.com/mig-";

/// An extended resource that shares the GPU slot of KAI's vectors by its last letters (§3.2).
[[nodiscard]] bool overwrites_gpu_slot(std::string_view resource);

}  // namespace draudit
