#pragma once

#include <string>

#include "draudit/result.hpp"

/// Phrases that the formats for people share.
namespace draudit {

/// "1", "~8" where it is only likely, "?" where it is not known.
[[nodiscard]] std::string capacity_text(const Capacity& capacity);
/// "slices+allocatable: gpu.nvidia.com 8, nvidia.com/gpu 1"
[[nodiscard]] std::string capacity_derivation(const Capacity& capacity);
/// The answer to "is the node really full?", one sentence.
[[nodiscard]] std::string verdict(const Result& result);
/// "6 pods, 1 claim, 2 nodes, …": what was read.
[[nodiscard]] std::string objects_read(const Snapshot& snapshot);
/// "file.json:12:9", sanitised.
[[nodiscard]] std::string location_text(const Snapshot& snapshot, const Location& at);

}  // namespace draudit
