#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "draudit/accounting.hpp"

/// Which nodes take a pending pod, by KAI's own fit test (kai-accounting.md §7.5, §11).
namespace draudit {

/// What KAI's test makes of a pod and a node for one order of adding the node's pods.
struct FitOutcome {
  bool idle = false;                 ///< it fits on what is idle
  bool idle_or_releasing = false;    ///< … or on that and what terminating pods hold
  bool explained = false;            ///< KAI raises a fit error, though it may give no reason
  std::vector<std::string> reasons;  ///< of that error, word for word
  std::vector<std::string> details;  ///< the same with figures
  friend auto operator<=>(const FitOutcome&, const FitOutcome&) = default;
};

/// One KAI version, one pod, one node.
struct NodeFit {
  std::string refused;               ///< by the node's type (MIG, fractions beside DRA), or empty
  std::vector<FitOutcome> outcomes;  ///< distinct and sorted; several where the order decides
  [[nodiscard]] bool always_idle() const;
  [[nodiscard]] bool ever_idle() const;
  [[nodiscard]] bool ever_releasing() const;
};

enum class Verdict : std::uint8_t {
  blocked,          ///< refused though the hardware has room on a node that takes it otherwise
  would_misplace,   ///< let in by under-counting alone: the hardware has no room
  rightly_pending,  ///< every node refuses it for a reason that holds
  pipelined,        ///< waits for what terminating pods hold
  binding,          ///< placed already: a usable BindRequest exists
  fits,             ///< nothing that a snapshot shows keeps it off
  undecidable,      ///< what decides is not in the snapshot
};
[[nodiscard]] std::string_view to_string(Verdict verdict);

enum class Confirmation : std::uint8_t { confirmed, contradicted, no_message };
[[nodiscard]] std::string_view to_string(Confirmation confirmation);

/// A pod against one node of its shard.
struct NodeVerdict {
  const NodeAudit* node = nullptr;
  NodeFit naive;
  NodeFit corrected;
  /// Requests of the pod beyond the devices that it would share fit what is not held.
  std::optional<bool> held;          ///< absent where the capacity is not known
  std::vector<std::string> filters;  ///< as the scheduler words them: selector, taints, …
  bool blocked = false;  ///< the running version refuses it, and nothing but its miscount does
};

struct PodVerdict {
  const Pod* pod = nullptr;
  PodStatus status = PodStatus::pending;
  Verdict verdict = Verdict::undecidable;
  std::string why;  ///< one sentence
  std::vector<NodeVerdict> nodes;
  std::vector<std::string> missing;  ///< what would have to be known
  std::string message;               ///< as the running version words it, in its short form
  std::string detailed;              ///< … and in its long form
  Confirmation confirmation = Confirmation::no_message;
  std::string contradiction;      ///< what the scheduler said instead
  std::optional<Verdict> before;  ///< of the state as it is, where this one is what if
  bool upgrade_places = false;    ///< the version with the fix takes it on some node, in any order
};

/// Every pod that has no node, by namespace and name.
class Waiting {
 public:
  /// `audit` must outlive this.
  explicit Waiting(const Audit& audit);
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting();

  [[nodiscard]] const std::vector<const Pod*>& pods() const;
  [[nodiscard]] PodVerdict verdict(const Pod& pod) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace draudit
