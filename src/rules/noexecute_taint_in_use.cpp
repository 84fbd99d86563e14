#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rules/registry.hpp"
#include "rules/skew.hpp"
#include "rules/taints.hpp"

namespace draudit {
namespace {

// Time to be evicted in: what is tolerated for a while, and the controller's own.
bool is_due(const Evidence& evidence, const DeviceRow& row, const Taint& taint) {
  const Toleration* t = toleration_for(row, taint);
  if (t == nullptr) return true;
  // Without a time nothing says that it has run out.
  return older(evidence, taint.added, std::max<std::int64_t>(*t->seconds, 0));
}

void check_noexecute_taint_in_use(const Evidence& evidence, const Rule& rule,
                                  std::vector<Finding>& out) {
  const std::int64_t grace = evidence.audit.options.grace.reservation;
  for (TaintedUse& use : tainted_uses(evidence, TaintEffect::no_execute)) {
    std::vector<const Pod*> pods;
    std::vector<const ResourceClaim*> claims;
    std::erase_if(use.rows, [&](const DeviceRow* row) {
      if (!is_due(evidence, *row, *use.taint)) return true;
      bool stays = false;
      for (const Pod* pod : living_consumers(*evidence.audit.snapshot, *row->claim)) {
        // What is being deleted is being evicted; what has no node is not there yet.
        if (pod->meta.deleted || pod->node.empty()) continue;
        stays = true;
        pods.push_back(pod);
      }
      if (stays) claims.push_back(row->claim);
      return !stays;
    });
    if (use.rows.empty()) continue;
    Finding f = about_taint(rule, use);
    f.node = node_of(evidence, *use.rows.front());
    add_claims(evidence, f, claims);
    const std::set<const Pod*> distinct(pods.begin(), pods.end());
    std::vector<std::string> names;
    for (const Pod* pod : distinct) {
      names.push_back(full_name(pod->meta));
      if (pod->node != f.node) f.node.clear();
    }
    std::sort(names.begin(), names.end());
    f.pods = std::move(names);
    f.message = fmt::format("{}: {} not evicted from {}", f.subject.name,
                            count_of(static_cast<Gpus>(f.pods.size()), "pod is", "pods are"),
                            count_of(static_cast<Gpus>(use.devices()), "device"));
    if (use.rule != nullptr) f.message += fmt::format(" with taint {}", to_string(*use.taint));
    if (younger(evidence, use.taint->added, grace)) {
      demote(f, Certainty::possible,
             fmt::format("the taint is younger than {} s: they may just be being evicted", grace));
    }
    as_sure_as_source(f, use);
    as_sure_as_one_cluster(evidence, f);
    out.push_back(std::move(f));
  }
}

constexpr std::array kNoexecuteTaintInUseNeeds = {Kind::pod, Kind::claim, Kind::slice};

}  // namespace

const Rule kNoExecuteTaintInUse{
    "TNT001",
    "noexecute-taint-in-use",
    Severity::error,
    "Pods use a device with a NoExecute taint that they don't tolerate, and are not evicted",
    "delete the pods; see whether kube-controller-manager evicts (it spares pods of extended "
    "resources before kubernetes#142289)",
    kNoexecuteTaintInUseNeeds,
    check_noexecute_taint_in_use};

}  // namespace draudit
