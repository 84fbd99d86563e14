#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

void check_class_missing(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  std::vector<std::string_view> classes;
  for (const DeviceClass& c : evidence.audit.snapshot->device_classes) {
    classes.push_back(c.meta.name);
  }
  std::sort(classes.begin(), classes.end());
  std::map<std::string_view, std::vector<const ResourceClaim*>> missing;
  const auto look = [&](std::string_view name, const ResourceClaim& claim) {
    if (name.empty() || std::binary_search(classes.begin(), classes.end(), name)) return;
    auto& claims = missing[name];
    if (claims.empty() || claims.back() != &claim) claims.push_back(&claim);
  };
  for (const ResourceClaim& claim : evidence.audit.snapshot->claims) {
    for (const DeviceRequest& r : claim.requests) {
      if (!r.first_available) look(r.device_class, claim);
      for (const SubRequest& s : r.alternatives) look(s.device_class, claim);
    }
  }
  for (const auto& [name, claims] : missing) {
    Finding f = about(rule, {"DeviceClass", std::string{name}, {}, claims.front()->meta.at});
    std::size_t waiting = 0;
    for (const ResourceClaim* c : claims) {
      waiting += c->allocation ? 0U : 1U;
      f.objects.push_back(ref("ResourceClaim", c->meta, c->allocation ? "allocated" : "waiting"));
    }
    if (waiting == 0) f.severity = Severity::note;
    f.message = fmt::format("{}: no such class, asked for by {} claim{}, {} of which not allocated",
                            name, claims.size(), claims.size() == 1 ? "" : "s", waiting);
    if (std::all_of(claims.begin(), claims.end(),
                    [&](const ResourceClaim* c) { return fresh(evidence, c->meta); })) {
      demote(f, Certainty::possible,
             "its claims are new, and the class may be newer than its list");
    }
    out.push_back(std::move(f));
  }
}

// A cluster with claims and not one class is hardly one: they were left out of the dump.
std::string unable_class_missing(const Evidence& evidence) {
  const Snapshot& s = *evidence.audit.snapshot;
  return s.device_classes.empty() && !s.claims.empty() ? "no DeviceClass in the input"
                                                       : std::string{};
}

}  // namespace

const Rule kClassMissing{"CLM017",
                         "class-missing",
                         Severity::warning,
                         "Claims ask for a device class that is not there",
                         "make the class or mend the claims; allocated claims keep what they have",
                         kClaimsAndClasses,
                         check_class_missing,
                         unable_class_missing};

}  // namespace draudit
