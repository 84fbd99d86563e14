#include <fmt/format.h>

#include <map>

#include "rules/devices.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// Admin access goes next to anything, but not twice into one claim: its driver prepares each
// device once. Two rows without admin access are device-allocated-twice.
void check_device_repeated_in_claim(const Evidence& evidence, const Rule& rule,
                                    std::vector<Finding>& out) {
  std::map<const ResourceClaim*, std::vector<DeviceKey>> claims;
  evidence.rows.each_device([&](std::span<const DeviceRow> rows) {
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const DeviceRow& a = rows[i - 1];
      const DeviceRow& b = rows[i];
      if (a.claim != b.claim || !a.result->share_id.empty() || !b.result->share_id.empty())
        continue;
      if (a.use != RowUse::admin && b.use != RowUse::admin) continue;
      std::vector<DeviceKey>& devices = claims[a.claim];
      if (devices.empty() || devices.back() != a.key) devices.push_back(a.key);
    }
  });
  for (const auto& [claim, devices] : claims) {
    Finding f = about(rule, "ResourceClaim", full_name(claim->meta), claim->meta.at);
    std::vector<std::string> names;
    for (const DeviceKey& key : devices) {
      names.push_back(to_string(key));
      f.facts.push_back({"device", names.back()});
    }
    f.message =
        fmt::format("{}: has {} more than once, with admin access", f.subject.name, listing(names));
    add_claims(evidence, f, {claim});
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kDeviceRepeatedInClaim{
    "DEV009",
    "device-repeated-in-claim",
    Severity::warning,
    "A claim with admin access has the same device more than once, which its driver may refuse",
    "ask for the devices in one request; run a Kubernetes release with the fix of "
    "kubernetes#131299",
    kClaims,
    check_device_repeated_in_claim};

}  // namespace draudit
