#include <fmt/format.h>

#include <algorithm>

#include "rules/devices.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// The API server lets no driver write this, so the input is not what the server had.
void check_status_of_other_device(const Evidence& evidence, const Rule& rule,
                                  std::vector<Finding>& out) {
  for (const ResourceClaim& claim : evidence.audit.snapshot->claims) {
    if (!claim.controller.empty()) continue;
    std::vector<std::string> devices;
    for (const DeviceStatus& s : claim.device_statuses) {
      const bool given = claim.allocation &&
                         std::any_of(claim.allocation->results.begin(),
                                     claim.allocation->results.end(), [&](const DeviceResult& r) {
                                       return r.driver == s.driver && r.pool == s.pool &&
                                              r.device == s.device && r.share_id == s.share_id;
                                     });
      if (!given) devices.push_back(to_string(DeviceKey{s.driver, s.pool, s.device}));
    }
    if (devices.empty()) continue;
    Finding f = about(rule, "ResourceClaim", full_name(claim.meta), claim.meta.at);
    f.message = fmt::format("{}: has a status of {}, which {} not allocated to it", f.subject.name,
                            listing(devices), devices.size() == 1 ? "is" : "are");
    for (const std::string& d : devices) f.facts.push_back({"device", d});
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kStatusOfOtherDevice{
    "DEV013",
    "status-of-other-device",
    Severity::error,
    "A claim has the status of a device that it was not given: no API server lets that be stored",
    "see how this input was made: it was edited, merged or damaged",
    kClaims,
    check_status_of_other_device};

}  // namespace draudit
