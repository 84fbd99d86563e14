#include "cli/commands.hpp"
#include "draudit/cli.hpp"

namespace draudit {

int check_command(const Arguments& args, Io& io) {
  // All of the line is checked before the first byte is read.
  if (args.kai_versions.size() > 1) {
    throw UsageError("--kai-version: one version here; trace takes two");
  }
  const FailOn fail_on = fail_on_of(args);
  const TextOptions text{.color = use_color(args, io), .all = args.all, .quiet = args.quiet};
  const Format format = format_of(args);
  if (format != Format::text && (args.all || args.quiet)) {
    throw UsageError("--all and --quiet are of the text format; the others hold everything");
  }
  const Session session(args, io);
  switch (format) {
    case Format::text: deliver(args, io, text_report(session.report(), text)); break;
    case Format::json: deliver(args, io, json_report(session.report())); break;
  }
  return exit_status(session.report(), fail_on);
}

}  // namespace draudit
