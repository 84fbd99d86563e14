#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "draudit/accounting.hpp"
#include "draudit/config.hpp"
#include "draudit/input.hpp"
#include "draudit/io.hpp"
#include "draudit/report.hpp"
#include "model/suggest.hpp"

namespace draudit {

enum class Color : std::uint8_t { automatic, always, never };

/// What the command line asks for. Numbers and names are still as typed: CLI11 would clamp or
/// reinterpret them (octal, overflow).
struct Arguments {
  std::vector<std::string> paths;
  std::string node;                  ///< of trace; the rule of explain
  std::string pod;                   ///< of why
  std::vector<std::string> formats;  ///< "NAME" or "NAME=FILE"
  std::string table;
  std::string sarif_anchor;
  std::string output;
  std::string config;
  std::string fail_on;
  std::string color = "auto";
  std::string now;
  std::vector<std::string> kai_versions;  ///< one; trace takes two
  std::string node_pool;
  std::string reservation_label;
  std::string min_certainty;
  std::string suppressions;
  std::string baseline;
  std::string baseline_target;    ///< file that draudit baseline writes
  std::string grace_reservation;  ///< "60s", as the others
  std::string grace_generation;
  std::string grace_deletion;
  std::string grace_binding;
  std::vector<std::string> capacity;
  std::vector<std::string> gpu_drivers;
  std::vector<std::string> order;                           ///< of trace
  std::vector<std::string> without_pods;                    ///< of why
  std::vector<std::string> without_claims;                  ///< of why
  std::vector<std::pair<std::string, std::string>> limits;  ///< flag and value
  bool complete = false;
  bool allow_mixed = false;
  bool all = false;
  bool quiet = false;
  bool graph = false;
  bool ascii = false;
  bool release = false;
  std::set<std::string> given;                              ///< flags: "--fail-on"
  std::map<std::string, std::string, std::less<>> origins;  ///< of settings: settings.hpp
  Tuning tuning;
};

/// A wrong word on the command line; `what` says which and what would do.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Flags of what one input may be at most: "--max-bytes" and so on.
[[nodiscard]] std::vector<std::string> limit_flags();
[[nodiscard]] ReadOptions read_options(const Arguments& args);
[[nodiscard]] AuditOptions audit_options(const Arguments& args);
[[nodiscard]] FailOn fail_on_of(const Arguments& args);
[[nodiscard]] Certainty min_certainty_of(const Arguments& args);
/// What a message about a setting begins with: "--fail-on", or "FILE:LINE: fail-on".
[[nodiscard]] std::string named(const Arguments& args, std::string_view key);

/// Flag > NO_COLOR > CLICOLOR_FORCE > CLICOLOR > terminal; a dumb terminal has none.
[[nodiscard]] bool use_color(const Arguments& args, const Io& io, bool to_stdout);

/// --ascii, or the locale is C: the first of LC_ALL, LC_CTYPE and LANG that is set.
[[nodiscard]] bool use_ascii(const Arguments& args, const Io& io);

}  // namespace draudit
