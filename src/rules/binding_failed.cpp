#include <fmt/format.h>

#include <algorithm>

#include "rules/binding_conditions.hpp"
#include "rules/devices.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// Before its pod is bound, the scheduler gives such a device back and tries again. Afterwards
// nobody does.
void check_binding_failed(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  for (const ResourceClaim& claim : evidence.audit.snapshot->claims) {
    if (!claim.allocation || claim.device_statuses.empty()) continue;
    std::vector<std::string> devices;
    std::vector<Fact> facts;
    bool settled = false;
    for (const DeviceResult& r : claim.allocation->results) {
      const Condition* c = binding_failure(claim, r);
      if (c == nullptr) continue;
      devices.push_back(to_string(DeviceKey{r.driver, r.pool, r.device}));
      std::string why{c->type};
      if (!c->reason.empty()) why += fmt::format(" ({})", c->reason);
      if (!c->message.empty()) why += fmt::format(": {}", c->message);
      facts.push_back({"failure", fmt::format("{}: {}", r.device, why)});
      settled = settled || !younger(evidence, c->changed, evidence.audit.options.grace.reservation);
    }
    if (devices.empty()) continue;
    Finding f = about(rule, "ResourceClaim", full_name(claim.meta), claim.meta.at);
    const std::vector<const Pod*> pods = living_consumers(*evidence.audit.snapshot, claim);
    const auto bound =
        std::find_if(pods.begin(), pods.end(), [](const Pod* p) { return !p->node.empty(); });
    f.message = fmt::format(
        "{}: {} could not be made ready for {}", f.subject.name, listing(devices),
        bound == pods.end() ? "a pod, which is not bound yet" : "a pod that is bound all the same");
    if (bound == pods.end()) {
      f.severity = Severity::warning;
    } else {
      f.node = (*bound)->node;
    }
    f.facts = std::move(facts);
    add_claims(evidence, f, {&claim});
    if (!settled) {
      demote(f, Certainty::possible,
             fmt::format("so for less than {} s: the scheduler may just be giving it back",
                         evidence.audit.options.grace.reservation));
    }
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kBindingFailed{
    "DEV011",
    "binding-failed",
    Severity::error,
    "A device that must be made ready before its pod is bound has failed to become so",
    "see the driver's (or its controller's) log; delete the pod if it is bound",
    kPodsAndClaims,
    check_binding_failed};

}  // namespace draudit
