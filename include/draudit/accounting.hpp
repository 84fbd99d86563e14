#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "draudit/causes.hpp"
#include "draudit/gpus.hpp"
#include "draudit/profile.hpp"
#include "draudit/snapshot.hpp"

/// What KAI believes of each node, step by step, beside what is physically held.
namespace draudit {

/// Status of a pod as KAI sees it (kai-accounting.md §4).
enum class PodStatus : std::uint8_t {
  running,
  releasing,
  stuck_in_releasing,
  bound,
  binding,
  gated,
  pending,
  succeeded,
  failed,
  unknown
};
[[nodiscard]] std::string_view to_string(PodStatus status);
/// KAI charges a pod of this status to its node.
[[nodiscard]] bool is_charged(PodStatus status);

/// How a pod takes GPUs (kai-accounting.md §5.4).
enum class PodType : std::uint8_t { regular, mig, fraction, gpu_memory };

/// The physical thing: unique in a cluster.
struct DeviceKey {
  std::string_view driver;
  std::string_view pool;
  std::string_view device;
  friend bool operator==(const DeviceKey&, const DeviceKey&) = default;
  friend auto operator<=>(const DeviceKey&, const DeviceKey&) = default;
};
[[nodiscard]] std::string to_string(const DeviceKey& key);

/// How sure a statement is; kept apart from how bad it is.
enum class Certainty : std::uint8_t { possible, likely, certain };
[[nodiscard]] std::string_view to_string(Certainty certainty);

enum class CapacitySource : std::uint8_t {
  slices_and_allocatable,  ///< ResourceSlices and status.allocatable: what KAI adds up
  allocatable,             ///< status.allocatable alone: no slice was read
  label,                   ///< the nvidia.com/gpu.count labels: no slice was read
  flag,                    ///< --capacity
  unknown,
};
[[nodiscard]] std::string_view to_string(CapacitySource source);

struct CapacityPart {
  std::string what;  ///< "nvidia.com/gpu", "gpu.nvidia.com", "nvidia.com/gpu.count"
  Gpus gpus = 0;
};

/// GPUs the scheduler thinks that a node has.
struct Capacity {
  std::optional<Gpus> value;
  CapacitySource source = CapacitySource::unknown;
  Certainty certainty = Certainty::certain;
  std::vector<CapacityPart> parts;
  /// Distinct GPU devices that claims on this node hold, plus its device-plugin GPUs: there are
  /// at least this many, whatever `value` says.
  Gpus at_least = 0;
};

/// A pod that names a claim which yields no device, and why.
enum class ClaimTrouble : std::uint8_t {
  none,
  missing,          ///< no claim of that name in any namespace
  other_namespace,  ///< a claim of that name, but not in the pod's namespace
  not_created,      ///< made from a template, and no claim is known for the pod
  unallocated,
};

/// An entry of a pod's `spec.resourceClaims`, looked up as the API server means it.
struct ClaimUse {
  std::string_view entry;  ///< pod-local name
  std::string_view name;   ///< of the claim, or of the template
  const ResourceClaim* claim = nullptr;
  ClaimTrouble trouble = ClaimTrouble::none;
};

/// A cause of miscounting that a claim brings.
struct ClaimCause {
  Cause cause = Cause::other;
  const ResourceClaim* claim = nullptr;
};

/// What one pod brings to its node, before any other pod is looked at.
struct Charge {
  const Pod* pod = nullptr;
  PodStatus status = PodStatus::unknown;
  PodType type = PodType::regular;
  bool reservation = false;            ///< carries KAI's reservation label: its own GPUs are 0
  std::int64_t container_gpus = 0;     ///< device-plugin GPUs of its containers
  std::int64_t claim_gpus = 0;         ///< GPUs of its claims, by their spec
  Gpus gpus = 0;                       ///< the GPU entry of its vector
  std::vector<std::uint32_t> devices;  ///< K(p): indexes into NodeAudit::devices, may repeat
  std::vector<std::string_view> groups;
  std::int64_t group_memory = 0;  ///< MiB that it takes of each group
  std::map<std::string_view, std::int64_t> mig;
  const BindRequest* bind_request = nullptr;
};

/// A device that a step looked at.
struct DeviceTouch {
  std::uint32_t device = 0;  ///< index into NodeAudit::devices
  std::uint32_t before = 0;  ///< reference count
  std::uint32_t after = 0;
};

struct Totals {
  Gpus used = 0;  ///< of the vector; KAI prints it with `groups` added
  Gpus idle = 0;
  Gpus releasing = 0;
  std::int64_t groups = 0;  ///< fraction groups in use
  friend bool operator==(const Totals&, const Totals&) = default;
};

/// One pod added to a node or removed from it.
struct Step {
  std::uint32_t charge = 0;  ///< index into Account::charges
  bool removal = false;
  Gpus brought = 0;     ///< the pod's GPU entry
  Gpus deducted = 0;    ///< of these, already counted through another reference
  Gpus counted = 0;     ///< what was added to used (or taken off it)
  bool capped = false;  ///< guard 2: more devices were known than the pod brought GPUs
  bool zeroed = false;  ///< the node has no GPU capacity, so nothing was recorded
  std::vector<DeviceTouch> touched;
  Totals after;
};

struct MigFigures {
  std::int64_t capacity = 0;
  std::int64_t used = 0;
  std::int64_t idle = 0;
  std::int64_t releasing = 0;
};

/// Figures over every order in which KAI may add the pods.
struct Figures {
  Range used;  ///< of the vector
  Range idle;
  Range releasing;
  Range groups;
  std::map<std::string_view, MigFigures> mig;
  bool exact = true;  ///< false: bounds, the true range lies inside
  /// As KAI prints it and as rules compare it: whole GPUs and fraction groups.
  [[nodiscard]] Range printed_used() const { return used + groups; }
};

/// What one KAI version believes of a node.
struct Account {
  const Profile* profile = nullptr;
  std::string version;  ///< as detected or asked for: "v0.16.8" where the profile says "v0.16.0"
  Gpus capacity = 0;    ///< what this version would work with; 0 where it is not known
  std::vector<Charge> charges;  ///< charged pods: reservation pods first, then by name
  /// Adding every pod, in an order that leads to the most corrected used.
  std::vector<Step> steps;
  /// The same in an order that leads to the least; empty where corrected used is fixed.
  std::vector<Step> least_steps;
  Figures figures;
};

/// A GPU device on a node, with everyone who brings it there.
struct DeviceUse {
  DeviceKey key;
  bool published = false;                    ///< in a slice that KAI counts for this node
  std::vector<const ResourceClaim*> claims;  ///< whose allocations list it, sorted
  std::vector<const Pod*> holders;           ///< pods of this node that hold it, sorted
};

/// What is physically taken on a node.
struct Held {
  Gpus devices = 0;                            ///< distinct DRA devices
  Gpus plugin = 0;                             ///< device-plugin GPUs
  Gpus groups = 0;                             ///< GPUs shared by fractions
  std::map<std::string_view, Gpus> by_driver;  ///< of `devices`
  [[nodiscard]] Gpus total() const { return devices + plugin + groups; }
};

/// How much of a difference one cause makes.
struct CauseShare {
  Cause cause = Cause::other;
  /// GPUs by which it moves the figure of `info(cause).figure`: positive where KAI has too many.
  Gpus naive = 0;
  /// The same of the corrected version, for the orders that give the least and the most.
  Gpus corrected_least = 0;
  Gpus corrected_most = 0;
  std::vector<const Pod*> pods;              ///< whose charge it changes, sorted
  std::vector<const ResourceClaim*> claims;  ///< through which it comes, sorted
  std::vector<DeviceKey> devices;            ///< of capacity causes, sorted
};

struct NodeAudit {
  const Node* node = nullptr;
  Capacity capacity;
  std::vector<DeviceUse> devices;
  Account naive;
  Account corrected;
  Held held;
  /// Shares of used add up to naive (or corrected) printed used less held; those of capacity to
  /// KAI's capacity less `physical`.
  std::vector<CauseShare> causes;
  /// GPUs that are there by all that the input shows, where slices were read.
  std::optional<Gpus> physical;
};

/// A charged pod and what is the matter with one of its claims.
struct PodClaimTrouble {
  const Pod* pod = nullptr;
  const Node* node = nullptr;
  PodStatus status = PodStatus::unknown;
  ClaimUse use;
};

/// Which KAI version the input shows to be running, and how that is known.
struct KaiVersion {
  std::string version;  ///< "v0.17.0"; empty where nothing tells
  std::string how;      ///< "image … of pod …"
  bool fixed = false;   ///< it counts a shared device once
};

/// A pod that waits for a node, as far as its GPUs go.
struct PendingPod {
  const Pod* pod = nullptr;
  std::int64_t container_gpus = 0;
  std::int64_t claim_gpus = 0;
  std::vector<DeviceKey> devices;                 ///< of its allocated claims, may repeat
  std::vector<const ResourceClaim*> unallocated;  ///< its claims without an allocation
};

/// An allocated claim with GPU devices that no living pod consumes.
struct OrphanClaim {
  const ResourceClaim* claim = nullptr;
  const Node* node = nullptr;  ///< where its devices are, if that is known
  std::vector<DeviceKey> devices;
};

/// How long a state may look wrong without being so, in seconds: what the API server's controllers,
/// the scheduler and the drivers need, and how far the lists of one dump may lie apart.
struct Grace {
  std::int64_t reservation = 60;  ///< lists taken one after another; reservations, owners
  std::int64_t generation = 300;  ///< a driver that is republishing its slices
  std::int64_t deletion = 900;    ///< an object that is being deleted
  std::int64_t binding = 600;     ///< binding conditions: the scheduler's own default
};

struct AuditOptions {
  const Profile* naive = nullptr;      ///< default: what runs, stock_profile() if that is unknown
  std::string naive_version;           ///< how to call it; default: as detected, or the profile's
  const Profile* corrected = nullptr;  ///< default: fixed_profile()
  std::string corrected_version;
  std::optional<Timestamp> now;  ///< default: the newest timestamp in the input
  std::map<std::string, std::int64_t, std::less<>> capacity;  ///< --capacity, by node
  std::vector<std::string> gpu_drivers;  ///< more drivers whose devices are GPUs, for `held`
  std::string reservation_label = "kai-resource-reservation";
  std::string node_pool_key;    ///< empty: as a KAI snapshot says, else every node is of the shard
  std::string node_pool_value;  ///< empty with a key: nodes that lack the label
  std::optional<std::int64_t> stuck_after_nanoseconds;  ///< default: as a snapshot says, else 2 min
  Grace grace;
};

/// The accounting of a whole snapshot. Points into it: it must outlive this.
struct Audit {
  const Snapshot* snapshot = nullptr;
  KaiVersion running;
  bool naive_chosen = false;     ///< the naive version was asked for, not detected
  AuditOptions options;          ///< with every default filled in
  std::vector<NodeAudit> nodes;  ///< of the shard, by name
  std::vector<PodClaimTrouble> claim_troubles;
  std::vector<PendingPod> pending;
  std::vector<OrphanClaim> orphans;
  std::vector<const Pod*> nodeless;  ///< alive, and on a node that the input does not have
  std::uint64_t nodes_outside = 0;   ///< nodes of other node pools

  [[nodiscard]] const NodeAudit* node(std::string_view name) const;
  /// The cluster runs a version with the fix, and no other was asked for.
  [[nodiscard]] bool runs_fix() const { return running.fixed && !naive_chosen; }
};

[[nodiscard]] Audit audit(const Snapshot& snapshot, AuditOptions options);

/// Does the version with the fix free a node on which KAI refuses every pod?
enum class UpgradeHelps : std::uint8_t {
  not_needed,  ///< idle is not negative
  yes,
  at_times,  ///< it depends on the order of pods
  no,
  unknown,  ///< for want of a capacity
};
[[nodiscard]] UpgradeHelps upgrade_helps(const NodeAudit& node);
[[nodiscard]] std::string_view to_string(UpgradeHelps helps);

/// Adds the pods of `order` ("ns/name") first and the others behind them, as they stand in
/// `account.charges`.
[[nodiscard]] std::vector<Step> replay_in_order(const NodeAudit& node, const Account& account,
                                                const std::vector<std::string>& order);

/// Goes on from the end of `account.steps`: takes every pod off again, last one first.
[[nodiscard]] std::vector<Step> release(const NodeAudit& node, const Account& account);

/// The same, but the first one first.
[[nodiscard]] std::vector<Step> release_first_in_first_out(const NodeAudit& node,
                                                           const Account& account);

/// Case-insensitive: KAI's test on driver and class names.
[[nodiscard]] bool contains_gpu(std::string_view name);

}  // namespace draudit
