#pragma once

#include <cstdint>
#include <memory>
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

enum class SelectorOperator : std::uint8_t { in, not_in, exists, does_not_exist, gt, lt, unknown };

struct SelectorRequirement {
  std::string_view key;
  SelectorOperator op = SelectorOperator::unknown;
  std::vector<std::string_view> values;
};

/// All of its requirements must hold; an empty term matches nothing.
struct SelectorTerm {
  std::vector<SelectorRequirement> labels;  ///< matchExpressions
  std::vector<SelectorRequirement> fields;  ///< matchFields: metadata.name alone has a meaning
};

/// One of its terms must match; without terms nothing does.
using NodeSelector = std::vector<SelectorTerm>;

enum class TaintEffect : std::uint8_t {
  none,
  prefer_no_schedule,
  no_schedule,
  no_execute,
  unknown,  ///< of a later version: to be treated as none
};

struct Taint {
  std::string_view key;
  std::string_view value;
  TaintEffect effect = TaintEffect::unknown;
  std::optional<Timestamp> added;
};

struct Toleration {
  std::string_view key;  ///< empty with `exists`: every key
  bool exists = false;   ///< operator Exists; else the values must be equal
  std::string_view value;
  std::optional<TaintEffect> effect;    ///< absent: every effect
  std::optional<std::int64_t> seconds;  ///< absent: for ever
};

/// An entry of a list of `conditions`.
struct Condition {
  std::string_view type;
  std::string_view status;  ///< "True", "False", "Unknown"
  std::string_view reason;
  std::string_view message;
  std::optional<Timestamp> changed;
};

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

/// An entry of a container's `resources.claims`.
struct ContainerClaim {
  std::string_view name;     ///< of an entry of the pod's `spec.resourceClaims`
  std::string_view request;  ///< empty: all of the claim's
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

/// What decides where a pod may go, beyond its requests. Kept of pods without a node alone.
struct Placement {
  std::vector<KeyValue> node_selector;   ///< sorted
  std::optional<NodeSelector> required;  ///< required node affinity
  std::vector<Toleration> tolerations;
  bool pod_affinity = false;           ///< required affinity or anti-affinity between pods
  bool volume_claims = false;          ///< it mounts PersistentVolumeClaims
  std::optional<Condition> scheduled;  ///< its condition PodScheduled
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
  std::vector<ContainerClaim> container_claims;  ///< of all containers, in their order
  std::string_view pod_group;               ///< spec.schedulingGroup.podGroupName (Kubernetes 1.36)
  std::vector<ResourceAmount> overhead;     ///< sorted by resource
  std::vector<ResourceAmount> pod_level;    ///< spec.resources.requests, sorted by resource
  std::vector<std::string_view> unhealthy;  ///< devices that the kubelet reports as Unhealthy
  std::optional<Timestamp> ended;           ///< when its last container terminated
  std::shared_ptr<const Placement> placement;  ///< null where it has a node or has ended
};

/// Succeeded or Failed: it runs no more, and holds nothing.
[[nodiscard]] bool has_ended(const Pod& pod);

enum class AllocationMode : std::uint8_t { exact_count, all, unknown };

/// An alternative of a `firstAvailable` request.
struct SubRequest {
  std::string_view name;
  std::string_view device_class;
  AllocationMode mode = AllocationMode::unknown;
  std::int64_t count = 0;
  bool selects = false;  ///< it has selectors, which are not evaluated
  std::vector<Toleration> tolerations;
};

struct DeviceRequest {
  std::string_view name;
  std::string_view device_class;
  AllocationMode mode = AllocationMode::unknown;
  std::int64_t count = 0;
  bool admin_access = false;
  bool first_available = false;  ///< a list of alternatives: no class, mode and count of its own
  bool selects = false;          ///< it has selectors, which are not evaluated
  std::vector<Toleration> tolerations;
  std::vector<SubRequest> alternatives;
};

struct DeviceResult {
  std::string_view request;
  std::string_view driver;
  std::string_view pool;
  std::string_view device;
  std::string_view share_id;
  bool admin_access = false;  ///< of the result, or of its request where results lack the field
  std::vector<Toleration> tolerations;   ///< of the request where results lack the field
  std::vector<ResourceAmount> consumed;  ///< consumedCapacity, sorted by name
  std::vector<std::string_view> binding_conditions;
  std::vector<std::string_view> binding_failures;  ///< bindingFailureConditions
};

struct Allocation {
  std::vector<DeviceResult> results;
  std::optional<NodeSelector> node_selector;  ///< absent: usable on every node
  std::optional<Timestamp> at;                ///< allocationTimestamp
};

/// An entry of a claim's `status.devices`: what its driver says of a device.
struct DeviceStatus {
  std::string_view driver;
  std::string_view pool;
  std::string_view device;
  std::string_view share_id;
  std::vector<Condition> conditions;
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
  std::vector<DeviceStatus> device_statuses;
  std::uint32_t constraints = 0;        ///< how many spec.devices.constraints
  bool delete_protection = false;       ///< a finalizer …/delete-protection
  std::string_view controller;          ///< of classic DRA (1.31 and older): it allocates, not the
                                        ///< scheduler, and results may be empty
  bool deallocation_requested = false;  ///< of classic DRA
};

/// Counters with a name for the whole: what a device consumes of a set, or what a set has.
struct CounterSet {
  std::string_view name;
  std::vector<ResourceAmount> counters;  ///< sorted by name
};

/// What most devices don't have.
struct DeviceDetails {
  std::vector<CounterSet> consumes;
  std::vector<Taint> taints;
  std::vector<ResourceAmount> capacity;  ///< sorted by name; of shareable devices alone
  std::string_view node;                 ///< with perDeviceNodeSelection
  std::optional<NodeSelector> node_selector;
  bool all_nodes = false;
  bool binds_to_node = false;
};

/// An entry of a slice's `spec.devices`.
struct PublishedDevice {
  std::string_view name;
  std::string_view uuid;                         ///< attribute uuid
  std::string_view parent_uuid;                  ///< attribute parentUUID: it is a part of that GPU
  std::string_view pci_bus_id;                   ///< attribute resource.kubernetes.io/pciBusID
  bool shareable = false;                        ///< allowMultipleAllocations
  std::uint16_t attributes = 0;                  ///< how many attributes and capacities
  std::shared_ptr<const DeviceDetails> details;  ///< null where it has none
};

struct ResourceSlice {
  Meta meta;
  std::string_view driver;
  std::string_view pool;
  std::int64_t generation = 0;
  std::int64_t slice_count = 0;
  std::string_view node;          ///< spec.nodeName
  bool all_nodes = false;         ///< spec.allNodes
  bool per_device_nodes = false;  ///< spec.perDeviceNodeSelection
  std::optional<NodeSelector> node_selector;
  std::vector<CounterSet> counter_sets;  ///< spec.sharedCounters
  std::vector<PublishedDevice> devices;
};

struct Node {
  Meta meta;
  std::vector<KeyValue> labels;             ///< sorted, all of them
  std::vector<ResourceAmount> allocatable;  ///< sorted by resource
  std::vector<ResourceAmount> capacity;     ///< sorted by resource
  std::vector<Taint> taints;
  bool unschedulable = false;  ///< cordoned
  bool not_ready = false;      ///< condition Ready is there and not True
};

struct DeviceClass {
  Meta meta;
  bool selects = false;  ///< it has selectors, which are not evaluated
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

/// Taints devices, if the API server has the gate on, which an object alone does not tell.
struct DeviceTaintRule {
  Meta meta;
  bool selects = false;     ///< spec.deviceSelector is there: absent selects nothing
  bool evaluable = true;    ///< it selects by driver, pool and device alone
  std::string_view driver;  ///< empty: every driver; likewise the next two
  std::string_view pool;
  std::string_view device;
  Taint taint;
};

struct Namespace {
  Meta meta;
  bool admin_access = false;  ///< its label allows claims with adminAccess
};

/// Of scheduling.k8s.io: pods that share claims (KEP-5729).
struct PodGroup {
  Meta meta;
  std::vector<PodClaim> claims;
  std::vector<PodClaimStatus> claim_statuses;
};

}  // namespace draudit
