#include <fmt/format.h>

#include "rules/common.hpp"

namespace draudit {

// The same miscount where it does not (yet) push the node over its capacity, or where the capacity
// is not known: what the claims prove by themselves.
void double_counted_device(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  for (const NodeAudit& node : audit.nodes) {
    const Gpus twice = counted_twice(node);
    if (twice <= 0) continue;
    const Range naive = node.naive.figures.printed_used();
    const Range corrected = node.corrected.figures.printed_used();
    if (node.capacity.value && naive.most > *node.capacity.value &&
        corrected.least <= *node.capacity.value) {
      continue;  // over-counted-node says it
    }
    Finding f = about_node(rule, node);
    f.message = fmt::format("{}: {} too many in use: naive used {}, corrected used {}", f.node,
                            count_of(twice, "GPU"), to_string(naive), to_string(corrected));
    if (audit.running.fixed && !audit.naive_chosen) f.severity = Severity::note;
    add_shared_devices(f, node);
    add_idle_fact(f, node.naive);
    out.push_back(std::move(f));
  }
}

}  // namespace draudit
