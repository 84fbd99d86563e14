#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "draudit/rules.hpp"

namespace draudit {

/// A kind that the input holds nothing of, and does not say that there is none.
struct AbsentKind {
  Kind kind;
  std::string consequence;  ///< what can't be said without it
  std::string command;      ///< what would have brought it
};

/// What the input says of one kind.
struct KindSeen {
  Kind kind;
  std::size_t objects = 0;
  bool known = false;                        ///< no object means that there is none
  std::vector<std::string_view> namespaces;  ///< sorted
  std::optional<Timestamp> newest;           ///< newest time in its objects
};

/// How whole the picture is.
struct Completeness {
  std::vector<KindSeen> kinds;  ///< in the order of Kind
  std::size_t ended_pods = 0;
  /// Pods are of this namespace alone, though others have objects; else empty.
  std::string pods_of_one_namespace;
  /// Claims of these are reserved for pods, and none of their pods was read; sorted.
  std::vector<std::string> namespaces_without_pods;
  /// Pods of these name claims, and none of their claims was read; sorted.
  std::vector<std::string> namespaces_without_claims;
  /// One sentence each: what is missing, and what would bring it.
  std::vector<std::string> gaps;
};

/// Everything that a report shows. Points into the snapshot: it must outlive this.
struct Result {
  Audit audit;
  RuleRun run;
  std::vector<AbsentKind> absent;
  Completeness completeness;
  /// Why the job could not be done, where it could not: nothing to audit, or figures that would be
  /// wrong for want of a whole kind. Empty otherwise.
  std::string unable;
  /// What is in force beside the built-in rules (config.hpp); empty: nothing.
  std::string config_file;
  std::string baseline_file;
  /// Of findings that are not shown, suppressions and the baseline: a sentence each.
  std::vector<std::string> tuning_notes;

  [[nodiscard]] const Snapshot& snapshot() const { return *audit.snapshot; }
  /// All of the input was read, and it was enough.
  [[nodiscard]] bool complete() const {
    return unable.empty() && snapshot().problems.empty() &&
           completeness.pods_of_one_namespace.empty();
  }
};

/// What the input holds and what it seems to lack.
[[nodiscard]] Completeness completeness_of(const Snapshot& snapshot);

/// Audits a snapshot and runs every rule.
[[nodiscard]] Result conclude(const Snapshot& snapshot, AuditOptions options);

/// Findings at or above this severity fail the gate; nothing does with `never`.
enum class FailOn : std::uint8_t { note, warning, error, never };

/// A finding of that severity fails the gate, unless it is waived.
[[nodiscard]] bool fails_gate(Severity severity, bool waived, FailOn fail_on);

/// Exit status of the run: kExitClean, kExitFindings or kExitUnable (cli.hpp).
[[nodiscard]] int exit_status(const Result& result, FailOn fail_on);

}  // namespace draudit
