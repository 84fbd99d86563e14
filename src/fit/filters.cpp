#include "fit/filters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "draudit/selector.hpp"

namespace draudit {
namespace {

constexpr std::string_view kUnschedulable = "node.kubernetes.io/unschedulable";

bool selected(const Placement& placement, const Node& node) {
  return std::all_of(placement.node_selector.begin(), placement.node_selector.end(),
                     [&](const KeyValue& kv) { return find(node.labels, kv.key) == kv.value; }) &&
         (!placement.required || matches(*placement.required, node));
}

bool tolerated(const Placement& placement, const Taint& taint) {
  return std::any_of(placement.tolerations.begin(), placement.tolerations.end(),
                     [&](const Toleration& t) { return tolerates(t, taint); });
}

}  // namespace

std::vector<std::string> filters_of(const Index& index, const Pod& pod, const Node& node) {
  std::vector<std::string> out;
  static const Placement kNone;
  const Placement& placement = pod.placement ? *pod.placement : kNone;
  if (!selected(placement, node)) {
    out.emplace_back("node(s) didn't match Pod's node affinity/selector");
  }
  const Taint cordon{.key = kUnschedulable, .effect = TaintEffect::no_schedule};
  if (node.unschedulable && !tolerated(placement, cordon)) {
    out.emplace_back("node(s) were unschedulable");
  }
  for (const Taint& taint : node.taints) {
    if (taint.effect != TaintEffect::no_schedule && taint.effect != TaintEffect::no_execute) {
      continue;
    }
    if (taint.key == kUnschedulable && node.unschedulable) continue;
    if (tolerated(placement, taint)) continue;
    out.push_back(fmt::format("node(s) had untolerated taint {{{}: {}}}", taint.key, taint.value));
    break;  // the scheduler names the first
  }
  for (const PodClaim& entry : pod.claims) {
    const ClaimUse use = index.resolve(pod, entry);
    if (use.claim == nullptr || !use.claim->allocation) continue;
    const auto& selector = use.claim->allocation->node_selector;
    if (selector && !matches(*selector, node)) {
      out.emplace_back("resourceclaim not available on the node");
      break;
    }
  }
  return out;
}

std::vector<std::string> unknowns_of(const Index& index, const Pod& pod) {
  std::vector<std::string> out;
  const auto selects = [&](std::string_view name) {
    const auto& classes = index.snapshot().device_classes;
    return std::any_of(classes.begin(), classes.end(), [&](const DeviceClass& c) {
      return c.meta.name == name && c.selects && !contains_gpu(name);
    });
  };
  for (const PodClaim& entry : pod.claims) {
    const ClaimUse use = index.resolve(pod, entry);
    if (use.trouble == ClaimTrouble::missing || use.trouble == ClaimTrouble::other_namespace) {
      out.push_back(fmt::format("claim {}: there is none of that name", use.name));
    }
    if (use.trouble == ClaimTrouble::not_created) {
      out.push_back(fmt::format("a claim from template {}: it is not made yet", use.name));
    }
    if (use.claim == nullptr || use.claim->allocation) continue;
    if (std::any_of(use.claim->requests.begin(), use.claim->requests.end(),
                    [&](const DeviceRequest& r) { return r.selects || selects(r.device_class); })) {
      out.push_back(
          fmt::format("claim {}: which devices its CEL selectors take", use.claim->meta.name));
    }
  }
  if (!pod.placement) return out;
  if (pod.placement->pod_affinity) out.emplace_back("affinity between pods");
  if (pod.placement->volume_claims) out.emplace_back("volumes of PersistentVolumeClaims");
  return out;
}

}  // namespace draudit
