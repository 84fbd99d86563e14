#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

void check_deletion_stuck(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  for (const ClaimRecord& r : evidence.claims.records()) {
    if (r.story != ClaimStory::stuck) continue;
    Finding f = about_claim(rule, *r.claim);
    const std::int64_t age = age_of(evidence, r.claim->meta.deleted).value_or(0);
    const std::string since =
        fmt::format("{}: being deleted for {}", f.subject.name, duration_text(age));
    if (!r.live.empty()) {
      f.severity = Severity::note;
      for (const Pod* p : r.live) f.pods.push_back(full_name(p->meta));
      f.message =
          fmt::format("{}, waiting for {}, which is as it should be", since, pods_text(f.pods));
    } else if (!r.others.empty()) {
      f.severity = Severity::warning;
      f.message = fmt::format("{}, and reserved for {} {}", since, r.others.front()->resource,
                              r.others.front()->name);
      demote(f, Certainty::likely, "whether a consumer that is no pod lives is not looked at");
    } else {
      f.message = fmt::format("{} and kept by its finalizer; no pod that lives uses it", since);
      if (!r.gone.empty() && evidence.claims.pods_unseen(r.claim->meta.ns)) {
        demote(f, Certainty::possible,
               fmt::format("the input has no pod of namespace {}: perhaps it was not listed",
                           r.claim->meta.ns));
      }
    }
    as_sure_as_one_cluster(evidence, f);
    add_consumers(f, r);
    add_held_devices(f, *r.claim);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kDeletionStuck{"CLM014",
                          "deletion-stuck",
                          Severity::error,
                          "A deleted claim stays because of its finalizer, and keeps its devices",
                          "see that the claim controller and the driver run; then take the "
                          "reservations off",
                          kPodsAndClaims,
                          check_deletion_stuck};

}  // namespace draudit
