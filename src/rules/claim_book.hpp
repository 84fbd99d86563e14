#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accounting/index.hpp"
#include "draudit/rules.hpp"

namespace draudit {

struct Evidence;

/// What is the matter with a claim's life, the gravest thing only: each story is told by one rule,
/// and what follows from it is part of that rule's finding.
enum class ClaimStory : std::uint8_t {
  none,
  leaving,   ///< deleted, and not for long
  stuck,     ///< deleted long ago
  replaced,  ///< reserved for a pod whose name another pod has now
  gone,      ///< reserved for a pod that is not there
  ended,     ///< reserved for a pod that has ended
  left,      ///< allocated, reserved for nobody, and the one that it was made for is gone
  unused,    ///< allocated, reserved for nobody, and named by no living pod
};

/// A pod that names a claim, through the entry.
struct ClaimUser {
  const Pod* pod = nullptr;
  ClaimUse use;
  bool by_template = false;
};

struct ClaimRecord {
  const ResourceClaim* claim = nullptr;
  ClaimStory story = ClaimStory::none;
  std::vector<ClaimUser> users;  ///< pods that have not ended, by name
  std::vector<const Pod*> live;  ///< that it is reserved for, and that have not ended
  std::vector<const Pod*> ended;
  std::vector<const Consumer*> gone;
  std::vector<std::pair<const Consumer*, const Pod*>> replaced;  ///< and the pod of that name
  std::vector<const Consumer*> others;                           ///< no pods: PodGroups and unknown
};

/// Claims, those who use them and those they are reserved for: one walk over the pods.
class ClaimBook {
 public:
  explicit ClaimBook(const Audit& audit);

  /// In the order of the snapshot's claims.
  [[nodiscard]] const std::vector<ClaimRecord>& records() const { return records_; }
  [[nodiscard]] const ClaimRecord* of(const ResourceClaim* claim) const;
  [[nodiscard]] const Pod* pod(std::string_view ns, std::string_view name) const;
  [[nodiscard]] const Pod* pod_of_uid(std::string_view uid) const;
  [[nodiscard]] const Index& index() const { return index_; }
  /// Every pod of this namespace may be missing from the input.
  [[nodiscard]] bool pods_unseen(std::string_view ns) const;
  /// Some pod in the input has ended: they were not filtered out.
  [[nodiscard]] bool ended_pods_seen() const { return ended_seen_; }

 private:
  [[nodiscard]] ClaimStory story_of(const ClaimRecord& record) const;

  const Audit* audit_;
  Index index_;
  std::vector<ClaimRecord> records_;
  std::vector<const Pod*> by_uid_;
  std::vector<std::string_view> namespaces_;
  bool ended_seen_ = false;
};

/// On a node and not over: the kubelet has it, or will.
[[nodiscard]] bool on_a_node(const Pod& pod);
/// The owner that made the claim, a Pod or a PodGroup, or null.
[[nodiscard]] const OwnerReference* maker_of(const ResourceClaim& claim);
/// The same uid; where one of them has none, as in written manifests, the names decide.
[[nodiscard]] bool same_pod(std::string_view uid, std::string_view name, const Pod& pod);
/// Made from the pod's template, for it or for its PodGroup.
[[nodiscard]] bool made_for(const ResourceClaim& claim, const Pod& pod);
/// By pod or by the pod's PodGroup.
[[nodiscard]] bool is_reserved_for(const ResourceClaim& claim, const Pod& pod);

/// A finding about a claim: severity, mending and subject filled in.
[[nodiscard]] Finding about_claim(const Rule& rule, const ResourceClaim& claim);
/// What the claim's allocation keeps from others, a fact for each device.
void add_held_devices(Finding& finding, const ResourceClaim& claim);
/// Every consumer that is not what it should be, whichever story is told.
void add_consumers(Finding& finding, const ClaimRecord& record);
/// As sure as the list of pods is: filtered, of some namespaces, or read at another moment.
void as_sure_as_pods(const Evidence& evidence, Finding& finding, const ClaimRecord& record);
/// "pod a/x", "3 pods".
[[nodiscard]] std::string pods_text(const std::vector<std::string>& pods);

}  // namespace draudit
