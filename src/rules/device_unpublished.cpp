#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "draudit/selector.hpp"
#include "rules/devices.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// dranet takes an allocated NIC off its slice, since it moves into the pod.
bool hides_devices(std::string_view driver) { return driver == "dra.net"; }

// Where that changes what KAI counts, device-withdrawn or slices-missing says it of the node.
std::set<DeviceKey> said_of_nodes(const Audit& audit) {
  std::set<DeviceKey> out;
  for (const NodeAudit& node : audit.nodes) {
    const CauseShare* cause = find_cause(node, Cause::unpublished_device);
    if (cause != nullptr) out.insert(cause->devices.begin(), cause->devices.end());
  }
  return out;
}

// Slices go with their node. Rules about nodes say that it is gone, or missing from the input.
bool node_is_gone(const Evidence& evidence, const ResourceClaim& claim) {
  const Snapshot& s = *evidence.audit.snapshot;
  if (!s.of(Kind::node).known()) return false;
  if (const auto& selector = claim.allocation->node_selector) {
    const std::string_view node = pinned_node(*selector);
    if (!node.empty()) return s.node(node) == nullptr;
  }
  const std::vector<const Pod*> pods = living_consumers(s, claim);
  return !pods.empty() && std::all_of(pods.begin(), pods.end(), [&](const Pod* p) {
    return !p->node.empty() && s.node(p->node) == nullptr;
  });
}

void check_device_unpublished(const Evidence& evidence, const Rule& rule,
                              std::vector<Finding>& out) {
  const std::set<DeviceKey> said = said_of_nodes(evidence.audit);
  std::map<std::pair<std::string_view, std::string_view>, std::vector<const DeviceRow*>> pools;
  for (const DeviceRow& row : evidence.rows.all()) {
    if (evidence.pools.find(row.key) != nullptr || said.contains(row.key)) continue;
    const Pool* pool = evidence.pools.find(row.key.driver, row.key.pool);
    // Of a pool that is not whole, pool-incomplete (or slice-counts-disagree) says it.
    if (pool != nullptr && (!pool->complete() || !pool->counts_agree)) continue;
    if (node_is_gone(evidence, *row.claim)) continue;
    pools[{row.key.driver, row.key.pool}].push_back(&row);
  }
  for (const auto& [key, rows] : pools) {
    const Pool* pool = evidence.pools.find(key.first, key.second);
    const DeviceRow& first = *rows.front();
    Finding f = about(rule, "Pool", fmt::format("{}/{}", key.first, key.second),
                      pool == nullptr ? first.claim->meta.at : pool->slices.front()->meta.at);
    f.node = pool == nullptr ? node_of(evidence, first) : pool->node();
    std::vector<const ResourceClaim*> claims;
    std::vector<std::string> devices;
    for (const DeviceRow* row : rows) {
      claims.push_back(row->claim);
      if (!devices.empty() && devices.back() == row->key.device) continue;
      devices.emplace_back(row->key.device);
      f.facts.push_back({"device", to_string(row->key)});
    }
    f.message = fmt::format(
        "{}: {} allocated, and {}", f.subject.name,
        devices.size() == 1 ? devices.front() + " is" : listing(devices) + " are",
        pool == nullptr ? "the pool has no slice"
                        : fmt::format("no slice of generation {} has {}", pool->generation,
                                      devices.size() == 1 ? "it" : "them"));
    add_claims(evidence, f, claims);
    if (hides_devices(key.first)) {
      f.severity = Severity::note;
      f.mend = "nothing, where the driver takes allocated devices off its slices by design";
    }
    as_sure_as_pool(evidence, f, pool);
    as_sure_as_input(evidence, f);
    // All of them too new, or their slices: the two lists may have missed each other.
    const bool young = std::all_of(claims.begin(), claims.end(), [&](const ResourceClaim* c) {
      return fresh(evidence, c->meta);
    });
    if (young) as_sure_as_age(evidence, f, "ResourceClaim", claims.front()->meta);
    if (pool != nullptr) {
      for (const ResourceSlice* s : pool->slices) {
        as_sure_as_age(evidence, f, "ResourceSlice", s->meta);
      }
    }
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kDeviceUnpublished{"SLC001",
                              "device-unpublished",
                              Severity::warning,
                              "An allocated device is in no ResourceSlice of its pool",
                              "see whether the driver runs on that node and why it left the device "
                              "out",
                              kClaimsSlices,
                              check_device_unpublished};

}  // namespace draudit
