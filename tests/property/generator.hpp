// Random cluster states for the property tests, and the changes to a state that must not change
// what is said of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace draudit::gen {

/// The time at which the random states were taken: pass it on as now.
inline constexpr std::string_view kNow = "2026-12-01T00:00:00Z";

struct Options {
  std::size_t pods_per_node = 6;  ///< at most
  std::size_t nodes = 3;          ///< at most, and at least one

  /// Only what the fix counts exactly: shared and generated claims, the device plugin, reservation
  /// pods, every status. Then what the corrected accounting calls used is the number of distinct
  /// devices of the charged pods, plus their device-plugin GPUs.
  bool plain = false;

  /// No BindRequest that selects another node than the one its pod is on. Only then do the parts of
  /// split_by_node() have the figures of the whole.
  bool node_local = false;
};

/// A kubectl List, the whole cluster of it, the same on every platform for a seed.
///
/// What KAI leaves to the iteration order of a Go map does not occur: two resource names that end
/// in "gpu" on one pod or node, two MIG annotations, "nvidia.com/gpu: 2" next to "amd.com/gpu: 0",
/// two BindRequests for one pod. Nor do NaN fractions, and a node with a "…gpu" resource has no
/// fractions and no gpu.count label (in v0.14 it keeps two accounts that differ).
nlohmann::json random_state(std::uint64_t seed, const Options& options = {});

/// The same, and beside it what the rules about devices look for and KAI does not: shares,
/// shareable devices with capacities, counters, taints, several generations, pools that are not
/// whole, the same device in two claims.
nlohmann::json random_dra_state(std::uint64_t seed, const Options& options = {});

/// The same cluster under other names: of pods, claims, nodes, namespaces, pools, devices and
/// slices, and with other uids. Names that mean something to KAI stay: device classes, drivers,
/// resources, labels, fraction groups, its own namespaces and the prefix of reservation pods.
nlohmann::json rename_everything(const nlohmann::json& list, std::uint64_t seed);

/// For each node of the list, in its order, a List with that node, its pods (bound to it, or with a
/// BindRequest that selects it), all claims and device classes, the slices of that node or of no
/// node in particular, and the BindRequests that select it.
std::vector<nlohmann::json> split_by_node(const nlohmann::json& list);

}  // namespace draudit::gen
