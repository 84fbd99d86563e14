#include <fmt/format.h>

#include <algorithm>

#include "draudit/selector.hpp"
#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

void check_outside_selector(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  for (const ClaimRecord& r : evidence.claims.records()) {
    if (!r.claim->allocation || !r.claim->allocation->node_selector) continue;
    const NodeSelector& selector = *r.claim->allocation->node_selector;
    Finding f = about_claim(rule, *r.claim);
    bool by_name = false;
    bool settled = false;
    for (const ClaimUser& user : r.users) {
      if (!on_a_node(*user.pod)) continue;
      const Node* node = evidence.audit.snapshot->node(user.pod->node);
      if (node == nullptr || matches(selector, *node)) continue;  // node-missing's
      by_name = by_name || !matches_name(selector, node->meta.name);
      settled = settled || !fresh(evidence, user.pod->meta);
      f.pods.push_back(full_name(user.pod->meta));
      f.facts.push_back({"node", fmt::format("{} of {}", node->meta.name, f.pods.back())});
      if (f.pods.size() == 1) f.node = node->meta.name;
      if (f.node != node->meta.name) f.node.clear();
    }
    if (f.pods.empty()) continue;
    const std::string_view pinned = pinned_node(selector);
    f.message = fmt::format(
        "{}: {} {} on a node that the allocation {}", f.subject.name, pods_text(f.pods),
        f.pods.size() == 1 ? "is" : "are",
        pinned.empty() ? "does not select" : fmt::format("is not for: it is for {}", pinned));
    if (!by_name) {
      f.severity = Severity::warning;
      demote(f, Certainty::likely, "the node's labels may have changed since");
    }
    if (!settled) demote(f, Certainty::possible, "the pods are new, and lists differ in time");
    as_sure_as_one_cluster(evidence, f);
    as_sure_as_age(evidence, f, "ResourceClaim", r.claim->meta);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kOutsideSelector{"PLC001",
                            "outside-selector",
                            Severity::error,
                            "A pod is on a node that its claim's allocation is not for",
                            "delete the pod so that it is scheduled again",
                            kPodsClaimsNodes,
                            check_outside_selector};

}  // namespace draudit
