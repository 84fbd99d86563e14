#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/settings.hpp"
#include "draudit/cli.hpp"
#include "report/plain.hpp"

namespace draudit {

int config_command(const Arguments& args, Io& io) {
  (void)fail_on_of(args);
  (void)audit_options(args);
  const std::vector<SettledValue> all = settled_values(args);
  std::size_t key_width = 0;
  std::size_t value_width = 0;
  for (const SettledValue& s : all) {
    key_width = std::max(key_width, s.key.size());
    value_width = std::max(value_width, std::min<std::size_t>(width(plain(s.value)), 40));
  }
  const std::string& file = args.tuning.config_file;
  std::string out = fmt::format("file: {}\n", file.empty() ? "none" : plain(file));
  for (const SettledValue& s : all) {
    out +=
        fmt::format("{}  {}  {}\n", pad_right(s.key, key_width),
                    pad_right(s.value.empty() ? "-" : plain(s.value), value_width), plain(s.from));
  }
  for (const Suppression& s : args.tuning.suppressions) {
    std::string subject;
    for (const auto& [what, pattern] : {std::pair{"node", s.node}, std::pair{"object", s.object},
                                        std::pair{"device", s.device}}) {
      if (!pattern.empty()) subject += fmt::format(" {} {}", what, plain(pattern));
    }
    out += fmt::format("suppressed until {}: {}{}: {} ({})\n", plain(s.expires), s.rule->name,
                       subject, plain(s.reason), s.place);
  }
  deliver_text(args, io, out);
  return kExitClean;
}

int baseline_command(const Arguments& args, Io& io) {
  const bool update = args.node == "update";
  if (!update && args.node != "write") {
    throw UsageError(fmt::format("baseline: \"{}\" is neither write nor update", plain(args.node)));
  }
  if (args.kai_versions.size() > 1) {
    throw UsageError("--kai-version: one version here; trace takes two");
  }
  const Session session(args, io);
  if (!session.result().complete()) {
    // What was not read would be new the next time.
    io.err.write(fmt::format("draudit: {} is not written: the input is not whole\n",
                             plain(args.baseline_target)));
    return kExitUnable;
  }
  const Baseline& old = args.tuning.baseline;
  const Baseline fresh = update ? updated(old, session.result()) : baseline_of(session.result());
  try {
    io.files.write_atomically(args.baseline_target, baseline_text(fresh));
  } catch (const IoError& e) {
    throw IoError(fmt::format("{}: {}", args.baseline_target, e.what()));
  }
  const auto fingerprints = [](const Baseline& of) {
    std::set<std::string_view> all;
    for (const KnownFinding& k : of) all.insert(k.fingerprint);
    return all;
  };
  std::string out = fmt::format("{}: {} {}\n", plain(args.baseline_target), fresh.size(),
                                fresh.size() == 1 ? "finding" : "findings");
  if (update) {
    const std::set<std::string_view> before = fingerprints(old);
    const std::set<std::string_view> after = fingerprints(fresh);
    for (const KnownFinding& k : fresh) {
      if (!before.contains(k.fingerprint))
        out += fmt::format("new   {} {}\n", k.rule, plain(k.subject));
    }
    for (const KnownFinding& k : old) {
      if (!after.contains(k.fingerprint))
        out += fmt::format("gone  {} {}\n", plain(k.rule), plain(k.subject));
    }
  }
  io.out.write(out);
  return kExitClean;
}

}  // namespace draudit
