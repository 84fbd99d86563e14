#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

bool wants_admin(const ResourceClaim& c) {
  return std::any_of(c.requests.begin(), c.requests.end(),
                     [](const DeviceRequest& r) { return r.admin_access; });
}

void check_admin_access_unlabelled(const Evidence& evidence, const Rule& rule,
                                   std::vector<Finding>& out) {
  std::map<std::string_view, std::vector<const ResourceClaim*>> claims;
  for (const ResourceClaim& c : evidence.audit.snapshot->claims) {
    if (wants_admin(c)) claims[c.meta.ns].push_back(&c);
  }
  for (const Namespace& ns : evidence.audit.snapshot->namespaces) {
    const auto it = claims.find(ns.meta.name);
    if (it == claims.end() || ns.admin_access) continue;
    Finding f = about(rule, ref("Namespace", ns.meta));
    f.message = fmt::format("{}: {} claim{} with admin access, and the namespace does not allow it",
                            ns.meta.name, it->second.size(), it->second.size() == 1 ? "" : "s");
    for (const ResourceClaim* c : it->second) f.objects.push_back(ref("ResourceClaim", c->meta));
    demote(f, Certainty::likely, "Kubernetes 1.32 and older did not ask for the label");
    out.push_back(std::move(f));
  }
}

// Without such a claim there is nothing to ask namespaces for.
std::string unable_admin_access_unlabelled(const Evidence& evidence) {
  const Snapshot& s = *evidence.audit.snapshot;
  if (s.of(Kind::name_space).known()) return {};
  return std::any_of(s.claims.begin(), s.claims.end(), wants_admin) ? "no Namespace in the input"
                                                                    : std::string{};
}

}  // namespace

const Rule kAdminAccessUnlabelled{"CLM019",
                                  "admin-access-unlabelled",
                                  Severity::warning,
                                  "A claim has admin access in a namespace that is not labelled "
                                  "for it",
                                  "label the namespace or delete the claims",
                                  kClaims,
                                  check_admin_access_unlabelled,
                                  unable_admin_access_unlabelled};

}  // namespace draudit
