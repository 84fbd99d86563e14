#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

void check_claim_made_twice(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  using Key = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;
  std::map<Key, std::vector<const ResourceClaim*>> entries;
  for (const ResourceClaim& c : evidence.audit.snapshot->claims) {
    const OwnerReference* maker = maker_of(c);
    if (maker == nullptr || maker->kind != "Pod" || c.pod_claim_name.empty()) continue;
    if (!c.meta.deleted) {
      entries[{c.meta.ns, maker->name, maker->uid, c.pod_claim_name}].push_back(&c);
    }
  }
  std::map<std::pair<std::string_view, std::string_view>, Finding> pods;
  for (const auto& [key, claims] : entries) {
    const auto& [ns, name, uid, entry] = key;
    if (claims.size() < 2) continue;
    Finding& f = pods[{ns, name}];
    if (f.rule == nullptr) {
      f = about(rule, {"Pod", fmt::format("{}/{}", ns, name), {}, claims.front()->meta.at});
      if (const Pod* pod = evidence.claims.pod(ns, name)) f.subject.at = pod->meta.at;
      as_sure_as_one_cluster(evidence, f);
    }
    f.facts.push_back({"entry", fmt::format("{}: {} claims", entry, claims.size())});
    for (const ResourceClaim* c : claims) f.objects.push_back(ref("ResourceClaim", c->meta));
  }
  for (auto& [key, f] : pods) {
    f.message = fmt::format("{}: {} claims were made where one is needed", f.subject.name,
                            f.objects.size());
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kClaimMadeTwice{"CLM009",
                           "claim-made-twice",
                           Severity::warning,
                           "Two claims were made for one entry of a pod",
                           "delete the one that the pod's status does not name",
                           kClaims,
                           check_claim_made_twice};

}  // namespace draudit
