#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "rules/devices.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

struct Vendor {
  std::string_view name;      ///< part of its drivers' names
  std::string_view resource;  ///< prefix of what its device plugin offers
  std::string_view count;     ///< label with the number of GPUs, or empty
};
constexpr std::array kVendors = {
    Vendor{"nvidia", "nvidia.com/gpu", "nvidia.com/gpu.count"},
    Vendor{"amd", "amd.com/gpu", {}},
    Vendor{"intel", "gpu.intel.com/", {}},
};

bool is_gpu_of(const Vendor& vendor, const DeviceKey& key) {
  return contains_gpu(key.driver) && key.driver.find(vendor.name) != std::string_view::npos &&
         key.device.find("vfio") == std::string_view::npos &&
         key.device.find("-mig-") == std::string_view::npos;
}

std::int64_t of_vendor(const Vendor& vendor, const std::vector<ResourceAmount>& amounts) {
  std::int64_t out = 0;
  for (const ResourceAmount& a : amounts) {
    const bool whole = vendor.resource.ends_with('/') ? a.resource.starts_with(vendor.resource)
                                                      : a.resource == vendor.resource;
    if (whole) out += a.amount.value();
  }
  return out;
}

std::int64_t label_of(const Node& node, std::string_view key) {
  const auto text = key.empty() ? std::nullopt : find(node.labels, key);
  std::int64_t n = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), n);
  return n;
}

struct OnNode {
  std::set<DeviceKey> held;                  ///< by claims of living pods
  std::vector<const ResourceClaim*> claims;  ///< that hold them
  std::vector<const Pod*> plugin_pods;
  std::int64_t plugin = 0;
};

// The device plugin and the claims each keep a book of their own, and neither looks into the
// other. Which GPUs the plugin gave out is in no object.
void check_vendor(const Evidence& evidence, const Rule& rule, const Vendor& vendor,
                  std::vector<Finding>& out) {
  const Snapshot& s = *evidence.audit.snapshot;
  std::map<std::string_view, std::int64_t> offered;  // by claims, on nodes with a device plugin
  std::set<std::string_view> partly;                 // nodes of pools that are not whole
  for (const Pool& pool : evidence.pools.all()) {
    const bool whole = pool.complete() && pool.counts_agree && pool.older.empty();
    for (const PoolDevice& d : pool.devices) {
      if (!is_gpu_of(vendor, {pool.driver, pool.name, d.name})) continue;
      const std::string_view node = node_of(d);
      if (node.empty()) continue;
      ++offered[node];
      if (!whole) partly.insert(node);
    }
  }
  std::map<std::string_view, OnNode> nodes;
  for (const auto& [name, devices] : offered) {
    const Node* node = s.node(name);
    if (node != nullptr && of_vendor(vendor, node->allocatable) > 0) nodes[name];
  }
  if (nodes.empty()) return;
  for (const Pod& pod : s.pods) {
    if (pod.node.empty() || has_ended(pod)) continue;
    const auto it = nodes.find(pod.node);
    if (it == nodes.end()) continue;
    std::int64_t asked = 0;
    std::int64_t first = 0;
    for (const Container& c : pod.containers) {
      const std::int64_t n = of_vendor(vendor, c.requests);
      (c.kind == ContainerKind::init ? first : asked) += n;
    }
    // A container that asks for an extended resource which a claim stands for has no second GPU.
    asked = pod.extended_claim.empty() ? std::max(asked, first) : 0;
    if (asked == 0) continue;
    it->second.plugin += asked;
    it->second.plugin_pods.push_back(&pod);
  }
  evidence.rows.each_device([&](std::span<const DeviceRow> rows) {
    if (!is_gpu_of(vendor, rows.front().key)) return;
    const auto it = nodes.find(node_of(evidence, rows.front()));
    if (it == nodes.end()) return;
    for (const DeviceRow& row : rows) {
      if (row.use == RowUse::admin || living_consumers(s, *row.claim).empty()) continue;
      it->second.held.insert(row.key);
      it->second.claims.push_back(row.claim);
    }
  });
  for (const auto& [name, use] : nodes) {
    if (use.plugin == 0 || use.held.empty()) continue;
    const Node& node = *s.node(name);
    const std::int64_t allocatable = of_vendor(vendor, node.allocatable);
    const std::int64_t label = label_of(node, vendor.count);
    const std::int64_t there = std::max({label, allocatable, offered[name]});
    // Slots of shared GPUs: how many GPUs they are on, the device plugin alone knows.
    const bool slots = label_of(node, "nvidia.com/gpu.replicas") > 1;
    const auto held = static_cast<std::int64_t>(use.held.size());
    Finding f = about(rule, "Node", std::string{name}, node.meta.at);
    f.node = name;
    const bool over = !slots && use.plugin + held > there;
    f.message =
        fmt::format("{}: pods hold {} by claims and {} by the device plugin, of {} of {}: {}", name,
                    held, use.plugin, count_of(there, "GPU"), vendor.name,
                    over ? "some are used twice" : "nothing keeps them apart");
    f.facts.push_back(
        {"by device plugin", fmt::format("{} allocatable, {} asked for", allocatable, use.plugin)});
    f.facts.push_back({"by claims", fmt::format("{} published, {} held", offered[name], held)});
    if (label > 0) f.facts.push_back({std::string{vendor.count}, std::to_string(label)});
    add_claims(evidence, f, use.claims);
    for (const Pod* pod : use.plugin_pods) {
      std::string name_of = full_name(pod->meta);
      if (std::find(f.pods.begin(), f.pods.end(), name_of) == f.pods.end()) {
        f.pods.push_back(std::move(name_of));  // a pod may do both
      }
    }
    if (!over) {
      f.severity = Severity::warning;
      demote(f, Certainty::possible,
             "which GPUs the device plugin gave out is not in the dump: they may be others");
    } else if (label != there) {
      demote(f, Certainty::likely,
             "the device plugin and the DRA driver may offer different GPUs, and no label says how "
             "many there are");
    }
    if (partly.contains(name)) {
      demote(f, Certainty::likely, "a pool of this node is not whole in the input");
    }
    as_sure_as_one_cluster(evidence, f);
    out.push_back(std::move(f));
  }
}

void check_gpus_in_two_books(const Evidence& evidence, const Rule& rule,
                             std::vector<Finding>& out) {
  for (const Vendor& vendor : kVendors) check_vendor(evidence, rule, vendor, out);
}

constexpr std::array kGpusInTwoBooksNeeds = {Kind::pod, Kind::claim, Kind::node, Kind::slice};

}  // namespace

const Rule kGpusInTwoBooks{
    "DEV007",
    "gpus-in-two-books",
    Severity::error,
    "Pods take GPUs of a node through the device plugin and through claims, and neither knows of "
    "the other",
    "offer the GPUs of a node in one way only: turn the device plugin or the DRA driver off there",
    kGpusInTwoBooksNeeds,
    check_gpus_in_two_books};

}  // namespace draudit
