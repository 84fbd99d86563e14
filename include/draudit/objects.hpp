#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "draudit/quantity.hpp"
#include "draudit/timestamp.hpp"

/// The Kubernetes objects, cut down to the fields that a later stage reads.
///
/// Strings are views into the Snapshot's pool and live as long as it does. Absent and null are the
/// same thing: empty, zero or nullopt. All versions of resource.k8s.io since v1alpha3 end in these
/// shapes (dra-objects.md §1).
namespace draudit {

/// Where an object stands in the input.
struct Location {
  std::uint32_t file = 0;    ///< index into Snapshot::files
  std::uint64_t offset = 0;  ///< byte of the object's first character
  std::uint64_t length = 0;
  std::uint64_t line = 0;    ///< from 1
  std::uint64_t column = 0;  ///< from 1, in bytes
};

struct OwnerReference {
  std::string_view kind;
  std::string_view name;
  std::string_view uid;
  bool controller = false;
};

struct Meta {
  std::string_view ns;  ///< empty for cluster-scoped objects
  std::string_view name;
  std::string_view uid;
  std::optional<Timestamp> created;
  std::optional<Timestamp> deleted;  ///< includes the grace period, as the API server sets it
  std::uint64_t resource_version = 0;
  std::uint64_t content = 0;  ///< a number for the object's text, where it has no resourceVersion
  Location at;
};

struct KeyValue {
  std::string_view key;
  std::string_view value;
};

/// Value of a key in a sorted list of labels or annotations.
[[nodiscard]] std::optional<std::string_view> find(const std::vector<KeyValue>& in,
                                                   std::string_view key);

/// A name with a quantity: one entry of requests, allocatable or capacity.
struct ResourceAmount {
  std::string_view resource;
  Quantity amount;
};

[[nodiscard]] std::optional<Quantity> find(const std::vector<ResourceAmount>& in,
                                           std::string_view resource);

enum class Phase : std::uint8_t { pending, running, succeeded, failed, unknown };

enum class ContainerKind : std::uint8_t {
  regular,
  init,
  sidecar,  ///< init container with restartPolicy Always
};

struct Container {
  ContainerKind kind = ContainerKind::regular;
  std::vector<ResourceAmount> requests;  ///< sorted by resource
};

/// An entry of `spec.resourceClaims`: a claim by name, or a template.
struct PodClaim {
  std::string_view name;
  std::string_view claim;          ///< resourceClaimName
  std::string_view from_template;  ///< resourceClaimTemplateName
};

/// An entry of `status.resourceClaimStatuses`; an empty claim means that none is needed.
struct PodClaimStatus {
  std::string_view name;
  std::string_view claim;
};

struct Pod {
  Meta meta;
  std::string_view node;  ///< spec.nodeName
  std::string_view scheduler;
  Phase phase = Phase::unknown;
  bool gated = false;
  std::vector<Container> containers;  ///< init containers first, each group in its own order
  std::vector<PodClaim> claims;
  std::vector<PodClaimStatus> claim_statuses;
  std::string_view extended_claim;  ///< status.extendedResourceClaimStatus.resourceClaimName
  std::vector<std::string_view> extended_resources;  ///< its requestMappings[].resourceName
  std::vector<KeyValue> labels;                      ///< sorted; those that KAI reads
  std::vector<KeyValue> annotations;                 ///< sorted; those that KAI reads
  std::vector<std::string_view> images;  ///< of regular containers, those that may be a scheduler's
};

enum class AllocationMode : std::uint8_t { exact_count, all, unknown };

struct DeviceRequest {
  std::string_view name;
  std::string_view device_class;
  AllocationMode mode = AllocationMode::unknown;
  std::int64_t count = 0;
  bool admin_access = false;
  bool first_available = false;  ///< a list of alternatives: no class, mode and count of its own
};

struct DeviceResult {
  std::string_view request;
  std::string_view driver;
  std::string_view pool;
  std::string_view device;
  std::string_view share_id;
  bool admin_access = false;  ///< of the result, or of its request where results lack the field
};

struct Allocation {
  std::vector<DeviceResult> results;
};

/// An entry of `status.reservedFor`.
struct Consumer {
  std::string_view api_group;
  std::string_view resource;
  std::string_view name;
  std::string_view uid;
};

struct ResourceClaim {
  Meta meta;
  std::vector<OwnerReference> owners;
  std::string_view pod_claim_name;  ///< annotation resource.kubernetes.io/pod-claim-name
  bool extended_resource = false;   ///< annotation …/extended-resource-claim is "true"
  std::vector<DeviceRequest> requests;
  std::optional<Allocation> allocation;
  std::vector<Consumer> reserved_for;
};

/// An entry of a slice's `spec.devices`.
struct PublishedDevice {
  std::string_view name;
  std::string_view uuid;         ///< attribute uuid
  std::string_view parent_uuid;  ///< attribute parentUUID: it is a part of that GPU
};

struct ResourceSlice {
  Meta meta;
  std::string_view driver;
  std::string_view pool;
  std::int64_t generation = 0;
  std::int64_t slice_count = 0;
  std::string_view node;   ///< spec.nodeName
  bool all_nodes = false;  ///< spec.allNodes
  std::vector<PublishedDevice> devices;
};

struct Node {
  Meta meta;
  std::vector<KeyValue> labels;             ///< sorted, all of them
  std::vector<ResourceAmount> allocatable;  ///< sorted by resource
  std::vector<ResourceAmount> capacity;     ///< sorted by resource
};

struct DeviceClass {
  Meta meta;
  std::string_view extended_resource_name;
};

/// An entry of a BindRequest's `spec.resourceClaimAllocations`.
struct BoundAllocation {
  std::string_view name;  ///< pod-local claim name
  std::optional<Allocation> allocation;
};

struct BindRequest {
  Meta meta;
  std::string_view pod;   ///< spec.podName, in the request's own namespace
  std::string_view node;  ///< spec.selectedNode
  std::vector<std::string_view> gpu_groups;
  std::vector<BoundAllocation> allocations;
  std::string_view phase;
  std::int64_t failed_attempts = 0;
  std::optional<std::int64_t> backoff_limit;
};

}  // namespace draudit
