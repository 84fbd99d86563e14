#pragma once

#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "draudit/accounting.hpp"

namespace draudit {

/// Look-ups over a snapshot that the accounting needs, built once: sorted vectors, no hashing, so
/// that every walk over them has one order.
class Index {
 public:
  Index(const Snapshot& snapshot, const AuditOptions& options);

  [[nodiscard]] const Snapshot& snapshot() const { return *snapshot_; }
  [[nodiscard]] const AuditOptions& options() const { return *options_; }

  /// Nodes of the shard, by name.
  [[nodiscard]] const std::vector<const Node*>& nodes() const { return nodes_; }
  [[nodiscard]] const Node* node(std::string_view name) const;

  /// The BindRequest that KAI goes by for this pod: same namespace and pod name, its node in the
  /// shard, not failed for good (kai-accounting.md §4).
  [[nodiscard]] const BindRequest* bind_request(const Pod& pod) const;

  /// Node that KAI charges the pod to: spec.nodeName, else the BindRequest's.
  [[nodiscard]] const Node* node_of(const Pod& pod) const;

  [[nodiscard]] PodStatus status_of(const Pod& pod, const Profile& profile) const;

  /// Slices that KAI looks up for this node: node-named, not for all nodes, of "gpu" drivers (§3).
  [[nodiscard]] std::vector<const ResourceSlice*> gpu_slices(std::string_view node) const;

  /// Highest generation of the slice's pool, on whatever node.
  [[nodiscard]] std::int64_t newest_generation(const ResourceSlice& slice) const;
  /// Where a device is: on the node of a slice of its pool, or on the one its pool is named for.
  [[nodiscard]] const Node* node_of_device(const DeviceKey& key) const;
  /// In a slice that KAI looks up for no node: for all nodes, by selector, or by device.
  [[nodiscard]] bool published_elsewhere(const DeviceKey& key) const;

  /// Claims that KAI relates to a pod by owner or by first reservation (§6.1), without those that
  /// the pod itself names.
  [[nodiscard]] std::vector<const ResourceClaim*> related(const Pod& pod) const;
  /// R(p): the above and those that the pod names, each once.
  [[nodiscard]] std::vector<const ResourceClaim*> claims_of(const Pod& pod) const;

  /// Claims whose reservedFor lists the pod.
  [[nodiscard]] std::vector<const ResourceClaim*> reserved_for(const Pod& pod) const;
  /// Claims that a pod owns.
  [[nodiscard]] std::vector<const ResourceClaim*> owned_by(const Pod& pod) const;
  /// Claims that the pod's PodGroup owns (dra-objects.md §1.6).
  [[nodiscard]] std::vector<const ResourceClaim*> owned_by_group(const Pod& pod) const;
  /// Some claim of that name, in whatever namespace.
  [[nodiscard]] const ResourceClaim* claim_anywhere(std::string_view name) const;

  /// An entry of the pod's claims as the API means it: by name, by the pod's status, or by owner
  /// and annotation where the status lacks the entry (dra-objects.md §1.5).
  [[nodiscard]] ClaimUse resolve(const Pod& pod, const PodClaim& entry) const;

  /// A driver whose devices are GPUs for `held`.
  [[nodiscard]] bool is_gpu_driver(std::string_view driver) const;
  /// A driver that is known to be of something else: networks, processors, memory, other
  /// accelerators (dra-objects.md §6).
  [[nodiscard]] bool is_no_gpu_driver(std::string_view driver) const;

 private:
  template <class T>
  using ByName = std::vector<std::pair<std::string_view, const T*>>;

  const Snapshot* snapshot_;
  const AuditOptions* options_;
  std::vector<const Node*> nodes_;
  std::vector<const BindRequest*> bind_requests_;  ///< usable ones, by namespace and pod name
  ByName<ResourceSlice> slices_;                   ///< by node
  std::map<std::pair<std::string_view, std::string_view>, std::int64_t> generations_;
  std::map<std::pair<std::string_view, std::string_view>, std::string_view> pool_nodes_;
  std::set<DeviceKey> elsewhere_;
  ByName<ResourceClaim> related_;   ///< by pod uid
  ByName<ResourceClaim> reserved_;  ///< by pod uid
  ByName<ResourceClaim> owned_;     ///< by pod uid
  ByName<ResourceClaim> groups_;    ///< by name of the PodGroup that owns it
  ByName<ResourceClaim> names_;     ///< by claim name
};

}  // namespace draudit
