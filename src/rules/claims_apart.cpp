#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "draudit/selector.hpp"
#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

std::string text_of(const NodeSelector& selector) {
  std::string out;
  for (const SelectorTerm& term : selector) {
    for (const auto* list : {&term.labels, &term.fields}) {
      for (const SelectorRequirement& r : *list) {
        out += fmt::format("{}:{}:", r.key, static_cast<int>(r.op));
        for (const std::string_view v : r.values) out += fmt::format("{},", v);
        out += '&';
      }
      out += '+';
    }
    out += '|';
  }
  return out;
}

// Pods on a node are outside-selector's: one of the claims is elsewhere.
void check_claims_apart(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  const Snapshot& snapshot = *evidence.audit.snapshot;
  std::map<std::pair<std::string, std::string>, bool> shared;  // some node for both
  const auto meet = [&](const NodeSelector& a, const NodeSelector& b) {
    const std::string_view pin_a = pinned_node(a);
    const std::string_view pin_b = pinned_node(b);
    if (!pin_a.empty() && !pin_b.empty()) return pin_a == pin_b;
    const auto [it, first] = shared.try_emplace({text_of(a), text_of(b)}, false);
    if (first) {
      it->second = std::any_of(snapshot.nodes.begin(), snapshot.nodes.end(),
                               [&](const Node& n) { return matches(a, n) && matches(b, n); });
    }
    return it->second;
  };
  for (const Pod& p : snapshot.pods) {
    if (!p.node.empty() || has_ended(p) || p.claims.size() < 2) continue;
    std::vector<const ResourceClaim*> tied;
    for (const PodClaim& entry : p.claims) {
      const ResourceClaim* c = evidence.claims.index().resolve(p, entry).claim;
      if (c != nullptr && c->allocation && c->allocation->node_selector) tied.push_back(c);
    }
    // The first that does not go with the one before: any such pair keeps the pod from running.
    for (std::size_t i = 1; i < tied.size(); ++i) {
      const NodeSelector& a = *tied[i - 1]->allocation->node_selector;
      const NodeSelector& b = *tied[i]->allocation->node_selector;
      if (meet(a, b)) continue;
      Finding f = about(rule, ref("Pod", p.meta));
      const auto place = [](const NodeSelector& s) {
        return pinned_node(s).empty() ? std::string{"by labels"} : std::string{pinned_node(s)};
      };
      f.objects = {ref("ResourceClaim", tied[i - 1]->meta, place(a)),
                   ref("ResourceClaim", tied[i]->meta, place(b))};
      f.message = fmt::format("{}: its claims {} and {} are allocated where no node has both",
                              f.subject.name, tied[i - 1]->meta.name, tied[i]->meta.name);
      if (pinned_node(a).empty() || pinned_node(b).empty()) {
        demote(f, Certainty::likely, "a node with both labels may come, or be missing here");
      }
      as_sure_as_age(evidence, f, "Pod", p.meta);
      as_sure_as_one_cluster(evidence, f);
      out.push_back(std::move(f));
      break;
    }
  }
}

}  // namespace

const Rule kClaimsApart{"PLC003",
                        "claims-apart",
                        Severity::error,
                        "A pod waits with claims that are allocated on different nodes",
                        "release one of the claims: delete it, or the pods that hold it",
                        kPodsClaimsNodes,
                        check_claims_apart};

}  // namespace draudit
