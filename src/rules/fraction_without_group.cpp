#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// A fraction pod is charged to the groups that its BindRequest or its labels name. Several devices
// are named by prefixed labels alone, which KAI does not read without the plain one.
void check_fraction_without_group(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  for (const NodeAudit& node : audit.nodes) {
    Finding f = about_node(rule, node);
    for (const Charge& c : node.corrected.charges) {
      const bool fraction = c.type == PodType::fraction || c.type == PodType::gpu_memory;
      if (fraction && c.groups.empty()) f.pods.push_back(full_name(c.pod->meta));
    }
    if (f.pods.empty()) continue;
    if (!audit.snapshot->of(Kind::bind_request).known()) {
      f.certainty = Certainty::likely;
      f.why_not_certain = "no BindRequest was in the input, and it may name the groups";
    }
    f.message = fmt::format("{}: {} with a GPU fraction and no GPU group: not counted", f.node,
                            count_of(static_cast<Gpus>(f.pods.size()), "pod"));
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kFractionWithoutGroup{"ACC039",
                                 "fraction-without-group",
                                 Severity::warning,
                                 "A fraction pod names no GPU group, so nothing is charged for it",
                                 "take the dump with bindrequests.scheduling.run.ai",
                                 kPodsAndNodes,
                                 of_audit<check_fraction_without_group>};

}  // namespace draudit
