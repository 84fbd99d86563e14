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
    throw UsageError(has_ended(pod)
                         ? fmt::format("{} has ended: it waits for nothing", plain(args.pod))
                         : fmt::format("{} waits for no node: it is on {}", plain(args.pod),
                                       pod.node.empty() ? "its way out" : plain(pod.node)));
  }
  throw UsageError(fmt::format("no pod {} in the input, where {} wait for a node{}",
                               plain(args.pod), names.size(),
                               plain(did_you_mean(args.pod, names))));
}

/// Takes the named object out; throws UsageError where there is none.
template <class T>
void drop(std::vector<T>& from, const std::string& name, std::string_view flag) {
  std::vector<std::string> names;
  names.reserve(from.size());
  for (const T& object : from) names.push_back(full_name(object.meta));
  if (std::erase_if(from, [&](const T& o) { return full_name(o.meta) == name; }) > 0) return;
  throw UsageError(fmt::format("{}: there is no {} in the input{}", flag, plain(name),
                               plain(did_you_mean(name, names))));
}

/// The state as it would be.
Snapshot changed(const Arguments& args, Snapshot snapshot) {
  for (const std::string& pod : args.without_pods) drop(snapshot.pods, pod, "--without-pod");
  for (const std::string& claim : args.without_claims) {
    drop(snapshot.claims, claim, "--without-claim");
  }
  return snapshot;
}

bool what_if(const Arguments& args) {
  return !args.without_pods.empty() || !args.without_claims.empty();
}

std::vector<PodVerdict> verdicts_of(const Waiting& waiting, const std::vector<const Pod*>& pods) {
  std::vector<PodVerdict> out;
  out.reserve(pods.size());
  for (const Pod* pod : pods) out.push_back(waiting.verdict(*pod));
  return out;
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
  const auto write = [&](const Audit& audit, const std::vector<PodVerdict>& verdicts) {
    deliver_text(args, io,
                 format == "json" ? why_json(audit, verdicts) : why_text(audit, verdicts));
  };
  const std::vector<PodVerdict> now =
      verdicts_of(waiting, chosen(args, waiting, result.snapshot()));
  if (!what_if(args)) {
    write(result.audit, now);
  } else {
    const Snapshot after = changed(args, result.snapshot());
    AuditOptions options = result.audit.options;  // the same time and version, whatever is gone
    Audit audit_after = audit(after, options);
    audit_after.running = result.audit.running;
    audit_after.naive_chosen = result.audit.naive_chosen;
    const Waiting waiting_after(audit_after);
    std::vector<PodVerdict> verdicts =
        verdicts_of(waiting_after, chosen(args, waiting_after, after));
    for (PodVerdict& v : verdicts) {
      for (const PodVerdict& was : now) {
        if (full_name(was.pod->meta) == full_name(v.pod->meta)) v.before = was.verdict;
      }
    }
    write(audit_after, verdicts);
  }
  return result.complete() ? kExitClean : kExitUnable;
}

}  // namespace draudit
