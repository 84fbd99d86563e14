#include <fmt/format.h>

#include <map>

#include "rules/devices.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// What the driver says of devices that it was asked to prepare. A pool's devices fail together.
void check_device_not_ready(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  struct Pooled {
    std::vector<const ResourceClaim*> claims;
    std::vector<std::string> devices;
    std::vector<Fact> facts;
    bool settled = false;  ///< one of them is so for longer than the grace
  };
  std::map<std::pair<std::string_view, std::string_view>, Pooled> pools;
  for (const ResourceClaim& claim : evidence.audit.snapshot->claims) {
    if (!claim.allocation) continue;
    for (const DeviceStatus& s : claim.device_statuses) {
      for (const Condition& c : s.conditions) {
        if (c.type != "Ready" || c.status != "False") continue;
        Pooled& p = pools[{s.driver, s.pool}];
        p.claims.push_back(&claim);
        p.devices.emplace_back(s.device);
        std::string why = c.reason.empty() ? "no reason given" : std::string{c.reason};
        if (!c.message.empty()) why += fmt::format(": {}", c.message);
        p.facts.push_back({std::string{s.device}, why});
        p.settled =
            p.settled || !younger(evidence, c.changed, evidence.audit.options.grace.reservation);
      }
    }
  }
  for (const auto& [key, p] : pools) {
    Finding f =
        about(rule, "Pool", fmt::format("{}/{}", key.first, key.second), p.claims.front()->meta.at);
    if (const Pool* pool = evidence.pools.find(key.first, key.second)) f.node = pool->node();
    f.message = fmt::format(
        "{}: the driver says that {} not ready", f.subject.name,
        p.devices.size() == 1 ? p.devices.front() + " is" : listing(p.devices) + " are");
    f.facts = p.facts;
    add_claims(evidence, f, p.claims);
    if (!p.settled) {
      demote(f, Certainty::possible,
             fmt::format("so for less than {} s: it may just be getting ready",
                         evidence.audit.options.grace.reservation));
    }
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kDeviceNotReady{"DEV010",
                           "device-not-ready",
                           Severity::warning,
                           "The driver says of an allocated device that it is not ready",
                           "see the driver's log on that node",
                           kClaims,
                           check_device_not_ready};

}  // namespace draudit
