#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "accounting/index.hpp"

namespace draudit {

/// What a pod asks for by its containers and annotations (kai-accounting.md §5.1, §5.2).
struct Demand {
  PodType type = PodType::regular;
  std::int64_t container_gpus = 0;
  std::optional<std::int64_t> slot;  ///< thousandths of a resource that ends in "gpu" (§3.2)
  std::map<std::string_view, std::int64_t> mig;
  double portion = 0;            ///< of a fraction pod
  std::int64_t gpu_memory = 0;   ///< MiB, of a gpu-memory pod
  std::int64_t shared_gpus = 1;  ///< of how many GPUs a fraction or gpu-memory pod wants a part
  bool legacy_mig = false;       ///< its MIG profile stands in an annotation
};

[[nodiscard]] Demand demand_of(const Pod& pod, const Profile& profile);

/// GPUs of one request of a claim, and of all of them, by the spec (§5.3).
[[nodiscard]] std::int64_t gpus_of_request(const DeviceRequest& request);
[[nodiscard]] std::int64_t gpus_of_claim(const ResourceClaim& claim, const Profile& profile);

/// Saturates at the limits of int64, as KAI's sums do.
[[nodiscard]] std::int64_t add_saturating(std::int64_t a, std::int64_t b);

inline constexpr std::string_view kNvidiaGpu = "nvidia.com/gpu";
inline constexpr std::string_view kAmdGpu = "amd.com/gpu";
inline constexpr std::string_view kMigPrefix = "nvidia.com/mig-";

/// An extended resource that shares the GPU slot of KAI's vectors by its last letters (§3.2).
[[nodiscard]] bool overwrites_gpu_slot(std::string_view resource);

}  // namespace draudit
