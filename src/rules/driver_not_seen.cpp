#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "rules/devices.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// Nothing says which pods are a driver's. Its kubelet plugin is most often a DaemonSet whose name
// has the vendor's and one of these.
bool looks_like_driver(std::string_view pod, std::string_view vendor) {
  const auto has = [pod](std::string_view part) { return pod.find(part) != pod.npos; };
  return has(vendor) && (has("dra-") || has("-dra") || has("kubelet-plugin"));
}

// "nvidia" of gpu.nvidia.com, "google" of tpu.google.com; too short a word says nothing.
std::string_view vendor_of(std::string_view driver) {
  const std::size_t end = driver.rfind('.');
  if (end == std::string_view::npos || end == 0) return {};
  const std::size_t dot = driver.rfind('.', end - 1);
  const std::size_t begin = dot == std::string_view::npos ? 0 : dot + 1;
  const std::string_view word = driver.substr(begin, end - begin);
  return word.size() < 3 || word == "example" ? std::string_view{} : word;
}

void check_driver_not_seen(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  const Snapshot& s = *evidence.audit.snapshot;
  std::map<std::string_view, std::set<std::string_view>> nodes;  // with slices, by driver
  for (const Pool& pool : evidence.pools.all()) {
    for (const ResourceSlice* slice : pool.slices) {
      if (!slice->node.empty() && s.node(slice->node) != nullptr) {
        nodes[pool.driver].insert(slice->node);
      }
    }
  }
  std::map<std::string_view, std::vector<const Pod*>> pods;  // by vendor
  for (const auto& [driver, on] : nodes) {
    if (const std::string_view v = vendor_of(driver); !v.empty()) pods[v];
  }
  for (const Pod& pod : s.pods) {
    if (pod.node.empty() || pod.phase != Phase::running) continue;
    for (auto& [vendor, of] : pods) {
      if (looks_like_driver(pod.meta.name, vendor)) of.push_back(&pod);
    }
  }
  for (const auto& [driver, on] : nodes) {
    const auto it = pods.find(vendor_of(driver));
    if (it == pods.end()) continue;
    std::set<std::string_view> running;
    for (const Pod* pod : it->second) running.insert(pod->node);
    std::vector<std::string> without;
    for (const std::string_view node : on) {
      if (!running.contains(node)) without.emplace_back(node);
    }
    // Only where most nodes show how the driver's pods are called.
    if (without.empty() || 2 * without.size() >= on.size()) continue;
    Finding f = about(rule, "Driver", std::string{driver}, s.node(without.front())->meta.at);
    if (without.size() == 1) f.node = without.front();
    f.message = fmt::format("{}: publishes devices on {}, and no pod of it is seen running there",
                            driver, listing(without));
    for (const std::string& node : without) f.facts.push_back({"node", node});
    f.facts.push_back({"elsewhere it is", full_name(it->second.front()->meta)});
    demote(f, Certainty::possible, "which pods are the driver's is guessed from their names");
    out.push_back(std::move(f));
  }
}

constexpr std::array kDriverNotSeenNeeds = {Kind::pod, Kind::node, Kind::slice};

}  // namespace

const Rule kDriverNotSeen{
    "SLC008",
    "driver-not-seen",
    Severity::note,
    "Devices are published on a node on which no pod of their driver seems to run",
    "see whether the driver's DaemonSet covers that node: without it no new pod starts there",
    kDriverNotSeenNeeds,
    check_driver_not_seen};

}  // namespace draudit
