#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

bool asked_for(const ResourceClaim& c, std::string_view request) {
  const std::size_t slash = request.find('/');
  const std::string_view name = request.substr(0, slash);
  for (const DeviceRequest& r : c.requests) {
    if (r.name != name) continue;
    if (slash == std::string_view::npos) return !r.first_available;
    const std::string_view sub = request.substr(slash + 1);
    return std::any_of(r.alternatives.begin(), r.alternatives.end(),
                       [&](const SubRequest& a) { return a.name == sub; });
  }
  return false;
}

// All of this the API server rules out, so it is the dump that is wrong, not the cluster.
void check_contradictory_claim(const Evidence& evidence, const Rule& rule,
                               std::vector<Finding>& out) {
  for (const ResourceClaim& c : evidence.audit.snapshot->claims) {
    if (!c.controller.empty()) continue;
    std::set<std::string> wrong;
    if (!c.reserved_for.empty() && !c.allocation) wrong.insert("reserved, but not allocated");
    std::set<std::string_view> uids;
    for (const Consumer& u : c.reserved_for) {
      if (!u.uid.empty() && !uids.insert(u.uid).second) {
        wrong.insert(fmt::format("reserved twice for uid {}", u.uid));
      }
    }
    std::set<std::pair<DeviceKey, std::string_view>> results;
    if (c.allocation) {
      for (const DeviceResult& r : c.allocation->results) {
        results.insert({{r.driver, r.pool, r.device}, r.share_id});
        if (!r.request.empty() && !asked_for(c, r.request)) {
          wrong.insert(
              fmt::format("a result is for request {}, which it does not have", r.request));
        }
      }
    }
    for (const DeviceStatus& s : c.device_statuses) {
      const DeviceKey key{s.driver, s.pool, s.device};
      if (!results.contains({key, s.share_id})) {
        wrong.insert(fmt::format("status of {}, which it was not given", to_string(key)));
      }
    }
    if (wrong.empty()) continue;
    Finding f = about_claim(rule, c);
    f.message = fmt::format("{}: contradicts itself: {}", f.subject.name, *wrong.begin());
    for (const std::string& w : wrong) f.facts.push_back({"contradiction", w});
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kContradictoryClaim{"INP012",
                               "contradictory-claim",
                               Severity::warning,
                               "A claim contradicts itself in a way that the API server rules out",
                               "take the dump anew: this one was edited, merged or cut",
                               kClaims,
                               check_contradictory_claim};

}  // namespace draudit
