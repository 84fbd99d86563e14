#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

constexpr std::string_view kImplicit = "deviceclass.resource.kubernetes.io/";

void check_extended_claim_missing(const Evidence& evidence, const Rule& rule,
                                  std::vector<Finding>& out) {
  std::set<std::string, std::less<>> served;
  for (const DeviceClass& c : evidence.audit.snapshot->device_classes) {
    if (!c.extended_resource_name.empty()) served.emplace(c.extended_resource_name);
    served.emplace(fmt::format("{}{}", kImplicit, c.meta.name));
  }
  struct Lack {
    std::set<std::string_view> resources;
    std::vector<const Pod*> pods;
  };
  std::map<std::string_view, Lack> nodes;
  for (const Pod& p : evidence.audit.snapshot->pods) {
    if (!on_a_node(p) || !p.extended_claim.empty()) continue;
    const Node* node = evidence.audit.snapshot->node(p.node);
    if (node == nullptr) continue;
    bool lacks = false;
    for (const Container& c : p.containers) {
      for (const ResourceAmount& r : c.requests) {
        if (r.amount.nano() <= 0 || served.find(r.resource) == served.end()) continue;
        const auto offered = find(node->allocatable, r.resource);
        if (offered && offered->nano() > 0) continue;
        const auto made = evidence.claims.index().owned_by(p);
        if (std::any_of(made.begin(), made.end(),
                        [](const ResourceClaim* m) { return m->extended_resource; })) {
          continue;
        }
        nodes[p.node].resources.insert(r.resource);
        lacks = true;
      }
    }
    if (lacks) nodes[p.node].pods.push_back(&p);
  }
  for (const auto& [name, lack] : nodes) {
    const Node& node = *evidence.audit.snapshot->node(name);
    Finding f = about(rule, ref("Node", node.meta));
    f.node = name;
    bool settled = false;
    for (const Pod* p : lack.pods) {
      f.pods.push_back(full_name(p->meta));
      settled = settled || !fresh(evidence, p->meta);
    }
    for (const std::string_view r : lack.resources) {
      f.facts.push_back({"resource", std::string{r}});
      if (!r.starts_with(kImplicit)) {
        demote(f, Certainty::likely, "a device plugin may have offered it when the pod was bound");
      }
    }
    f.message = fmt::format("{}: {} with resources that only claims can serve here, and no claim",
                            name, pods_text(f.pods));
    if (!settled) demote(f, Certainty::possible, "the pods are new, and lists differ in time");
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kExtendedClaimMissing{"CLM012",
                                 "extended-claim-missing",
                                 Severity::error,
                                 "A pod on a node got an extended resource that a device class "
                                 "stands for, and no claim was made",
                                 "delete the pod so that it is scheduled again",
                                 kPodsClaimsNodesClasses,
                                 check_extended_claim_missing};

}  // namespace draudit
