#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "draudit/accounting.hpp"
#include "draudit/input.hpp"
#include "draudit/io.hpp"
#include "draudit/report.hpp"

namespace draudit {

enum class Color : std::uint8_t { automatic, always, never };

/// What the command line asks for. Numbers and names are still as typed: CLI11 would clamp or
/// reinterpret them (octal, overflow).
struct Arguments {
  std::vector<std::string> paths;
  std::string node;                  ///< of trace
  std::string pod;                   ///< of why
  std::vector<std::string> formats;  ///< "NAME" or "NAME=FILE"
  std::string table;
  std::string sarif_anchor;
  std::string output;
  std::string fail_on = "error";
  std::string color = "auto";
  std::string now;
  std::vector<std::string> kai_versions;  ///< one; trace takes two
  std::string node_pool;
  std::string reservation_label = "kai-resource-reservation";
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
  bool release = false;
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

/// Flag > NO_COLOR > CLICOLOR_FORCE > CLICOLOR > terminal; a dumb terminal has none.
[[nodiscard]] bool use_color(const Arguments& args, const Io& io, bool to_stdout);

/// The word of `among` that was probably meant, if one is near.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& among);

}  // namespace draudit
