#include <fmt/format.h>

#include <algorithm>

#include "rules/registry.hpp"
#include "rules/skew.hpp"
#include "rules/taints.hpp"

namespace draudit {
namespace {

// Who had the device before may keep it. Given out afterwards, the allocator missed the taint.
void check_noschedule_taint_in_use(const Evidence& evidence, const Rule& rule,
                                   std::vector<Finding>& out) {
  const std::int64_t grace = evidence.audit.options.grace.reservation;
  for (TaintedUse& use : tainted_uses(evidence, TaintEffect::no_schedule)) {
    std::erase_if(use.rows, [](const DeviceRow* row) { return row->claim->reserved_for.empty(); });
    if (use.rows.empty()) continue;
    std::vector<const ResourceClaim*> claims;
    std::size_t later = 0;
    for (const DeviceRow* row : use.rows) {
      claims.push_back(row->claim);
      // The allocation is no older than its claim.
      const auto given =
          row->claim->allocation->at ? row->claim->allocation->at : row->claim->meta.created;
      const auto added = use.taint->added;
      later +=
          given && added &&
                  Int128{given->nanoseconds} - added->nanoseconds > Int128{grace} * 1'000'000'000
              ? 1U
              : 0U;
    }
    Finding f = about_taint(rule, use);
    f.node = node_of(evidence, *use.rows.front());
    for (const DeviceRow* row : use.rows) {
      if (node_of(evidence, *row) != f.node) f.node.clear();
    }
    std::string what = count_of(static_cast<Gpus>(use.devices()), "device");
    if (use.rule != nullptr) what += fmt::format(" with taint {}", to_string(*use.taint));
    if (later > 0) {
      f.severity = Severity::warning;
      f.message =
          fmt::format("{}: {} in use, {} of {} given out after it was tainted", f.subject.name,
                      what, later, count_of(static_cast<Gpus>(use.rows.size()), "allocation"));
      f.mend = "see which scheduler allocates: it does not look at taints of devices";
    } else {
      f.message =
          fmt::format("{}: {} in use: the pods may stay, no others come", f.subject.name, what);
    }
    add_claims(evidence, f, claims);
    as_sure_as_source(f, use);
    as_sure_as_one_cluster(evidence, f);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kNoScheduleTaintInUse{
    "TNT002",
    "noschedule-taint-in-use",
    Severity::note,
    "A device in use has a NoSchedule taint that its claim does not tolerate",
    "nothing, if the device is to run empty; else see who tainted it",
    kClaimsSlices,
    check_noschedule_taint_in_use};

}  // namespace draudit
