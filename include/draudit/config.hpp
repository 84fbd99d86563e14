#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "draudit/result.hpp"

/// What a site sets once and for all: `.draudit.yaml`, suppressions, the baseline.
namespace draudit {

/// A configuration, a file of suppressions or a baseline is wrong. `what` says "FILE:LINE: key:
/// what", and what would do.
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Largest file of this kind, in bytes: a thousand suppressions take a fifth of it.
inline constexpr std::size_t kLargestConfig = std::size_t{1} << 20;
/// The same for a baseline: 100,000 findings take half of it.
inline constexpr std::size_t kLargestBaseline = std::size_t{64} << 20;

/// Who decided that a finding of some rule and subject need not fail the gate, why and until when.
/// A pattern that is empty fits everything; at least one is not.
struct Suppression {
  const Rule* rule = nullptr;
  std::string node;    ///< `*` and `?` stand for any text and any one character
  std::string object;  ///< on "namespace/name", or a name without a namespace
  std::string device;  ///< on "driver/pool/device", or its last part
  std::string reason;
  std::string expires;  ///< as written: "2027-01-31"
  Timestamp end;        ///< first moment at which it is over
  std::string owner;
  std::string place;  ///< "FILE:LINE"
};

/// A setting as a file gives it.
struct FileSetting {
  std::vector<std::string> values;
  std::string place;  ///< "FILE:LINE"
};

/// What becomes of the findings of a rule.
struct RuleTuning {
  std::optional<Severity> severity;  ///< nothing: the rule is off
  std::string place;
};

/// A configuration file, checked as far as this can be done without the others.
struct ConfigFile {
  std::map<std::string, FileSetting, std::less<>> settings;  ///< by key: "fail-on"
  std::map<const Rule*, RuleTuning> rules;
  std::vector<Suppression> suppressions;
};

enum class SettingShape : std::uint8_t { word, words, map };
/// A key that may stand in a file. A map's values are "NAME=VALUE".
struct SettingKey {
  std::string_view key;  ///< with dots for keys below keys: "grace.binding"
  SettingShape shape = SettingShape::word;
};

/// Reads the text of `file`. Throws ConfigError.
[[nodiscard]] ConfigFile parse_config(std::string_view text, const std::string& file,
                                      std::span<const SettingKey> keys);

/// A finding that was known when the baseline was taken.
struct KnownFinding {
  std::string fingerprint;
  std::string rule;  ///< id
  std::string subject;
  std::string node;
  friend bool operator==(const KnownFinding&, const KnownFinding&) = default;
};
/// By rule, subject, node and fingerprint.
using Baseline = std::vector<KnownFinding>;

/// Throws ConfigError.
[[nodiscard]] Baseline parse_baseline(std::string_view text, const std::string& file);
[[nodiscard]] std::string baseline_text(const Baseline& baseline);
/// The findings of a run that no suppression waives, each fingerprint once.
[[nodiscard]] Baseline baseline_of(const Result& result);
/// The same, and those of `old` whose rule could not be checked.
[[nodiscard]] Baseline updated(const Baseline& old, const Result& result);

/// All that changes what a run says of its findings.
struct Tuning {
  std::string config_file;    ///< empty: none is in force
  std::string baseline_file;  ///< empty: none
  std::map<const Rule*, RuleTuning> rules;
  std::vector<Suppression> suppressions;
  Baseline baseline;
  Certainty min_certainty = Certainty::possible;
};

/// Takes findings of rules that are off and those that are not sure enough out of the result, gives
/// them the severity that was asked for, marks what is suppressed or in the baseline, and notes
/// what of all this is over or of no use.
void apply(const Tuning& tuning, Result& result);

/// Says that there is no rule of that id or name, and which was probably meant.
[[nodiscard]] std::string no_rule(std::string_view id_or_name);

/// Whether `*` and `?` in a pattern make it fit all of the text.
[[nodiscard]] bool fits_pattern(std::string_view pattern, std::string_view text);

}  // namespace draudit
