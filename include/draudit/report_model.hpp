#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "draudit/result.hpp"

namespace draudit {

/// All that any format shows, in words and numbers: it points nowhere, so that it can be saved as
/// JSON, read back and shown in another format as if the audit had just been run.
///
/// Every text is UTF-8. Names from the input are as they were, hostile ones too: each format makes
/// them safe in its own way. `src/report/fields.hpp` names the JSON field of each member.
struct Report {
  struct Place {
    std::string file;  ///< as in `inputs`
    std::uint64_t line = 0;
    std::uint64_t column = 0;  ///< in bytes
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
  };

  struct Tool {
    std::string name;
    std::string version;
    std::uint64_t rules = 0;
  };

  struct Kai {
    std::string naive;
    std::string corrected;
    std::string naive_from;              ///< "flag", "detected" or "default"
    std::optional<std::string> running;  ///< what the input shows
    std::string running_from;
    std::optional<bool> running_has_fix;
  };

  struct Input {
    std::string name;
    std::uint64_t bytes = 0;
    std::string sha256;  ///< empty where no format asked for it
    std::uint64_t objects = 0;
  };

  struct Objects {
    /// In the order of `Kind`.
    std::vector<std::pair<std::string, std::uint64_t>> read;
    std::map<std::string, std::uint64_t> ignored;
    std::uint64_t duplicates = 0;
  };

  struct Absent {
    std::string kind;
    std::string consequence;
    std::string command;
  };

  struct Problem {
    std::string file;
    std::uint64_t line = 0;  ///< 0: about the file as a whole
    std::uint64_t column = 0;
    std::string object;
    std::string field;
    std::string message;
    std::string advice;
  };

  struct KindSeen {
    std::uint64_t objects = 0;
    bool known = false;  ///< objects were read, or the input says that there is none
    std::vector<std::string> namespaces;
    std::optional<std::string> newest;  ///< time in its objects
  };
  struct SkippedFiles {
    std::string reason;
    std::uint64_t files = 0;
    std::string first;
  };
  struct SkippedText {
    std::string file;
    std::uint64_t line = 0;
    std::uint64_t lines = 0;
    std::uint64_t bytes = 0;
    std::string said;
  };
  /// What the input seems to lack.
  struct Completeness {
    /// In the order of `Kind`.
    std::vector<std::pair<std::string, KindSeen>> kinds;
    std::vector<std::string> namespaces;
    std::optional<std::string> oldest;
    std::optional<std::string> newest;
    std::uint64_t unfinished_lists = 0;
    std::uint64_t ended_pods = 0;
    std::optional<std::string> pods_of_one_namespace;
    std::vector<std::string> namespaces_without_pods;
    std::vector<std::string> namespaces_without_claims;
    std::optional<std::string> mixed_clusters;  ///< why the objects can't be of one
    std::vector<SkippedFiles> skipped_files;
    std::vector<SkippedText> skipped_text;
    std::vector<std::pair<std::string, std::uint64_t>> events;  ///< of recorded watches, by type
    std::vector<std::string> gaps;                              ///< the same in words
  };

  /// Findings of a severity that stand, and those that are waived.
  struct Counts {
    std::uint64_t error = 0;
    std::uint64_t warning = 0;
    std::uint64_t note = 0;
    std::uint64_t waived = 0;
  };

  /// What is in force beside the built-in rules.
  struct Tuning {
    std::optional<std::string> config;    ///< file
    std::optional<std::string> baseline;  ///< file
    std::vector<std::string> notes;
  };

  struct RuleInfo {
    std::string id;
    std::string name;
    Severity severity = Severity::error;
    std::string summary;
    std::string mend;
  };

  struct Part {
    std::string what;
    Gpus gpus = 0;
  };
  struct Capacity {
    std::optional<Gpus> value;
    std::string source;
    Certainty certainty = Certainty::certain;
    Gpus at_least = 0;
    std::vector<Part> parts;
  };

  struct Mig {
    std::int64_t capacity = 0;
    std::int64_t used = 0;
    std::int64_t idle = 0;
    std::int64_t releasing = 0;
  };
  struct Account {
    std::string kai_version;
    Gpus used = 0;  ///< the worst case, as `idle` and `releasing`
    std::optional<Gpus> idle;
    Gpus releasing = 0;
    Range used_range;
    std::optional<Range> idle_range;
    Range releasing_range;
    Gpus groups = 0;
    Gpus printed_used = 0;
    Range printed_used_range;
    bool exact = true;
    std::map<std::string, Mig> mig;
  };

  struct HeldParts {
    Gpus devices = 0;
    Gpus plugin = 0;
    Gpus groups = 0;
    std::map<std::string, Gpus> by_driver;
  };

  struct Cause {
    std::string cause;
    std::string figure;  ///< "used", "capacity" or "idle"
    Gpus naive = 0;
    Range corrected;  ///< for the orders that give the least and the most use: may run down
    std::string what;
    std::string mend;
    std::vector<std::string> pods;
    std::vector<std::string> claims;
    std::vector<std::string> devices;
  };

  struct Device {
    std::string device;
    bool published = false;
    std::vector<std::string> claims;
    std::vector<std::string> pods;
  };

  struct Touch {
    std::string device;
    std::uint64_t before = 0;
    std::uint64_t after = 0;
  };
  /// One account behind a step.
  struct Running {
    Gpus counted = 0;   ///< added to used
    Gpus deducted = 0;  ///< brought, but counted already
    Gpus used = 0;
    std::optional<Gpus> idle;
    Gpus releasing = 0;
    std::int64_t groups = 0;
  };
  struct Step {
    std::string pod;
    std::string status;
    Gpus gpus = 0;  ///< that the pod brings
    Running naive;
    Running corrected;
    std::vector<Touch> touched;        ///< references in the corrected accounting
    std::vector<std::string> remarks;  ///< what else there is to know of it
  };
  /// The replay of a node with findings.
  struct Ledger {
    std::vector<Step> steps;        ///< in an order that leads to the most corrected used
    std::vector<Step> least_steps;  ///< to the least; empty where it is fixed
  };

  struct Node {
    std::string name;
    Capacity capacity;
    Account naive;
    Account corrected;
    Gpus held = 0;
    HeldParts held_parts;
    std::optional<Gpus> physical;
    std::string upgrade_helps;
    std::vector<Cause> causes;
    std::vector<Device> devices;
    std::optional<Ledger> ledger;
  };

  struct Object {
    std::string kind;
    std::string name;
    std::string note;
    std::optional<Place> location;
  };
  struct Sharer {
    std::string pod;
    bool counted_again = false;
  };
  struct Shared {
    std::string device;
    bool published = false;
    std::vector<Sharer> pods;
  };
  struct Fact {
    std::string label;
    std::string text;
  };
  struct Waived {
    std::string by;  ///< "suppression" or "baseline"
    std::string reason;
    std::string expires;
    std::string owner;
  };
  struct Finding {
    std::string id;
    std::string rule;
    Severity severity = Severity::error;
    Certainty certainty = Certainty::certain;
    std::string why_not_certain;
    Object subject;
    std::optional<std::string> node;
    std::string message;
    std::vector<Object> objects;
    std::vector<Shared> devices;
    std::vector<std::string> pods;
    std::vector<Fact> facts;
    std::string mend;
    std::string fingerprint;
    std::optional<Waived> waived;
  };

  struct NotCheckable {
    std::string id;
    std::string rule;
    std::string reason;
  };

  std::string schema_version;
  Tool tool;
  Kai kai;
  std::optional<std::string> now;
  bool complete = false;
  std::optional<std::string> unable;
  std::vector<Input> inputs;
  Objects objects;
  std::vector<Absent> not_in_dump;
  Completeness completeness;
  std::vector<Problem> problems;
  std::vector<std::string> remarks;
  Tuning tuning;
  std::uint64_t nodes_outside_pool = 0;
  Counts counts;
  std::vector<RuleInfo> rules;  ///< all that there are, in the order of their ids
  std::vector<Node> nodes;
  std::vector<Finding> findings;
  std::vector<NotCheckable> not_checkable;
};

/// Every rule, in the order of their ids.
[[nodiscard]] std::vector<Report::RuleInfo> rule_infos();

[[nodiscard]] Report make_report(const Result& result);
/// One node of it, with its ledger.
[[nodiscard]] Report::Node report_node(const NodeAudit& audited);

/// Exit status of the run that the report is of.
[[nodiscard]] int exit_status(const Report& report, FailOn fail_on);

}  // namespace draudit
