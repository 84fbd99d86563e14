#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rules/devices.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

void check_slice_without_node(const Evidence& evidence, const Rule& rule,
                              std::vector<Finding>& out) {
  const Snapshot& s = *evidence.audit.snapshot;
  if (s.nodes.empty()) return;  // nothing to compare with: said elsewhere
  std::map<std::string_view, std::vector<const ResourceSlice*>> nodes;
  for (const ResourceSlice& slice : s.slices) {
    if (!slice.node.empty() && s.node(slice.node) == nullptr) nodes[slice.node].push_back(&slice);
  }
  // A node whose pods live on is missing from the input, not from the cluster: node-missing.
  for (const Pod* pod : evidence.audit.nodeless) nodes.erase(pod->node);
  for (const auto& [node, slices] : nodes) {
    Finding f = about(rule, "Node", std::string{node}, slices.front()->meta.at);
    f.node = node;
    std::size_t devices = 0;
    for (const ResourceSlice* slice : slices) {
      f.objects.push_back(ref("ResourceSlice", slice->meta));
      devices += slice->devices.size();
    }
    f.message = fmt::format("{}: there is no such node, and {} with {} still {} it", node,
                            count_of(static_cast<Gpus>(slices.size()), "slice"),
                            count_of(static_cast<Gpus>(devices), "device"),
                            slices.size() == 1 ? "names" : "name");
    const bool young = std::all_of(slices.begin(), slices.end(), [&](const ResourceSlice* slice) {
      return fresh(evidence, slice->meta);
    });
    if (young) as_sure_as_age(evidence, f, "ResourceSlice", slices.front()->meta);
    as_sure_as_input(evidence, f);
    as_sure_as_one_cluster(evidence, f);
    out.push_back(std::move(f));
  }
}

constexpr std::array kSliceWithoutNodeNeeds = {Kind::slice, Kind::node};

}  // namespace

const Rule kSliceWithoutNode{"SLC009",
                             "slice-without-node",
                             Severity::warning,
                             "Slices are left of a node that is gone",
                             "delete the slices; take all nodes into the dump if the node is there",
                             kSliceWithoutNodeNeeds,
                             check_slice_without_node};

}  // namespace draudit
