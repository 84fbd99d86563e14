#pragma once

#include <string>
#include <vector>

#include "draudit/rules.hpp"

namespace draudit {

/// A kind that the input holds nothing of, and does not say that there is none.
struct AbsentKind {
  Kind kind;
  std::string consequence;  ///< what can't be said without it
  std::string command;      ///< what would have brought it
};

/// Everything that a report shows. Points into the snapshot: it must outlive this.
struct Result {
  Audit audit;
  RuleRun run;
  std::vector<AbsentKind> absent;
  /// Why the job could not be done, where it could not: nothing to audit, or figures that would be
  /// wrong for want of a whole kind. Empty otherwise.
  std::string unable;

  [[nodiscard]] const Snapshot& snapshot() const { return *audit.snapshot; }
  /// All of the input was read, and it was enough.
  [[nodiscard]] bool complete() const { return unable.empty() && snapshot().problems.empty(); }
};

/// Audits a snapshot and runs every rule.
[[nodiscard]] Result conclude(const Snapshot& snapshot, AuditOptions options);

/// Findings at or above this severity fail the gate; nothing does with `never`.
enum class FailOn : std::uint8_t { note, warning, error, never };

/// Exit status of the run: kExitClean, kExitFindings or kExitUnable (cli.hpp).
[[nodiscard]] int exit_status(const Result& result, FailOn fail_on);

}  // namespace draudit
