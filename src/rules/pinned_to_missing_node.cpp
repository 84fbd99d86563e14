#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "draudit/selector.hpp"
#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// Where pods are still on that node, node-missing tells of it, and of the claims too.
void check_pinned_to_missing_node(const Evidence& evidence, const Rule& rule,
                                  std::vector<Finding>& out) {
  std::vector<std::string_view> told;
  for (const Pod* p : evidence.audit.nodeless) told.push_back(p->node);
  std::sort(told.begin(), told.end());
  for (const auto& [name, claims] : evidence.pinned_away) {
    if (std::binary_search(told.begin(), told.end(), name)) continue;
    Finding f = about(rule, {"Node", std::string{name}, {}, claims.front()->meta.at});
    f.message = fmt::format("{}: {} allocated there, and the node is not in the input", name,
                            claims.size() == 1 ? "claim " + full_name(claims.front()->meta) + " is"
                                               : fmt::format("{} claims are", claims.size()));
    bool settled = false;
    for (const ResourceClaim* c : claims) {
      f.objects.push_back(ref("ResourceClaim", c->meta));
      settled = settled || !fresh(evidence, c->meta);
    }
    if (!evidence.audit.snapshot->of(Kind::node).known_complete) {
      demote(f, Certainty::likely, "the input may not have every node");
    }
    if (!settled) demote(f, Certainty::possible, "the claims are new, and lists differ in time");
    as_sure_as_one_cluster(evidence, f);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kPinnedToMissingNode{"PLC002",
                                "pinned-to-missing-node",
                                Severity::warning,
                                "Claims are allocated on a node that is not there",
                                "delete the claims, or the pods that wait for them, if the node is "
                                "gone for good",
                                kClaimsAndNodes,
                                check_pinned_to_missing_node};

}  // namespace draudit
