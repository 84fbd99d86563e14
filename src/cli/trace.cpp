#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "draudit/cli.hpp"
#include "report/plain.hpp"

namespace draudit {

int trace_command(const Arguments& args, Io& io) {
  if (args.kai_versions.size() > 2) throw UsageError("--kai-version: no more than two");
  const TraceOptions options{.color = use_color(args, io, args.output.empty()),
                             .release = args.release,
                             .order = args.order,
                             .ascii = use_ascii(args, io)};
  const Session session(args, io);
  const Audit& audit = session.result().audit;
  const NodeAudit* node = audit.node(args.node);
  if (node == nullptr) {
    std::vector<std::string> names;
    for (const NodeAudit& n : audit.nodes) names.emplace_back(n.node->meta.name);
    throw UsageError(fmt::format("no node {} among the {} in the input{}", plain(args.node),
                                 names.size(), plain(did_you_mean(args.node, names))));
  }
  for (const std::string& pod : args.order) {
    const auto& charges = node->corrected.charges;
    if (std::none_of(charges.begin(), charges.end(),
                     [&](const Charge& c) { return full_name(c.pod->meta) == pod; })) {
      throw UsageError(
          fmt::format("--order: no pod {} is charged to {}", plain(pod), plain(args.node)));
    }
  }
  deliver_text(args, io, trace_report(session.result(), *node, options));
  return session.result().complete() ? kExitClean : kExitUnable;
}

}  // namespace draudit
