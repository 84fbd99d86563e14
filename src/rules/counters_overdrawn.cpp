#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rules/devices.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

struct Use {
  std::map<std::string_view, Quantity> counters;
  std::vector<const DeviceRow*> rows;  ///< of the devices that consume
};

// A device consumes its counters once, however many share it; admin access consumes nothing.
std::map<std::string_view, Use> consumption(const Evidence& evidence, const Pool& pool) {
  std::map<std::string_view, Use> out;
  for (const PoolDevice& d : pool.devices) {
    if (!d.device->details || d.device->details->consumes.empty()) continue;
    std::vector<const DeviceRow*> rows;
    for (const DeviceRow& row : evidence.rows.of({pool.driver, pool.name, d.name})) {
      if (row.use != RowUse::admin) rows.push_back(&row);
    }
    if (rows.empty()) continue;
    for (const CounterSet& consumed : d.device->details->consumes) {
      Use& use = out[consumed.name];
      for (const ResourceAmount& c : consumed.counters) use.counters[c.resource] += c.amount;
      use.rows.insert(use.rows.end(), rows.begin(), rows.end());
    }
  }
  return out;
}

void check_counters_overdrawn(const Evidence& evidence, const Rule& rule,
                              std::vector<Finding>& out) {
  for (const Pool& pool : evidence.pools.all()) {
    std::map<std::string_view, const CounterSet*> sets;
    for (const ResourceSlice* slice : pool.slices) {
      for (const CounterSet& set : slice->counter_sets) sets.emplace(set.name, &set);
    }
    // What a repeated set or device stands for, nobody can tell: pool-invalid says that.
    if (sets.empty() || !pool.repeated_sets.empty() || !pool.repeated_devices.empty()) continue;
    for (const auto& [name, use] : consumption(evidence, pool)) {
      const auto set = sets.find(name);
      if (set == sets.end()) continue;
      std::vector<Fact> overdrawn;
      for (const auto& [counter, consumed] : use.counters) {
        const auto available = find(set->second->counters, counter);
        if (!available || consumed <= *available) continue;
        overdrawn.push_back({"counter", fmt::format("{}: {} consumed, {} there", counter,
                                                    to_string(consumed), to_string(*available))});
      }
      if (overdrawn.empty()) continue;
      Finding f = about(rule, "CounterSet", fmt::format("{}/{}", pool.full_name(), name),
                        pool.slices.front()->meta.at);
      f.node = pool.node();
      std::vector<const ResourceClaim*> claims;
      std::vector<std::string> devices;
      for (const DeviceRow* row : use.rows) {
        claims.push_back(row->claim);
        if (devices.empty() || devices.back() != row->key.device) {
          devices.emplace_back(row->key.device);
        }
      }
      f.message = fmt::format("{}: the devices in use consume more than there is: {}",
                              f.subject.name, overdrawn.front().text);
      if (overdrawn.size() > 1) f.message += fmt::format(" and {} more", overdrawn.size() - 1);
      f.facts = std::move(overdrawn);
      for (const std::string& d : devices) f.facts.push_back({"in use", d});
      add_claims(evidence, f, claims);
      as_sure_as_pool(evidence, f, &pool);
      out.push_back(std::move(f));
    }
  }
}

}  // namespace

const Rule kCountersOverdrawn{
    "DEV005",
    "counters-overdrawn",
    Severity::error,
    "Devices that exclude each other are in use: together they consume more of a counter than "
    "their pool has",
    "end pods until what is consumed fits; run a scheduler that counts the devices of every pool",
    kClaimsSlices,
    check_counters_overdrawn};

}  // namespace draudit
