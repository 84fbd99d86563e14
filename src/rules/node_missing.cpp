#include <fmt/format.h>

#include <map>

#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// Whatever these pods hold is in no figure, since there is no node to charge it to.
void check_node_missing(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  const Audit& audit = evidence.audit;
  std::map<std::string_view, std::vector<const Pod*>> by_node;
  for (const Pod* pod : audit.nodeless) by_node[pod->node].push_back(pod);
  std::map<std::string_view, Gpus> slices;
  for (const ResourceSlice& s : audit.snapshot->slices) ++slices[s.node];
  for (const auto& [name, pods] : by_node) {
    Finding f = about(rule, {"Node", std::string{name}, {}, pods.front()->meta.at});
    f.message = fmt::format("{}: {} on this node, and it is not in the input: not counted", name,
                            count_of(static_cast<Gpus>(pods.size()), "pod"));
    for (const Pod* pod : pods) f.pods.push_back(full_name(pod->meta));
    if (const auto it = slices.find(name); it != slices.end()) {
      f.facts.push_back(
          {"slices",
           count_of(it->second, "ResourceSlice names", "ResourceSlices name") + " this node"});
    }
    const auto claims = evidence.pinned_away.find(name);
    if (claims != evidence.pinned_away.end()) {
      for (const ResourceClaim* c : claims->second) {
        f.objects.push_back(ref("ResourceClaim", c->meta, "allocated on this node"));
      }
    }
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kNodeMissing{
    "INP002",
    "node-missing",
    Severity::warning,
    "Pods are on a node that the input does not have, so nothing of them is counted",
    "take all nodes into the dump; a node that is gone leaves its pods for a while",
    kPodsAndNodes,
    check_node_missing};

}  // namespace draudit
