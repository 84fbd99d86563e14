#include <fmt/format.h>

#include <map>

#include "rules/devices.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// The driver changed its mind: who has a share keeps it, and the device is not given out again.
void check_share_of_unshareable_device(const Evidence& evidence, const Rule& rule,
                                       std::vector<Finding>& out) {
  std::map<const Pool*, std::vector<const DeviceRow*>> pools;
  evidence.rows.each_device([&](std::span<const DeviceRow> rows) {
    const PoolDevice* published = evidence.pools.find(rows.front().key);
    if (published == nullptr || published->device->shareable) return;
    for (const DeviceRow& row : rows) {
      if (row.use != RowUse::shared) continue;
      pools[evidence.pools.find(row.key.driver, row.key.pool)].push_back(&row);
    }
  });
  for (const auto& [pool, rows] : pools) {
    Finding f = about_pool(rule, *pool);
    std::vector<const ResourceClaim*> claims;
    std::vector<std::string> devices;
    for (const DeviceRow* row : rows) {
      claims.push_back(row->claim);
      if (devices.empty() || devices.back() != row->key.device) {
        devices.emplace_back(row->key.device);
        f.facts.push_back({"device", to_string(row->key)});
      }
    }
    f.message = fmt::format("{}: shares of {} are allocated, and the slice does not allow shares",
                            f.subject.name, listing(devices));
    add_claims(evidence, f, claims);
    as_sure_as_pool(evidence, f, pool);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kShareOfUnshareableDevice{
    "DEV004",
    "share-of-unshareable-device",
    Severity::warning,
    "Shares of a device are allocated that its slice does not (or no longer) let be shared",
    "let the driver allow multiple allocations again, or end the pods that share",
    kClaimsSlices,
    check_share_of_unshareable_device};

}  // namespace draudit
