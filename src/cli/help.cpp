#include <fmt/format.h>

#include "cli/commands.hpp"
#include "draudit/formats.hpp"
#include "draudit/version.hpp"

namespace draudit {
namespace {

constexpr std::string_view kMain =
    R"(draudit: what a Kubernetes node's GPUs are really doing, from a dump

usage: draudit check [PATH...]         find miscounted nodes and say why
       draudit trace NODE [PATH...]    every step of one node's accounting
       draudit why POD [PATH...]       why a pod has no node
       draudit report FILE             a report that was saved as JSON or HTML, in another format
       draudit baseline write FILE [PATH...]   what is known does not fail the gate any more
       draudit config                  the settings in force, and where each is from
       draudit rules                   the table of rules
       draudit explain RULE            the page of a rule
       draudit completion SHELL        bash, zsh or fish completes draudit's command line
       draudit COMMAND --help          options of a command
       draudit --version

A dump:  kubectl get pods,resourceclaims,nodes,resourceslices,deviceclasses -A -o json > dump.json
Then:    draudit check dump.json       or pipe it: kubectl get ... | draudit check

Exit status: 0 nothing found, 1 findings, 2 the job could not be done.
The manual is draudit(1).
)";

constexpr std::string_view kInput = R"(
Input
  PATH                     a dump, packed or not, an archive or a folder of dumps; "-" or a pipe is
                           standard input; several in any order
  --complete               the dump is the whole cluster: a kind without objects has none
  --allow-mixed            objects that seem to be of two clusters are audited as one
  --now TIME               as of when (RFC 3339); default: the newest time in the dump
  --max-bytes N            what one PATH may unpack to; default: 64Gi
  --max-ratio N            how many times its size; default: 250
  --max-members N          files in an archive or a folder; default: 100000
  --max-depth N            packed in packed; default: 4
  --max-objects N          objects in one file; default: 20M
  --max-object N           bytes of one object; default: 64Mi

Accounting
  --kai-version V          the version to imitate as naive; default: the one that the dump shows,
                           else v0.17.0
  --capacity NODE=N        GPUs of a node, where the dump does not say; may be repeated
  --gpu-driver DRIVER      a driver whose devices are GPUs though its name does not say "gpu";
                           may be repeated
  --node-pool LABEL[=VALUE]  the scheduler's shard: nodes with that value, or without the label
  --reservation-label APP  value of the label app on KAI's reservation pods;
                           default: kai-resource-reservation
)";

constexpr std::string_view kTuning = R"(
Settings (docs/config.md)
  --config FILE            default: .draudit.yaml, from here up to the root of the repository
  --min-certainty C        possible, likely or certain: what is less sure is counted, not shown
  --suppressions FILE      findings that may be, each with a reason and a last day
)";
constexpr std::string_view kBaselineOption =
    R"(  --baseline FILE          findings that are known and do not fail the gate
)";

constexpr std::string_view kOutput = R"(
Output
  -o, --output FILE        write the report there, whole or not at all
  --color WHEN             auto, always or never; default: auto
)";

constexpr std::string_view kFormatOptions =
    R"(  --format NAME[=FILE]     default: text; may be repeated, all but one with a FILE
)";
constexpr std::string_view kFormatMore =
    R"(  --table WHAT             rows of csv and tsv: findings, nodes or devices; default: findings
  --sarif-anchor PATH      a file of the repository that SARIF results are pinned to, where the
                           dump is not in it
  --all                    list the nodes without findings too (text, slack)
  -q, --quiet              findings only, a line each (text, slack)
  --graph                  a picture of each node with findings (text)
  --ascii                  draw it in ASCII; so does LC_ALL=C
  --fail-on SEVERITY       error, warning, note or never: what makes the exit status 1;
                           default: error
)";

constexpr std::string_view kCheck = R"(usage: draudit check [PATH...] [options]

Replays the pods of a dump through KAI's GPU accounting, without and with the fix that counts a
shared device once, and reports where the two and the hardware part.
)";

constexpr std::string_view kReport = R"(usage: draudit report [FILE] [options]

Shows a report that draudit check --format json or html has saved, in another format, byte for
byte as the check would have written it. No FILE or "-" is standard input. The exit status is that of
the check.
)";

constexpr std::string_view kTrace = R"(usage: draudit trace NODE [PATH...] [options]

Every step of the replay of one node, in both accountings side by side, to be checked by hand.
)";
constexpr std::string_view kTraceMore =
    R"(  --release                go on and take the pods off again, last one first
  --ascii                  draw the picture in ASCII; so does LC_ALL=C
  --order POD[,POD...]     add these pods (NAMESPACE/NAME) first, in this order
  --kai-version V          given twice, lays these two versions side by side
)";

constexpr std::string_view kConfigHelp = R"(usage: draudit config [options]

The settings in force, and where each is from: a flag, an environment variable, a line of the
configuration file, or the default. It takes the options of check that are settings.
)";

constexpr std::string_view kBaselineHelp =
    R"(usage: draudit baseline write|update FILE [PATH...] [options]

Writes the findings down that draudit check --baseline FILE is not to fail on. write starts from
nothing; update keeps those that are still there or can't be checked, takes in new ones, and says
which are new and which are gone.
)";

constexpr std::string_view kRulesHelp = R"(usage: draudit rules [options]

Every rule with its id, its name and its severity as it is built in.

  --format NAME            text, json or markdown; default: text
  -o, --output FILE        write it there
)";

constexpr std::string_view kExplain = R"(usage: draudit explain RULE [options]

The page of a rule, by its id or its name: what it finds, why that matters, an example, how to mend
it, and its traps.

  -o, --output FILE        write it there
)";

constexpr std::string_view kWhy = R"(usage: draudit why NAMESPACE/POD [PATH...] [options]
       draudit why --all [PATH...] [options]

Why a pod has no node: what KAI makes of it on each node, whether the hardware would have room, and
whether the scheduler's own message says the same.
)";
constexpr std::string_view kWhyMore =
    R"(  --all                    every pod that waits for a node
  --format NAME            text or json; default: text
  --without-pod POD        what if this pod (NAMESPACE/NAME) were gone? May be repeated
  --without-claim CLAIM    the same of a claim
)";

std::string format_help() {
  std::string out{kFormatOptions};
  for (const Format& f : formats()) out += fmt::format("    {:<16}       {}\n", f.name, f.what);
  return out += kFormatMore;
}

}  // namespace

std::string help_text(std::string_view command) {
  if (command == "check") {
    return fmt::format("{}{}{}{}{}{}", kCheck, kInput, kTuning, kBaselineOption, kOutput,
                       format_help());
  }
  if (command == "report") return fmt::format("{}{}{}", kReport, kOutput, format_help());
  if (command == "trace") return fmt::format("{}{}{}{}", kTrace, kInput, kOutput, kTraceMore);
  if (command == "config") return fmt::format("{}{}{}", kConfigHelp, kTuning, kBaselineOption);
  if (command == "baseline") return fmt::format("{}{}{}", kBaselineHelp, kInput, kTuning);
  if (command == "completion") {
    return "usage: draudit completion bash|zsh|fish\n\nPrints the shell's completion of the "
           "command line; its first lines say where it goes.\n";
  }
  if (command == "rules") return std::string{kRulesHelp};
  if (command == "explain") return std::string{kExplain};
  if (command == "why") return fmt::format("{}{}{}{}", kWhy, kInput, kOutput, kWhyMore);
  return std::string{kMain};
}

std::string version_text() {
  std::string versions;
  for (const Profile& p : profiles()) {
    versions += fmt::format("{}{}", versions.empty() ? "" : ", ", p.version);
  }
  return fmt::format(
      "draudit {}\nreport schema {}, {} rules\nemulates KAI from {}\nbuilt with {} and {}\n",
      kVersion, kSchemaVersion, rules().size(), versions, DRAUDIT_COMPILER, DRAUDIT_LIBRARIES);
}

}  // namespace draudit
