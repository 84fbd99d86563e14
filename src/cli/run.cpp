#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <exception>
#include <iterator>

#include "cli/commands.hpp"
#include "cli/settings.hpp"
#include "draudit/cli.hpp"

namespace draudit {
namespace {

struct Command {
  std::string_view name;
  int (*run)(const Arguments& args, Io& io);
  void (*options)(CLI::App& app, Arguments& args);
  bool settled = true;     ///< settings other than flags matter
  bool reads_dump = true;  ///< from standard input where no PATH is given
};

/// A path such as "[a].json" would be taken for CLI11's list syntax.
std::vector<std::string> shielded(const std::vector<std::string>& args) {
  std::vector<std::string> out = args;
  for (std::string& a : out) {
    if (a.starts_with('[')) a.insert(0, "./");
  }
  return out;
}

CLI::Option* repeated(CLI::App& app, const char* name, std::vector<std::string>& into) {
  // CLI11's lists would swallow the paths that follow.
  return app.add_option(name, into)->allow_extra_args(false);
}

void output_options(CLI::App& app, Arguments& args) {
  app.add_option("-o,--output", args.output);
  app.add_option("--color", args.color);
}

void common_options(CLI::App& app, Arguments& args) {
  app.add_flag("--complete", args.complete);
  for (const std::string& flag : limit_flags()) {
    app.add_option_function<std::string>(
        flag, [&args, flag](const std::string& value) { args.limits.emplace_back(flag, value); });
  }
  app.add_flag("--allow-mixed", args.allow_mixed);
  app.add_option("--now", args.now);
  repeated(app, "--kai-version", args.kai_versions);
  repeated(app, "--capacity", args.capacity);
  repeated(app, "--gpu-driver", args.gpu_drivers);
  app.add_option("--node-pool", args.node_pool);
  app.add_option("--reservation-label", args.reservation_label);
  output_options(app, args);
  app.add_option("--config", args.config);
}

/// Of what makes findings.
void finding_options(CLI::App& app, Arguments& args) {
  app.add_option("--min-certainty", args.min_certainty);
  app.add_option("--suppressions", args.suppressions);
}

/// Of check and report.
void format_options(CLI::App& app, Arguments& args) {
  repeated(app, "--format", args.formats);
  app.add_option("--table", args.table);
  app.add_option("--sarif-anchor", args.sarif_anchor);
  app.add_flag("--all", args.all);
  app.add_flag("-q,--quiet", args.quiet);
  app.add_flag("--graph", args.graph);
  app.add_flag("--ascii", args.ascii);
  app.add_option("--fail-on", args.fail_on);
}

void check_options(CLI::App& app, Arguments& args) {
  app.add_option("PATH", args.paths);
  common_options(app, args);
  finding_options(app, args);
  app.add_option("--baseline", args.baseline);
  format_options(app, args);
}

void config_options(CLI::App& app, Arguments& args) {
  common_options(app, args);
  finding_options(app, args);
  app.add_option("--baseline", args.baseline);
  app.add_option("--fail-on", args.fail_on);
}

void baseline_options(CLI::App& app, Arguments& args) {
  app.add_option("ACTION", args.node)->required();
  app.add_option("FILE", args.baseline_target)->required();
  app.add_option("PATH", args.paths);
  common_options(app, args);
  finding_options(app, args);
}

void report_options(CLI::App& app, Arguments& args) {
  app.add_option("FILE", args.paths);
  app.add_option("--config", args.config);
  output_options(app, args);
  format_options(app, args);
}

void trace_options(CLI::App& app, Arguments& args) {
  app.add_option("NODE", args.node)->required();
  app.add_option("PATH", args.paths);
  common_options(app, args);
  app.add_flag("--release", args.release);
  app.add_flag("--ascii", args.ascii);
  repeated(app, "--order", args.order)->delimiter(',');
}

void rules_options(CLI::App& app, Arguments& args) {
  repeated(app, "--format", args.formats);
  app.add_option("-o,--output", args.output);
}

void explain_options(CLI::App& app, Arguments& args) {
  app.add_option("RULE", args.node)->required();
  app.add_option("-o,--output", args.output);
}

void completion_options(CLI::App& app, Arguments& args) {
  app.add_option("SHELL", args.node)->required();
}

void why_options(CLI::App& app, Arguments& args) {
  app.add_option("POD", args.pod);
  app.add_option("PATH", args.paths);
  common_options(app, args);
  app.add_flag("--all", args.all);
  repeated(app, "--format", args.formats);
  repeated(app, "--without-pod", args.without_pods);
  repeated(app, "--without-claim", args.without_claims);
}

constexpr std::array kCommands = {
    Command{"check", check_command, check_options},
    Command{"report", report_command, report_options},
    Command{"trace", trace_command, trace_options},
    Command{"why", why_command, why_options},
    Command{"baseline", baseline_command, baseline_options},
    Command{"config", config_command, config_options, true, false},
    Command{"rules", rules_command, rules_options, false, false},
    Command{"explain", explain_command, explain_options, false, false},
    Command{"completion", completion_command, completion_options, false, false},
};

int usage_error(Io& io, std::string_view message, std::string_view command) {
  io.err.write(fmt::format("draudit: {}\nsee: draudit {}--help\n", message,
                           command.empty() ? std::string{} : fmt::format("{} ", command)));
  return kExitUnable;
}

bool asks_for(const std::vector<std::string>& args, std::string_view a, std::string_view b) {
  for (const std::string& arg : args) {
    if (arg == "--") return false;
    if (arg == a || arg == b) return true;
  }
  return false;
}

/// Names a flag that was probably meant; CLI11 does not.
std::string unknown_flag_hint(const CLI::App& app, std::string_view message,
                              const std::vector<std::string>& args) {
  if (message.find("not expected") == std::string_view::npos) return {};
  std::vector<std::string> known;
  for (const CLI::Option* o : app.get_options()) {
    for (const std::string& name : o->get_lnames()) known.push_back("--" + name);
  }
  for (const std::string& arg : args) {
    const std::string flag = arg.substr(0, arg.find('='));
    if (!flag.starts_with("--") || flag == "--") continue;
    if (std::find(known.begin(), known.end(), flag) != known.end()) continue;
    return fmt::format(": {}{}", flag, did_you_mean(flag, known));
  }
  return {};
}

int run_command(const Command& command, const std::vector<std::string>& args, Io& io) {
  if (asks_for(args, "--version", "-V")) {
    io.out.write(version_text());
    return kExitClean;
  }
  if (asks_for(args, "-h", "--help")) {
    io.out.write(help_text(command.name));
    return kExitClean;
  }
  Arguments parsed;
  CLI::App app;
  app.set_help_flag();
  command.options(app, parsed);
  try {
    std::vector<std::string> reversed = shielded(args);
    std::reverse(reversed.begin(), reversed.end());  // as CLI11 takes them
    app.parse(reversed);
  } catch (const CLI::ParseError& e) {
    std::string message = e.what();
    if (const std::string hint = unknown_flag_hint(app, message, args); !hint.empty()) {
      message = "unknown option" + hint;
    }
    return usage_error(io, message, command.name);
  }
  for (const CLI::Option* o : app.get_options()) {
    for (const std::string& name : o->get_lnames()) {
      if (o->count() > 0) parsed.given.insert("--" + name);
    }
  }
  if (command.settled) settle(parsed, io);
  const bool named = !parsed.paths.empty() || (parsed.all && !parsed.pod.empty());
  if (command.reads_dump && !named && io.in_is_terminal) {
    io.err.write("draudit: no PATH, and standard input is a terminal\n\n");
    io.err.write(help_text(command.name));
    return kExitUnable;
  }
  return command.run(parsed, io);
}

int dispatch(const std::vector<std::string>& args, Io& io) {
  if (args.empty()) {
    io.err.write(help_text({}));
    return kExitUnable;
  }
  const std::string& first = args.front();
  if (first == "-h" || first == "--help" || (first == "help" && args.size() == 1)) {
    io.out.write(help_text({}));
    return kExitClean;
  }
  if (first == "help") return dispatch({args[1], "--help"}, io);
  if (first == "--version" || first == "-V") {
    io.out.write(version_text());
    return kExitClean;
  }
  std::vector<std::string> names;
  for (const Command& command : kCommands) {
    if (command.name == first)
      return run_command(command, {std::next(args.begin()), args.end()}, io);
    names.emplace_back(command.name);
  }
  std::string hint = did_you_mean(first, names);
  if (hint.empty()) hint = fmt::format("; there are {}", fmt::join(names, ", "));
  return usage_error(io, fmt::format("\"{}\" is no command{}", first, hint), {});
}

int report_failure(Io& io, std::string_view message) {
  try {
    io.err.write(fmt::format("draudit: {}\n", message));
  } catch (const IoError&) {
    // Nowhere left to say it; the exit status still does.
  }
  return kExitUnable;
}

}  // namespace

std::vector<CommandWords> command_words() {
  std::vector<CommandWords> out;
  for (const Command& command : kCommands) {
    Arguments unused;
    CLI::App app;
    app.set_help_flag();
    command.options(app, unused);
    CommandWords& words = out.emplace_back(CommandWords{std::string{command.name}, {"--help"}});
    for (const CLI::Option* o : app.get_options()) {
      for (const std::string& name : o->get_lnames()) words.flags.push_back("--" + name);
    }
  }
  return out;
}

int run(const std::vector<std::string>& args, Io& io) {
  try {
    return dispatch(args, io);
  } catch (const UsageError& e) {
    return report_failure(io, e.what());
  } catch (const IoError& e) {
    return report_failure(io, fmt::format("writing failed: {}", e.what()));
  } catch (const std::bad_alloc&) {
    return report_failure(io, "out of memory");
  } catch (const std::exception& e) {
    return report_failure(io, fmt::format("internal error, please report it: {}", e.what()));
  }
}

}  // namespace draudit
