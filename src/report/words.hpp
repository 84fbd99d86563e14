#pragma once

#include <string>

#include "draudit/report.hpp"

/// Phrases that the formats for people share.
namespace draudit {

/// "1", "~8" where it is only likely, "?" where it is not known.
[[nodiscard]] std::string capacity_text(const std::optional<Gpus>& value, Certainty certainty);
/// "slices+allocatable: gpu.nvidia.com 8, nvidia.com/gpu 1"
[[nodiscard]] std::string capacity_derivation(const Capacity& capacity);
/// The answer to "is the node really full?", one sentence.
[[nodiscard]] std::string verdict(const Report& report);
/// "6 pods, 1 claim, 2 nodes, …": what was read.
[[nodiscard]] std::string objects_read(const Report& report);
/// "file.json:12:9", sanitised; empty where the place is not known.
[[nodiscard]] std::string location_text(const std::optional<Report::Place>& place);
/// Which version "naive" is, and how that is known.
[[nodiscard]] std::string naive_text(const Report::Kai& kai);
/// "suppressed: the reason, until 2027-01-31, by owner", or "in the baseline"; sanitised.
[[nodiscard]] std::string waived_text(const Report::Waived& waived);

}  // namespace draudit
