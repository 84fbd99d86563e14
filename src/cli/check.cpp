#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "draudit/cli.hpp"

namespace draudit {

int check_command(const Arguments& args, Io& io) {
  // All of the line is checked before the first byte is read.
  if (args.kai_versions.size() > 1) {
    throw UsageError("--kai-version: one version here; trace takes two");
  }
  const FailOn fail_on = fail_on_of(args);
  (void)use_color(args, io, true);
  (void)outputs(args);
  const Session session(args, io);
  deliver(args, io, session.report());
  return exit_status(session.report(), fail_on);
}

}  // namespace draudit
