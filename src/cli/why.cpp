#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "draudit/cli.hpp"
#include "draudit/fit.hpp"
#include "report/plain.hpp"
#include "report/why.hpp"

namespace draudit {
namespace {

std::vector<const Pod*> chosen(const Arguments& args, const Waiting& waiting,
                               const Snapshot& snapshot) {
  if (args.all) return waiting.pods();
  std::vector<std::string> names;
  std::vector<const Pod*> out;
  for (const Pod* pod : waiting.pods()) {
    names.push_back(full_name(pod->meta));
    if (names.back() == args.pod) out.push_back(pod);
  }
  if (!out.empty()) return out;
  for (const Pod& pod : snapshot.pods) {
    if (full_name(pod.meta) != args.pod) continue;
    throw UsageError(
        has_ended(pod)
            ? fmt::format("{} has ended: it waits for nothing", plain(args.pod))
            : fmt::format("{} waits for no node: it is on {}", plain(args.pod),
                          pod.node.empty() ? "its way out" : plain(pod.node)));
  }
  const std::string near = suggestion(args.pod, names);
  throw UsageError(
      fmt::format("no pod {} in the input, where {} wait for a node{}", plain(args.pod),
                  names.size(),
                  near.empty() ? "" : fmt::format("; did you mean {}?", plain(near))));
}

}  // namespace

int why_command(const Arguments& parsed, Io& io) {
  Arguments args = parsed;
  // The first word is the pod, unless all are asked for: then every word is a path.
  if (args.all && !args.pod.empty()) args.paths.insert(args.paths.begin(), args.pod);
  if (!args.all && args.pod.empty()) {
    throw UsageError("which pod? NAMESPACE/POD, or --all for every one that waits");
  }
  if (args.formats.size() > 1) throw UsageError("--format: why writes one, text or json");
  const std::string format = args.formats.empty() ? "text" : args.formats.front();
  if (format != "text" && format != "json") {
    throw UsageError(fmt::format("--format {}: why writes text or json", plain(format)));
  }
  args.formats.clear();
  const Session session(args, io);
  const Result& result = session.result();
  const Waiting waiting(result.audit);
  std::vector<PodVerdict> verdicts;
  for (const Pod* pod : chosen(args, waiting, result.snapshot())) {
    verdicts.push_back(waiting.verdict(*pod));
  }
  deliver_text(args, io,
               format == "json" ? why_json(result.audit, verdicts)
                                : why_text(result.audit, verdicts));
  return result.complete() ? kExitClean : kExitUnable;
}

}  // namespace draudit
