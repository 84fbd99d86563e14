#include "rules/common.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace draudit {

ObjectRef ref(std::string_view kind, const Meta& meta, std::string note) {
  return {std::string{kind}, full_name(meta), std::move(note), meta.at};
}

Finding about(const Rule& rule, ObjectRef subject) {
  Finding out;
  out.rule = &rule;
  out.severity = rule.severity;
  out.mend = rule.mend;
  out.subject = std::move(subject);
  return out;
}

Finding about_node(const Rule& rule, const NodeAudit& node) {
  Finding out = about(rule, ref("Node", node.node->meta));
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

void as_sure_as_version(Finding& finding, const Audit& audit) {
  const std::string& version = audit.options.naive_version;
  if (!may_have_fix(version)) return;
  finding.certainty = Certainty::possible;
  finding.why_not_certain =
      fmt::format("whether {} already has the fix is not known to draudit", version);
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
  // Two claims that each have it alone don't share it, whatever KAI makes of that.
  const auto has_alone = [](const ResourceClaim& claim, const DeviceKey& key) {
    return claim.allocation &&
           std::any_of(claim.allocation->results.begin(), claim.allocation->results.end(),
                       [&](const DeviceResult& r) {
                         return !r.admin_access && r.share_id.empty() &&
                                DeviceKey{r.driver, r.pool, r.device} == key;
                       });
  };
  std::set<const ResourceClaim*> claims;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const DeviceUse& use = node.devices[i];
    if (devices[i].pods.size() < 2) continue;
    devices[i].device = to_string(use.key);
    devices[i].published = use.published;
    const auto alone =
        std::count_if(use.claims.begin(), use.claims.end(),
                      [&](const ResourceClaim* c) { return has_alone(*c, use.key); });
    if (alone > 1) {
      finding.facts.push_back({"not shared", fmt::format("{} is given to {} claims: "
                                                         "device-allocated-twice",
                                                         devices[i].device, alone)});
    }
    finding.devices.push_back(std::move(devices[i]));
    for (const ResourceClaim* claim : use.claims) {
      if (!claims.insert(claim).second) continue;
      finding.objects.push_back(
          ref("ResourceClaim", claim->meta,
              count_of(static_cast<Gpus>(claim->reserved_for.size()), "consumer")));
    }
  }
}

std::string kai_sentence(Gpus used, Gpus capacity) {
  return fmt::format(
      "Node didn't have enough resources: GPUs, requested: 0, used: {}, capacity: {}",
      kai_number(used), kai_number(capacity));
}

void add_idle_fact(Finding& finding, const NodeAudit& node, const Account& account) {
  const Range idle = account.figures.idle;
  if (!node.capacity.value || idle.least >= 0) return;
  finding.facts.push_back(
      {"idle",
       fmt::format("{}: KAI {} {} every pod here, even one that asks for no GPU", to_string(idle),
                   account.version, idle.most < 0 ? "refuses" : "at times refuses")});
}

std::string share_text(Gpus least, Gpus most) {
  const auto with_sign = [](Gpus g) { return (g > 0 ? "+" : "") + to_string(g); };
  if (least == most) return with_sign(least);
  return fmt::format("{}…{}", with_sign(std::min(least, most)), with_sign(std::max(least, most)));
}

void add_causes(Finding& finding, const NodeAudit& node, CausedFigure figure, Direction direction) {
  Gpus largest = 0;
  for (const CauseShare& s : node.causes) {
    const CauseInfo& cause = info(s.cause);
    if (cause.figure != figure) continue;
    if (s.naive == 0 && s.corrected_least == 0 && s.corrected_most == 0) continue;
    const std::string corrected = share_text(s.corrected_least, s.corrected_most);
    finding.facts.push_back(
        {"cause", fmt::format("{}: {} of naive, {} of corrected {}: {}", cause.name,
                              share_text(s.naive, s.naive), corrected,
                              figure == CausedFigure::capacity ? "capacity" : "used", cause.what)});
    const Gpus up = std::max({s.naive, s.corrected_most, s.corrected_least});
    const Gpus down = -std::min({s.naive, s.corrected_most, s.corrected_least});
    const Gpus size = direction == Direction::too_many  ? up
                      : direction == Direction::too_few ? down
                                                        : std::max(up, down);
    if (size > largest) {
      largest = size;
      finding.mend = cause.mend;
    }
  }
}

void add_upgrade_fact(Finding& finding, const NodeAudit& node) {
  switch (upgrade_helps(node)) {
    case UpgradeHelps::yes:
      finding.facts.push_back(
          {"upgrade", fmt::format("helps: with KAI {} idle is {}, and the node "
                                  "takes pods again",
                                  node.corrected.version, to_string(node.corrected.figures.idle))});
      break;
    case UpgradeHelps::at_times:
      finding.facts.push_back(
          {"upgrade", fmt::format("helps at times: with KAI {} idle is {}, as "
                                  "pods happen to be added",
                                  node.corrected.version, to_string(node.corrected.figures.idle))});
      break;
    case UpgradeHelps::no:
      finding.facts.push_back(
          {"upgrade", fmt::format("does not help: with KAI {} idle is still {}",
                                  node.corrected.version, to_string(node.corrected.figures.idle))});
      break;
    case UpgradeHelps::not_needed:
    case UpgradeHelps::unknown: break;
  }
}

const CauseShare* find_cause(const NodeAudit& node, Cause cause) {
  for (const CauseShare& s : node.causes) {
    if (s.cause == cause) return &s;
  }
  return nullptr;
}

void by_cause(const Audit& audit, const Rule& rule, Cause cause, std::vector<Finding>& out,
              bool also_balanced) {
  for (const NodeAudit& node : audit.nodes) {
    if (const CauseShare* found = find_cause(node, cause)) {
      const CauseShare& s = *found;
      const bool moves = s.naive != 0 || s.corrected_least != 0 || s.corrected_most != 0;
      if (!moves && !also_balanced) continue;
      const CauseInfo& c = info(cause);
      Finding f = about_node(rule, node);
      f.mend = c.mend;
      const std::string_view figure = c.figure == CausedFigure::used       ? "used"
                                      : c.figure == CausedFigure::capacity ? "capacity"
                                                                           : "idle";
      const std::string naive = share_text(s.naive, s.naive);
      const std::string corrected = share_text(s.corrected_least, s.corrected_most);
      f.message = !moves ? fmt::format("{}: {} (the errors cancel out here)", f.node, c.what)
                  : naive == corrected
                      ? fmt::format("{}: {} ({} {})", f.node, c.what, figure, naive)
                      : fmt::format("{}: {} (naive {} {}, corrected {})", f.node, c.what, figure,
                                    naive, corrected);
      for (const Pod* pod : s.pods) f.pods.push_back(full_name(pod->meta));
      for (const ResourceClaim* claim : s.claims)
        f.objects.push_back(ref("ResourceClaim", claim->meta));
      for (const DeviceKey& key : s.devices) f.facts.push_back({"device", to_string(key)});
      out.push_back(std::move(f));
    }
  }
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
