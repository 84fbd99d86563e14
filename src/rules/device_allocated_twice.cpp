#include <fmt/format.h>

#include <map>
#include <tuple>

#include "rules/devices.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

using Claims = std::vector<const ResourceClaim*>;

// Claims alone decide, and a list of claims is of one moment: no age makes this doubtful.
void check_device_allocated_twice(const Evidence& evidence, const Rule& rule,
                                  std::vector<Finding>& out) {
  // Devices of one pool that the same claims hold have one cause.
  std::map<std::tuple<std::string_view, std::string_view, Claims>, std::vector<const DeviceRow*>>
      groups;
  evidence.rows.each_device([&](std::span<const DeviceRow> rows) {
    Claims claims;
    for (const DeviceRow& row : rows) {
      if (row.use == RowUse::dedicated) claims.push_back(row.claim);
    }
    if (claims.size() < 2) return;
    groups[{rows.front().key.driver, rows.front().key.pool, claims}].push_back(&rows.front());
  });
  for (const auto& [group, devices] : groups) {
    const Claims& claims = std::get<Claims>(group);
    const DeviceRow& first = *devices.front();
    Finding f = about_device(evidence, rule, first.key, *claims.front());
    f.node = node_of(evidence, first);
    add_claims(evidence, f, claims);
    const std::string what =
        devices.size() == 1
            ? f.subject.name
            : fmt::format("{} and {}", f.subject.name,
                          count_of(static_cast<Gpus>(devices.size() - 1), "more device of the pool",
                                   "more devices of the pool"));
    f.message = f.objects.size() == 1
                    ? fmt::format("{}: given twice to claim {}", what, f.objects.front().name)
                    : fmt::format("{}: given to {} claims, to each for itself alone", what,
                                  f.objects.size());
    for (const DeviceRow* row : devices) f.facts.push_back({"device", to_string(row->key)});
    as_sure_as_one_cluster(evidence, f);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kDeviceAllocatedTwice{
    "DEV001",
    "device-allocated-twice",
    Severity::error,
    "A device that only one claim may have is allocated to two, or twice to one",
    "end the pods of all but one of these claims, and run a Kubernetes release with the fix of "
    "kubernetes#136269",
    kClaims,
    check_device_allocated_twice};

}  // namespace draudit
