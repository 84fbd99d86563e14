#pragma once

#include "draudit/rules.hpp"

/// The record of each rule, defined in the rule's own file.
namespace draudit {

extern const Rule kOverCountedNode;
extern const Rule kDoubleCountedDevice;
extern const Rule kOverCommittedNode;
extern const Rule kUnderCountedNode;
extern const Rule kFlappingNode;
extern const Rule kMigOverCommitted;
extern const Rule kAdminAccessCounted;
extern const Rule kAllModeUndercounted;
extern const Rule kClaimNamedTwice;
extern const Rule kDriverWithoutGpu;
extern const Rule kClassIsNoGpu;
extern const Rule kClassWithoutGpu;
extern const Rule kFirstAvailableUncounted;
extern const Rule kReleasingDependsOnOrder;
extern const Rule kSharedEvictionDeadEnd;
extern const Rule kGangOnUnallocatedClaim;
extern const Rule kBindRequestDisagrees;
extern const Rule kMissingClaimFirst;
extern const Rule kDeviceWithdrawn;
extern const Rule kUnhealthyPluginGpu;
extern const Rule kSlicesMissing;
extern const Rule kDualAdvertised;
extern const Rule kStaleGenerationCounted;
extern const Rule kPartitionsBesideParent;
extern const Rule kNetworkAttachedDevices;
extern const Rule kFractionWithClaim;
extern const Rule kDiscountBeyondDemand;
extern const Rule kRemovalDrift;
extern const Rule kPhaseUnknownUncounted;
extern const Rule kOrphanAllocation;
extern const Rule kLabelAboveAllocatable;
extern const Rule kForeignReservationLabel;
extern const Rule kSuffixGpuResource;
extern const Rule kExtendedClaimCountedTwice;
extern const Rule kRelatedByReservation;
extern const Rule kFractionWithoutGroup;
extern const Rule kDeviceAllocatedTwice;
extern const Rule kDeviceDedicatedAndShared;
extern const Rule kShareIdTwice;
extern const Rule kShareOfUnshareableDevice;
extern const Rule kCountersOverdrawn;
extern const Rule kDeviceAndPartInUse;
extern const Rule kGpusInTwoBooks;
extern const Rule kCapacityOverdrawn;
extern const Rule kDeviceRepeatedInClaim;
extern const Rule kDeviceNotReady;
extern const Rule kBindingFailed;
extern const Rule kBindingOverdue;
extern const Rule kStatusOfOtherDevice;
extern const Rule kDeviceUnhealthy;
extern const Rule kUnresolvedClaim;
extern const Rule kUnallocatedClaim;
extern const Rule kDeviceUnpublished;
extern const Rule kPoolIncomplete;
extern const Rule kStaleGeneration;
extern const Rule kSliceCountsDisagree;
extern const Rule kPoolInvalid;
extern const Rule kPoolOfTwoPublishers;
extern const Rule kSliceAboveLimits;
extern const Rule kDriverNotSeen;
extern const Rule kSliceWithoutNode;
extern const Rule kNoExecuteTaintInUse;
extern const Rule kNoScheduleTaintInUse;
extern const Rule kTaintRuleNotEvaluated;
extern const Rule kTaintRuleForAll;
extern const Rule kCapacityUnknown;
extern const Rule kNodeMissing;

}  // namespace draudit
