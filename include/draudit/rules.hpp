#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draudit/accounting.hpp"

/// What is wrong with a cluster: pure functions from the accounting to findings.
namespace draudit {

/// How bad; certainty is apart.
enum class Severity : std::uint8_t { note, warning, error };
[[nodiscard]] std::string_view to_string(Severity severity);

struct Finding;
struct Evidence;

/// One row of the one table of rules.
struct Rule {
  std::string_view id;    ///< never used twice, never changed
  std::string_view name;  ///< kebab-case
  Severity severity;
  std::string_view summary;  ///< one line: what it finds
  std::string_view mend;     ///< one line: what to do
  /// Kinds without which the rule can't say anything.
  std::span<const Kind> needs;
  void (*check)(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out);
  /// Why it can't say anything of this input though these kinds are there; empty where it can.
  std::string (*unable)(const Evidence& evidence) = nullptr;
};

/// Every rule, in the order of their ids.
[[nodiscard]] std::span<const Rule* const> rules();
/// By id or by name, or null.
[[nodiscard]] const Rule* find_rule(std::string_view id_or_name);

/// A named object with its place in the input.
struct ObjectRef {
  std::string kind;
  std::string name;  ///< "ns/name"
  std::string note;  ///< "2 consumers", or empty
  Location at;
};

/// A pod that brings a device, in the order of the replay.
struct DevicePod {
  std::string pod;
  bool again = false;  ///< counted though the device was counted before
};

struct DeviceEvidence {
  std::string device;  ///< driver/pool/device
  bool published = false;
  std::vector<DevicePod> pods;
};

/// A line of proof: "idle", "-1: KAI refuses every pod here".
struct Fact {
  std::string label;
  std::string text;
};

enum class WaivedBy : std::uint8_t { suppression, baseline };

/// Why a finding that stands does not fail the gate.
struct Waiver {
  WaivedBy by = WaivedBy::suppression;
  std::string reason;   ///< of a suppression
  std::string expires;  ///< of a suppression, as it was written: "2027-01-31"
  std::string owner;    ///< of a suppression, or empty
};

/// One fired rule.
struct Finding {
  const Rule* rule = nullptr;
  Severity severity = Severity::error;
  Certainty certainty = Certainty::certain;
  std::string why_not_certain;  ///< empty where it is
  ObjectRef subject;
  std::string node;                ///< that it is about, or empty
  std::string message;             ///< one sentence, without the rule's name
  std::vector<ObjectRef> objects;  ///< others that take part
  std::vector<DeviceEvidence> devices;
  std::vector<std::string> pods;  ///< that it concerns, where devices don't tell
  std::vector<Fact> facts;
  std::string mend;  ///< what to do
  std::optional<Waiver> waived;
  /// Of rule and names alone: the same in the next dump of the same trouble.
  std::string fingerprint;
};

/// A rule that could not run.
struct NotCheckable {
  const Rule* rule = nullptr;
  std::string reason;
};

struct RuleRun {
  std::vector<Finding> findings;  ///< worst first, then by rule, node and subject
  std::vector<NotCheckable> not_checkable;
};

[[nodiscard]] RuleRun check(const Audit& audit);

/// Worst first, then by rule, node and subject; what is equal stays as it is.
void sort_findings(std::vector<Finding>& findings);

}  // namespace draudit
