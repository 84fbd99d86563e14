#include <fmt/format.h>

#include <map>

#include "rules/devices.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// Shares of one device must fit in it. A share that doesn't name a capacity takes none of it.
void check_capacity_overdrawn(const Evidence& evidence, const Rule& rule,
                              std::vector<Finding>& out) {
  evidence.rows.each_device([&](std::span<const DeviceRow> rows) {
    std::map<std::string_view, Quantity> consumed;
    std::vector<const ResourceClaim*> claims;
    std::vector<Fact> facts;
    const DeviceKey& key = rows.front().key;
    for (const DeviceRow& row : rows) {
      if (row.use != RowUse::shared) continue;
      claims.push_back(row.claim);
      for (const ResourceAmount& a : row.result->consumed) {
        const std::string_view name = short_name(key.driver, a.resource);
        consumed[name] += a.amount;
        if (a.amount < Quantity{}) {
          facts.push_back({"negative", fmt::format("{} of {} by {}", to_string(a.amount), name,
                                                   full_name(row.claim->meta))});
        }
      }
    }
    if (claims.empty()) return;
    const PoolDevice* published = evidence.pools.find(key);
    std::string worst = facts.empty() ? std::string{} : "a share of less than nothing is allocated";
    bool by_slice = false;
    if (published != nullptr && published->device->details) {
      for (const ResourceAmount& there : published->device->details->capacity) {
        const std::string_view name = short_name(key.driver, there.resource);
        const auto it = consumed.find(name);
        if (it == consumed.end() || it->second <= there.amount) continue;
        by_slice = true;
        const std::string text = fmt::format("{}: {} given out, {} there", name,
                                             to_string(it->second), to_string(there.amount));
        if (worst.empty()) worst = "more is given out than it has: " + text;
        facts.push_back({"capacity", text});
      }
    }
    if (facts.empty()) return;
    Finding f = about_device(evidence, rule, key, *claims.front());
    f.node = node_of(evidence, rows.front());
    f.message = fmt::format("{}: {}", f.subject.name, worst);
    f.facts = std::move(facts);
    add_claims(evidence, f, claims);
    if (by_slice) as_sure_as_pool(evidence, f, evidence.pools.find(key.driver, key.pool));
    out.push_back(std::move(f));
  });
}

}  // namespace

const Rule kCapacityOverdrawn{
    "DEV008",
    "capacity-overdrawn",
    Severity::error,
    "The shares of a device add up to more than its capacity, or one of them is negative",
    "end pods until the shares fit; see whether the driver lowered the capacity afterwards",
    kClaimsSlices,
    check_capacity_overdrawn};

}  // namespace draudit
