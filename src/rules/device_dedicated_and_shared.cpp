#include <fmt/format.h>

#include "rules/devices.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// Whoever has a device for himself alone shares it with nobody.
void check_device_dedicated_and_shared(const Evidence& evidence, const Rule& rule,
                                       std::vector<Finding>& out) {
  evidence.rows.each_device([&](std::span<const DeviceRow> rows) {
    std::vector<const ResourceClaim*> alone;
    std::vector<const ResourceClaim*> all;
    for (const DeviceRow& row : rows) {
      if (row.use == RowUse::dedicated) alone.push_back(row.claim);
      if (row.use != RowUse::admin) all.push_back(row.claim);
    }
    // With more than one of them, device-allocated-twice says it.
    if (alone.size() != 1 || all.size() == 1) return;
    Finding f = about_device(evidence, rule, rows.front().key, *alone.front());
    f.node = node_of(evidence, rows.front());
    f.message = fmt::format("{}: claim {} has it for itself alone, and {} of it", f.subject.name,
                            full_name(alone.front()->meta),
                            count_of(static_cast<Gpus>(all.size() - 1), "other claim has a share",
                                     "other claims have shares"));
    add_claims(evidence, f, all);
    as_sure_as_one_cluster(evidence, f);
    out.push_back(std::move(f));
  });
}

}  // namespace

const Rule kDeviceDedicatedAndShared{
    "DEV002",
    "device-dedicated-and-shared",
    Severity::error,
    "A device is allocated to one claim for itself alone, and shares of it to others",
    "end the pods of one side; let a driver switch allowMultipleAllocations on idle devices only",
    kClaims,
    check_device_dedicated_and_shared};

}  // namespace draudit
