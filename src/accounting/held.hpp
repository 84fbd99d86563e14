#pragma once

#include <vector>

#include "accounting/index.hpp"

namespace draudit {

/// Claims that a pod consumes: those it names and those reserved for it or made for its extended
/// resources, with an allocation, each once.
[[nodiscard]] std::vector<const ResourceClaim*> consumed_claims(const Index& index, const Pod& pod);

/// The GPUs that the pod's containers ask for are devices of a claim made for them (KEP-5004).
[[nodiscard]] bool served_by_claims(const Index& index, const Pod& pod);

/// What one pod takes of the hardware.
struct PodHolding {
  const Pod* pod = nullptr;
  std::vector<DeviceKey> devices;          ///< GPU devices without admin access; sorted, distinct
  Gpus plugin = 0;                         ///< device-plugin GPUs
  std::vector<std::string_view> groups;    ///< fraction groups, of a fraction pod
  std::vector<std::string_view> reserved;  ///< fraction groups that a reservation pod stands for
  std::vector<const ResourceClaim*> claims;
};

/// Empty for a pod that has ended.
[[nodiscard]] PodHolding holding_of(const Index& index, const Pod& pod);

/// Fraction groups of a pod, as KAI finds them (kai-accounting.md §8).
[[nodiscard]] std::vector<std::string_view> gpu_groups(const Pod& pod, const BindRequest* request);

/// KAI takes this pod for one of its own reservation pods: by its label alone (F21).
[[nodiscard]] bool has_reservation_label(const Pod& pod, const AuditOptions& options);
/// It really is one: made by the binder to keep a GPU for fractions.
[[nodiscard]] bool is_reservation_pod(const Pod& pod, const AuditOptions& options);

}  // namespace draudit
