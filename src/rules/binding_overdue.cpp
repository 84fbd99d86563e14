#include <fmt/format.h>

#include <algorithm>

#include "rules/binding_conditions.hpp"
#include "rules/devices.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

void check_binding_overdue(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  const std::int64_t limit = evidence.audit.options.grace.binding;
  for (const ResourceClaim& claim : evidence.audit.snapshot->claims) {
    if (!claim.allocation || !older(evidence, claim.allocation->at, limit)) continue;
    std::vector<Fact> facts;
    bool failed = false;  // binding-failed says it
    for (const DeviceResult& r : claim.allocation->results) {
      failed = failed || binding_failure(claim, r) != nullptr;
      for (const std::string_view type : r.binding_conditions) {
        const Condition* c = condition_of(claim, r, type);
        if (c != nullptr && c->status == "True") continue;
        facts.push_back({"waits for", fmt::format("{} of {}{}", type, r.device,
                                                  c == nullptr ? ", which was never set" : "")});
      }
    }
    if (facts.empty() || failed) continue;
    std::vector<const Pod*> pods = living_consumers(*evidence.audit.snapshot, claim);
    // Bound by whomever: then nobody waits. Nobody's claim: nobody waits either.
    const bool waits = !pods.empty() && std::all_of(pods.begin(), pods.end(), [](const Pod* p) {
      return p->node.empty() && !p->meta.deleted;
    });
    if (!waits) continue;
    Finding f = about(rule, "ResourceClaim", full_name(claim.meta), claim.meta.at);
    f.message = fmt::format("{}: allocated {} s ago, and {} still not met", f.subject.name,
                            *age_of(evidence, claim.allocation->at),
                            count_of(static_cast<Gpus>(facts.size()), "binding condition is",
                                     "binding conditions are"));
    f.facts = std::move(facts);
    add_claims(evidence, f, {&claim});
    demote(f, Certainty::likely,
           fmt::format("the scheduler may have been told to wait for longer than {} s", limit));
    for (const Pod* pod : pods) as_sure_as_age(evidence, f, "Pod", pod->meta);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kBindingOverdue{
    "DEV012",
    "binding-overdue",
    Severity::warning,
    "A pod waits for its device's binding conditions for longer than the scheduler does",
    "see whether the controller that makes the device ready is running",
    kPodsAndClaims,
    check_binding_overdue};

}  // namespace draudit
