#include "rules/common.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace draudit {

ObjectRef ref(std::string_view kind, const Meta& meta, std::string note) {
  return {std::string{kind}, full_name(meta), std::move(note), meta.at};
}

Finding about_node(const Rule& rule, const NodeAudit& node) {
  Finding out;
  out.rule = &rule;
  out.severity = rule.severity;
  out.subject = ref("Node", node.node->meta);
  out.node = node.node->meta.name;
  return out;
}

void as_sure_as_capacity(Finding& finding, const NodeAudit& node) {
  finding.certainty = std::min(finding.certainty, node.capacity.certainty);
  switch (node.capacity.source) {
    case CapacitySource::allocatable:
      finding.why_not_certain =
          "capacity is what the device plugin offers: no ResourceSlice was in the input";
      break;
    case CapacitySource::label:
      finding.why_not_certain =
          "capacity is the label nvidia.com/gpu.count: no ResourceSlice was in the input";
      break;
    case CapacitySource::slices_and_allocatable:
    case CapacitySource::flag:
    case CapacitySource::unknown: break;
  }
}

Gpus counted_twice(const NodeAudit& node) {
  return node.naive.figures.used.least - node.corrected.figures.used.most;
}

void add_shared_devices(Finding& finding, const NodeAudit& node) {
  std::vector<DeviceEvidence> devices(node.devices.size());
  for (const Step& step : node.corrected.steps) {
    const Charge& charge = node.corrected.charges[step.charge];
    for (const DeviceTouch& touch : step.touched) {
      devices[touch.device].pods.push_back({full_name(charge.pod->meta), touch.before > 0});
    }
  }
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const DeviceUse& use = node.devices[i];
    if (devices[i].pods.size() < 2) continue;
    devices[i].device = to_string(use.key);
    devices[i].published = use.published;
    finding.devices.push_back(std::move(devices[i]));
    for (const ResourceClaim* claim : use.claims) {
      const std::string name = full_name(claim->meta);
      const bool known =
          std::any_of(finding.objects.begin(), finding.objects.end(),
                      [&](const ObjectRef& o) { return o.kind == "ResourceClaim" && o.name == name; });
      if (known) continue;
      finding.objects.push_back(
          ref("ResourceClaim", claim->meta,
              count_of(static_cast<Gpus>(claim->reserved_for.size()), "consumer")));
    }
  }
}

std::string kai_sentence(Gpus used, Gpus capacity) {
  return fmt::format("Node didn't have enough resources: GPUs, requested: 0, used: {}, capacity: {}",
                     kai_number(used), kai_number(capacity));
}

void add_idle_fact(Finding& finding, const Account& account) {
  const Range idle = account.figures.idle;
  if (idle.least >= 0) return;
  finding.facts.push_back(
      {"idle", fmt::format("{}: KAI {} {} every pod here, even one that asks for no GPU",
                           to_string(idle), account.version,
                           idle.most < 0 ? "refuses" : "at times refuses")});
}

std::string count_of(Gpus n, std::string_view singular, std::string_view plural) {
  if (n == 1) return fmt::format("1 {}", singular);
  if (plural.empty()) return fmt::format("{} {}s", n, singular);
  return fmt::format("{} {}", n, plural);
}

std::string_view to_string(ClaimTrouble trouble) {
  switch (trouble) {
    case ClaimTrouble::none: return "none";
    case ClaimTrouble::missing: return "missing";
    case ClaimTrouble::other_namespace: return "other-namespace";
    case ClaimTrouble::not_created: return "not-created";
    case ClaimTrouble::unallocated: return "unallocated";
  }
  return "none";
}

}  // namespace draudit
