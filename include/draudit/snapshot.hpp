#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "draudit/objects.hpp"

namespace draudit {

/// Keeps one copy of each string for as long as a Snapshot lives.
class StringPool {
 public:
  StringPool();
  StringPool(const StringPool&) = delete;
  StringPool& operator=(const StringPool&) = delete;
  ~StringPool();
  /// A view that stays valid as long as the pool does.
  std::string_view intern(std::string_view text);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The kinds that draudit reads.
enum class Kind : std::uint8_t {
  pod,
  claim,
  node,
  slice,
  device_class,
  bind_request,
  taint_rule,
  name_space,
  pod_group,
};
inline constexpr std::size_t kKinds = 9;

struct KindInfo {
  Kind kind;
  std::string_view name;    ///< "ResourceSlice"
  std::string_view plural;  ///< as kubectl takes it: "resourceslices"
  bool namespaced;
};
/// One row a kind, in the order of the enum.
[[nodiscard]] const KindInfo& info(Kind kind);

/// What the input says about a kind as a whole.
struct KindCoverage {
  std::size_t objects = 0;
  /// Absent is not empty: with no object of a kind, only a typed list, a KAI snapshot or
  /// `--complete` says that the cluster has none.
  bool known_complete = false;
  [[nodiscard]] bool known() const { return objects > 0 || known_complete; }
};

struct InputFile {
  std::string name;    ///< as given; "-" is stdin
  std::string sha256;  ///< lower-case hex; empty unless asked for
  std::uint64_t bytes = 0;
  std::uint64_t objects = 0;  ///< of the kinds that draudit reads
};

/// Something in the input that could not be read. Its object is not part of the audit.
struct Problem {
  std::uint32_t file = 0;
  std::uint64_t line = 0;  ///< 0: about the file as a whole
  std::uint64_t column = 0;
  std::string object;   ///< "Pod voice/tts", or empty
  std::string field;    ///< "spec.devices.requests[0].exactly.count", or empty
  std::string message;  ///< what is wrong
  std::string advice;   ///< what to do, or empty
};

/// Something about the input that a reader of the report should know, though all of it was read.
struct Remark {
  std::string message;
};

/// Text between the objects of a file, which is none of Kubernetes' own: logs, warnings.
struct SkippedText {
  std::uint32_t file = 0;
  std::uint64_t line = 0;  ///< of the first
  std::uint64_t lines = 0;
  std::uint64_t bytes = 0;
  std::string said;  ///< the first line that reads like an error of kubectl, or empty
};

/// Files of a folder or an archive that were not read, for one reason.
struct SkippedFiles {
  std::uint64_t files = 0;
  std::string first;  ///< name of one of them
};

enum class EventType : std::uint8_t { added, modified, deleted, bookmark, error };
/// As a watch writes it: "ADDED".
[[nodiscard]] std::string_view to_string(EventType type);

/// One event of a recorded watch, in the order of the stream.
struct WatchEvent {
  EventType type = EventType::added;
  std::string_view kind;
  std::string_view ns;
  std::string_view name;
  std::string_view uid;
  std::uint64_t resource_version = 0;
  Location at;
};

/// What a KAI snapshot says of the scheduler that wrote it (kai-accounting.md §13).
struct SchedulerParams {
  std::string node_pool_key;
  std::string node_pool_value;
  std::optional<std::int64_t> stuck_after_nanoseconds;  ///< v0.15 and later write it
  bool discovery = false;                               ///< v0.13 and later
  bool persistent_volumes = false;                      ///< v0.14.1 and later
  bool numa_topologies = false;                         ///< v0.16 and later
};

/// The state of a cluster, as far as the input shows it.
///
/// A value: copying it is cheap enough for a what-if and shares the strings. Objects are sorted
/// by namespace, name and uid, so that nothing downstream depends on the order of the input.
struct Snapshot {
  std::shared_ptr<StringPool> strings = std::make_shared<StringPool>();

  std::vector<Pod> pods;
  std::vector<ResourceClaim> claims;
  std::vector<Node> nodes;
  std::vector<ResourceSlice> slices;
  std::vector<DeviceClass> device_classes;
  std::vector<BindRequest> bind_requests;
  std::vector<DeviceTaintRule> taint_rules;
  std::vector<Namespace> namespaces;
  std::vector<PodGroup> pod_groups;

  std::vector<InputFile> files;
  std::map<Kind, KindCoverage> coverage;
  std::map<std::string, std::uint64_t> ignored;  ///< kind → objects that no stage reads
  std::uint64_t duplicates = 0;                  ///< objects seen again and dropped
  bool mixed_clusters = false;                   ///< a Node or Namespace came with two uids
  std::optional<SchedulerParams> scheduler;      ///< where the input is a KAI snapshot
  std::vector<Problem> problems;
  std::vector<Remark> remarks;
  std::optional<Timestamp> newest;      ///< newest timestamp of any object read
  std::optional<Timestamp> oldest;      ///< when the oldest object that was read was created
  std::map<Kind, Timestamp> newest_of;  ///< newest timestamp of the objects of a kind

  std::map<std::string, SkippedFiles> skipped_files;  ///< by reason
  std::vector<WatchEvent> events;      ///< of every recorded watch, by file and place
  std::vector<SkippedText> skipped;    ///< one a file at most
  std::uint64_t unfinished_lists = 0;  ///< that say that they go on elsewhere
  /// Namespaces that any object stands in, of whatever kind.
  std::set<std::string, std::less<>> namespaces_seen;
  /// Objects of more than one cluster, as it seems: why, or empty.
  std::string mixed;

  [[nodiscard]] const KindCoverage& of(Kind kind) const;
  /// The claim of that name in that namespace and in no other, or null.
  [[nodiscard]] const ResourceClaim* claim(std::string_view ns, std::string_view name) const;
  [[nodiscard]] const Node* node(std::string_view name) const;
};

/// "ns/name", or "name" where there is no namespace.
[[nodiscard]] std::string full_name(const Meta& meta);

}  // namespace draudit
