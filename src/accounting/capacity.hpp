#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "accounting/index.hpp"

namespace draudit {

/// GPUs that a KAI version computes for a node from allocatable and slices (kai-accounting.md §3).
struct KaiCapacity {
  Gpus gpus = 0;
  std::vector<CapacityPart> parts;
  std::map<std::string_view, std::int64_t> mig;
};
[[nodiscard]] KaiCapacity kai_capacity(const Index& index, const Node& node,
                                       const Profile& profile);

/// The best that the input allows, with where it comes from. `at_least` is the caller's.
[[nodiscard]] Capacity capacity_of(const Index& index, const Node& node, const Profile& profile,
                                   bool shows_gpus, bool labels_in_use);

/// The label nvidia.com/gpu.count as a number.
[[nodiscard]] std::optional<std::int64_t> gpu_count_label(const Node& node);

/// Memory of each GPU of the node in MiB as KAI reads the label, 100 without one (§3.8).
[[nodiscard]] std::int64_t gpu_memory_mib(const Node& node);

}  // namespace draudit
