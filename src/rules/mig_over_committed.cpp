#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// MIG profiles are dimensions of their own, and KAI compares every dimension: one below 0 refuses
// all pods, as a GPU dimension below 0 does.
void check_mig_over_committed(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  for (const NodeAudit& node : audit.nodes) {
    for (const auto& [profile, mig] : node.corrected.figures.mig) {
      if (mig.idle >= 0) continue;
      Finding f = about_node(rule, node);
      f.subject.note = profile;
      f.message =
          fmt::format("{}: {} of {} in use, {} there", f.node, mig.used, profile, mig.capacity);
      f.facts.push_back(
          {"idle", fmt::format("{}: KAI refuses every pod here, even one that asks for "
                               "no GPU",
                               mig.idle)});
      for (const Charge& c : node.corrected.charges) {
        if (c.mig.contains(profile)) f.pods.push_back(full_name(c.pod->meta));
      }
      out.push_back(std::move(f));
    }
  }
}

}  // namespace

const Rule kMigOverCommitted{
    "ACC006",
    "mig-over-committed",
    Severity::error,
    "More slices of a MIG profile are in use than the node has, so KAI refuses every pod there",
    "move pods off the node, or have the device plugin offer the slices again",
    kPodsAndNodes,
    of_audit<check_mig_over_committed>};

}  // namespace draudit
