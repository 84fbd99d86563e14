#pragma once

#include "cli/options.hpp"

namespace draudit {

/// Subcommands; each returns an exit status, and throws UsageError or IoError.
[[nodiscard]] int check_command(const Arguments& args, Io& io);
[[nodiscard]] int report_command(const Arguments& args, Io& io);
[[nodiscard]] int trace_command(const Arguments& args, Io& io);
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
