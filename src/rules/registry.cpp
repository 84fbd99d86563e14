#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "model/sha256.hpp"
#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// The one table, in the order of the ids. An id is never given to another rule.
constexpr std::array kRules = {
    &kOverCountedNode,
    &kDoubleCountedDevice,
    &kOverCommittedNode,
    &kUnderCountedNode,
    &kFlappingNode,
    &kMigOverCommitted,
    &kAdminAccessCounted,
    &kAllModeUndercounted,
    &kClaimNamedTwice,
    &kDriverWithoutGpu,
    &kClassIsNoGpu,
    &kClassWithoutGpu,
    &kFirstAvailableUncounted,
    &kReleasingDependsOnOrder,
    &kSharedEvictionDeadEnd,
    &kGangOnUnallocatedClaim,
    &kBindRequestDisagrees,
    &kMissingClaimFirst,
    &kDeviceWithdrawn,
    &kUnhealthyPluginGpu,
    &kSlicesMissing,
    &kDualAdvertised,
    &kStaleGenerationCounted,
    &kPartitionsBesideParent,
    &kNetworkAttachedDevices,
    &kFractionWithClaim,
    &kDiscountBeyondDemand,
    &kRemovalDrift,
    &kPhaseUnknownUncounted,
    &kOrphanAllocation,
    &kLabelAboveAllocatable,
    &kForeignReservationLabel,
    &kSuffixGpuResource,
    &kExtendedClaimCountedTwice,
    &kRelatedByReservation,
    &kFractionWithoutGroup,
    &kDeviceAllocatedTwice,
    &kDeviceDedicatedAndShared,
    &kShareIdTwice,
    &kShareOfUnshareableDevice,
    &kCountersOverdrawn,
    &kDeviceAndPartInUse,
    &kGpusInTwoBooks,
    &kCapacityOverdrawn,
    &kDeviceRepeatedInClaim,
    &kDeviceNotReady,
    &kBindingFailed,
    &kBindingOverdue,
    &kStatusOfOtherDevice,
    &kDeviceUnhealthy,
    &kUnresolvedClaim,
    &kUnallocatedClaim,
    &kConsumerGone,
    &kConsumerReplaced,
    &kConsumerEnded,
    &kUnusedAllocation,
    &kNotReserved,
    &kForeignClaim,
    &kClaimMadeTwice,
    &kClaimStatusLags,
    &kExtendedClaimWrong,
    &kExtendedClaimMissing,
    &kContainerClaimUndeclared,
    &kDeletionStuck,
    &kDeallocationPending,
    &kUnprotectedClaim,
    &kClassMissing,
    &kExtendedResourceOfTwo,
    &kAdminAccessUnlabelled,
    &kPodStuckTerminating,
    &kDeviceUnpublished,
    &kPoolIncomplete,
    &kStaleGeneration,
    &kSliceCountsDisagree,
    &kPoolInvalid,
    &kPoolOfTwoPublishers,
    &kSliceAboveLimits,
    &kDriverNotSeen,
    &kSliceWithoutNode,
    &kNoExecuteTaintInUse,
    &kNoScheduleTaintInUse,
    &kTaintRuleNotEvaluated,
    &kTaintRuleForAll,
    &kCapacityUnknown,
    &kNodeMissing,
    &kClassicClaim,
    &kUnknownValue,
    &kContradictoryClaim,
    &kReservationsNearlyFull,
    &kClaimOverLimits,
    &kOutsideSelector,
    &kPinnedToMissingNode,
    &kClaimsApart,
    &kNodeOverbooked,
};

std::string fingerprint_of(const Finding& f) {
  // Names only: counts, uids, lines and order change from dump to dump.
  return sha256(fmt::format("{}\n{}\n{}\n{}\n{}", f.rule->id, f.subject.kind, f.subject.name,
                            f.node, f.rule->name == "mig-over-committed" ? f.subject.note : ""))
      .substr(0, 32);
}

}  // namespace

std::span<const Rule* const> rules() { return kRules; }

const Rule* find_rule(std::string_view id_or_name) {
  for (const Rule* rule : kRules) {
    if (rule->id == id_or_name || rule->name == id_or_name) return rule;
  }
  return nullptr;
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "note";
}

RuleRun check(const Audit& audit) {
  RuleRun out;
  const Evidence evidence(audit);
  for (const Rule* rule : kRules) {
    std::string missing;
    for (const Kind kind : rule->needs) {
      if (audit.snapshot->of(kind).known()) continue;
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", info(kind).name);
    }
    if (!missing.empty()) {
      out.not_checkable.push_back({rule, fmt::format("no {} in the input", missing)});
      continue;
    }
    std::string unable = rule->unable == nullptr ? std::string{} : rule->unable(evidence);
    if (!unable.empty()) {
      out.not_checkable.push_back({rule, std::move(unable)});
      continue;
    }
    rule->check(evidence, *rule, out.findings);
  }
  for (Finding& f : out.findings) {
    // A report's nodes are those of the shard: what is elsewhere is named by subject and message.
    if (!f.node.empty() && audit.node(f.node) == nullptr) f.node.clear();
    f.fingerprint = fingerprint_of(f);
  }
  sort_findings(out.findings);
  return out;
}

void sort_findings(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::tuple{b.severity, a.rule->id, a.node, a.subject.name} <
           std::tuple{a.severity, b.rule->id, b.node, b.subject.name};
  });
}

}  // namespace draudit
