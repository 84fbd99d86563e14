#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

void check_foreign_claim(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  for (const ClaimRecord& r : evidence.claims.records()) {
    Finding f = about_claim(rule, *r.claim);
    for (const ClaimUser& user : r.users) {
      // extended-claim-wrong looks at those without an entry.
      if (!user.by_template || user.use.entry.empty() || made_for(*r.claim, *user.pod)) continue;
      f.pods.push_back(full_name(user.pod->meta));
      as_sure_as_age(evidence, f, "Pod", user.pod->meta);
    }
    if (f.pods.empty()) continue;
    const OwnerReference* maker = maker_of(*r.claim);
    if (maker == nullptr) f.severity = Severity::warning;
    f.message = fmt::format(
        "{}: {} {} it as made from a template, but it was made for {}", f.subject.name,
        pods_text(f.pods), f.pods.size() == 1 ? "has" : "have",
        maker == nullptr ? std::string{"no pod"}
                         : fmt::format("{} {} of uid {}", maker->kind, maker->name, maker->uid));
    as_sure_as_one_cluster(evidence, f);
    as_sure_as_age(evidence, f, "ResourceClaim", r.claim->meta);
    add_consumers(f, r);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kForeignClaim{"CLM008",
                         "foreign-claim",
                         Severity::error,
                         "A pod's claim from a template was made for another pod",
                         "delete the claim, so that the controller makes one for the pod",
                         kPodsAndClaims,
                         check_foreign_claim};

}  // namespace draudit
