#pragma once

#include "cli/options.hpp"

namespace draudit {

/// Subcommands; each returns an exit status, and throws UsageError or IoError.
[[nodiscard]] int check_command(const Arguments& args, Io& io);
[[nodiscard]] int report_command(const Arguments& args, Io& io);
[[nodiscard]] int trace_command(const Arguments& args, Io& io);
/// The settings in force, and where each is from.
[[nodiscard]] int config_command(const Arguments& args, Io& io);
/// Writes down what is known.
[[nodiscard]] int baseline_command(const Arguments& args, Io& io);
/// What a shell needs to complete the command line.
[[nodiscard]] int completion_command(const Arguments& args, Io& io);
struct CommandWords {
  std::string name;
  std::vector<std::string> flags;  ///< long ones: "--format"
};
[[nodiscard]] std::vector<CommandWords> command_words();
/// The table of rules, and the page of one.
[[nodiscard]] int rules_command(const Arguments& args, Io& io);
[[nodiscard]] int explain_command(const Arguments& args, Io& io);
[[nodiscard]] int why_command(const Arguments& parsed, Io& io);

/// Reads, audits, and says on stderr what could not be read.
class Session {
 public:
  Session(const Arguments& args, Io& io);
  [[nodiscard]] const Result& result() const { return result_; }
  [[nodiscard]] const Report& report() const { return report_; }

 private:
  Snapshot snapshot_;
  Result result_;
  Report report_;
};

[[nodiscard]] std::string help_text(std::string_view command);
[[nodiscard]] std::string version_text();

}  // namespace draudit
