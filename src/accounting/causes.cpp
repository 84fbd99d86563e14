#include "draudit/causes.hpp"

#include <array>

namespace draudit {
namespace {

using enum Cause;
constexpr auto kUsed = CausedFigure::used;
constexpr auto kCapacity = CausedFigure::capacity;
constexpr auto kIdle = CausedFigure::idle;

// In the order of the enum.
constexpr std::array<CauseInfo, kCauses> kTable = {{
    {no_dra_accounting, "no-dra-accounting", kUsed, "",
     "this KAI version does not count claims at all", "run KAI v0.17.1 or later"},
    {sidecars_missed, "sidecars-missed", kUsed, "",
     "this KAI version does not add the GPUs of sidecar containers", "run a later KAI"},
    {suffix_request, "suffix-request", kUsed, "F22",
     "a request for a resource that ends in \"gpu\" is charged a thousandfold",
     "run KAI v0.15 or later"},
    {extended_claim_twice, "extended-claim-twice", kUsed, "F23",
     "the claim made for an extended resource is counted beside the containers' request",
     "run KAI v0.17 or later"},
    {class_is_no_gpu, "class-is-no-gpu", kUsed, "F5",
     "a device class is named like a GPU's, but its devices are none",
     "rename the device class so that it does not contain \"gpu\""},
    {admin_access, "admin-access", kUsed, "F1",
     "adminAccess to devices is counted like use of them",
     "move the monitor's claim to a device class whose name does not contain \"gpu\""},
    {claim_named_twice, "claim-named-twice", kUsed, "F3",
     "a pod names the same device more than once, so its GPU is taken for shared",
     "name the claim once, and let both containers use that entry"},
    {shared_device, "shared-device", kUsed, "",
     "a device is counted once for every pod that brings it", "run KAI v0.17.1 or later"},
    {reservation_label, "reservation-label", kUsed, "F21",
     "a pod carries the label of KAI's reservation pods, so its GPUs count 0",
     "take the reservation label off the pod"},
    {phase_unknown, "phase-unknown", kUsed, "F19",
     "a pod in phase Unknown holds GPUs and is not charged",
     "bring the node back, or delete the pod"},
    {driver_without_gpu, "driver-without-gpu", kUsed, "F4",
     "the driver's name does not say \"gpu\", so its devices are not recognised",
     "rename the device class so that it does not contain \"gpu\", or give each pod its own claim"},
    {bind_request_disagrees, "bind-request-disagrees", kUsed, "F11",
     "a BindRequest names other devices than the claim was given",
     "delete the BindRequest once its pod is bound"},
    {missing_claim_first, "missing-claim-first", kUsed, "F12",
     "a claim that does not exist keeps KAI from seeing the devices of those named behind it",
     "create the missing claim, or take it out of the pod"},
    {related_by_reservation, "related-by-reservation", kUsed, "F24",
     "the pods that KAI takes a claim to be of are not those that consume it",
     "let the pod own the claim, or name it"},
    {fraction_with_claim, "fraction-with-claim", kUsed, "F16",
     "a fraction or MIG pod also holds whole GPUs, which are not counted",
     "ask for the fraction and the claim in two pods"},
    {all_mode, "all-mode", kUsed, "F2",
     "allocationMode All counts as one GPU, however many it takes", "ask for an exact count"},
    {first_available, "first-available", kUsed, "F7", "requests with firstAvailable count nothing",
     "ask for one class with exactly"},
    {class_without_gpu, "class-without-gpu", kUsed, "F6",
     "GPU devices are claimed through a class whose name does not contain \"gpu\"",
     "use a device class whose name contains \"gpu\""},
    {extended_resource, "extended-resource", kUsed, "",
     "the devices behind an extended resource are not those that its request counts",
     "ask for the devices through a claim"},
    {unallocated_claim, "unallocated-claim", kUsed, "",
     "a claim that is not allocated is counted by its spec", "see which scheduler bound the pod"},
    {count_differs, "count-differs", kUsed, "",
     "the allocation has another number of GPUs than the request",
     "see which allocator wrote the claim's status"},
    {no_capacity, "no-capacity", kUsed, "F14",
     "the node has no published GPU, so KAI records no use at all",
     "bring the driver's ResourceSlices back"},
    {fraction_groups, "fraction-groups", kUsed, "",
     "fraction groups and reservation pods do not match",
     "delete reservation pods whose group no pod uses"},
    {other, "other", kUsed, "", "nothing that draudit knows", "please report this"},
    {suffix_capacity, "suffix-capacity", kCapacity, "F22",
     "an extended resource whose name ends in \"gpu\" overwrites the capacity, times 1000",
     "rename the resource, or keep its nodes out of the shard"},
    {stale_generation, "stale-generation", kCapacity, "F15",
     "slices of an older pool generation are counted beside the current ones",
     "delete the stale ResourceSlices"},
    {partitions, "partitions", kCapacity, "F15",
     "a device is published beside the GPU that it is a part of, or twice under two names",
     "publish either the GPU or its partitions"},
    {dual_advertised, "dual-advertised", kCapacity, "F15",
     "the same GPUs are offered by the device plugin and by DRA",
     "turn the device plugin off where the DRA driver runs"},
    {unhealthy_plugin_gpu, "unhealthy-plugin-gpu", kCapacity, "F13",
     "the device plugin withdrew GPUs: allocatable is below capacity",
     "repair the GPU, or move a pod away"},
    {unpublished_device, "unpublished-device", kCapacity, "F13",
     "a device in use is in no ResourceSlice", "have the driver publish it again"},
    {network_attached, "network-attached", kCapacity, "F15",
     "devices that are not tied to a node by name give no capacity anywhere",
     "none in KAI: such devices are not supported"},
    {label_above_allocatable, "label-above-allocatable", kIdle, "F20",
     "the label nvidia.com/gpu.count is above capacity, so fraction groups do not lower idle",
     "let GPU feature discovery set the label to what is allocatable"},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (static_cast<std::size_t>(kTable[i].cause) != i) return false;
  }
  return true;
}
static_assert(in_order());

}  // namespace

const CauseInfo& info(Cause cause) { return kTable[static_cast<std::size_t>(cause)]; }

}  // namespace draudit
