#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

void check_unprotected_claim(const Evidence& evidence, const Rule& rule,
                             std::vector<Finding>& out) {
  std::map<std::string_view, std::vector<const ResourceClaim*>> namespaces;
  for (const ResourceClaim& c : evidence.audit.snapshot->claims) {
    if (c.allocation && !c.delete_protection && !c.meta.deleted)
      namespaces[c.meta.ns].push_back(&c);
  }
  for (const auto& [ns, claims] : namespaces) {
    Finding f = about(rule, {"Namespace", std::string{ns}, {}, claims.front()->meta.at});
    f.message =
        fmt::format("{}: {} without the finalizer that keeps {} while in use", ns,
                    claims.size() == 1 ? "allocated claim " + std::string{claims.front()->meta.name}
                                       : fmt::format("{} allocated claims", claims.size()),
                    claims.size() == 1 ? "it" : "them");
    for (const ResourceClaim* c : claims) f.objects.push_back(ref("ResourceClaim", c->meta));
    out.push_back(std::move(f));
  }
}

// Where not one claim has it, the dump was stripped of finalizers, or written by hand.
std::string unable_unprotected_claim(const Evidence& evidence) {
  const auto& claims = evidence.audit.snapshot->claims;
  const bool some = std::any_of(claims.begin(), claims.end(),
                                [](const ResourceClaim& c) { return c.delete_protection; });
  const bool asked = std::any_of(claims.begin(), claims.end(),
                                 [](const ResourceClaim& c) { return c.allocation.has_value(); });
  return some || !asked ? std::string{} : "no claim in the input has finalizers";
}

}  // namespace

const Rule kUnprotectedClaim{"CLM016",
                             "unprotected-claim",
                             Severity::note,
                             "An allocated claim lacks the finalizer that keeps it while in use",
                             "see what allocates claims beside the scheduler",
                             kClaims,
                             check_unprotected_claim,
                             unable_unprotected_claim};

}  // namespace draudit
