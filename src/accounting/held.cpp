#include "accounting/held.hpp"

#include <algorithm>

#include "accounting/demand.hpp"

namespace draudit {
namespace {

constexpr std::string_view kGroupLabel = "runai-gpu-group";

}  // namespace

bool has_reservation_label(const Pod& pod, const AuditOptions& options) {
  return find(pod.labels, "app") == std::string_view{options.reservation_label};
}

bool is_reservation_pod(const Pod& pod, const AuditOptions& options) {
  return has_reservation_label(pod, options) && (pod.meta.name.starts_with("gpu-reservation-") ||
                                                 find(pod.labels, kGroupLabel).has_value());
}

std::vector<std::string_view> gpu_groups(const Pod& pod, const BindRequest* request) {
  if (request != nullptr && !request->gpu_groups.empty()) return request->gpu_groups;
  std::vector<std::string_view> out;
  const auto first = find(pod.labels, kGroupLabel);
  if (!first) return out;
  out.push_back(*first);
  for (const KeyValue& label : pod.labels) {
    if (label.key.starts_with("runai-gpu-group/")) out.push_back(label.value);
  }
  return out;
}

std::vector<const ResourceClaim*> consumed_claims(const Index& index, const Pod& pod) {
  std::vector<const ResourceClaim*> out;
  const auto add = [&out](const ResourceClaim* claim) {
    if (claim != nullptr && claim->allocation &&
        std::find(out.begin(), out.end(), claim) == out.end()) {
      out.push_back(claim);
    }
  };
  for (const PodClaim& entry : pod.claims) add(index.resolve(pod, entry).claim);
  for (const ResourceClaim* claim : index.reserved_for(pod)) add(claim);
  if (!pod.extended_claim.empty()) add(index.snapshot().claim(pod.meta.ns, pod.extended_claim));
  for (const ResourceClaim* claim : index.owned_by(pod)) {
    if (claim->extended_resource) add(claim);
  }
  return out;
}

bool served_by_claims(const Index& index, const Pod& pod) {
  const auto serves = [&pod](std::string_view resource) {
    // Without mappings in the status, GPUs are what such a claim is made for.
    return pod.extended_resources.empty() ||
           std::find(pod.extended_resources.begin(), pod.extended_resources.end(), resource) !=
               pod.extended_resources.end();
  };
  const std::vector<const ResourceClaim*> claims = consumed_claims(index, pod);
  return std::any_of(claims.begin(), claims.end(),
                     [](const ResourceClaim* c) { return c->extended_resource; }) &&
         (serves(kNvidiaGpu) || serves(kAmdGpu));
}

PodHolding holding_of(const Index& index, const Pod& pod) {
  PodHolding out{.pod = &pod};
  if (has_ended(pod)) return out;
  out.claims = consumed_claims(index, pod);
  for (const ResourceClaim* claim : out.claims) {
    for (const DeviceResult& r : claim->allocation->results) {
      if (!r.admin_access && index.is_gpu_driver(r.driver)) {
        out.devices.push_back({r.driver, r.pool, r.device});
      }
    }
  }
  std::sort(out.devices.begin(), out.devices.end());
  out.devices.erase(std::unique(out.devices.begin(), out.devices.end()), out.devices.end());

  // Hardware does not care for versions: the newest rules for containers.
  const Demand demand = demand_of(pod, fixed_profile());
  if (demand.type == PodType::fraction || demand.type == PodType::gpu_memory) {
    out.groups = gpu_groups(pod, index.bind_request(pod));
  }
  if (is_reservation_pod(pod, index.options())) {
    // Its one GPU is the one that the group's fractions share.
    out.reserved = gpu_groups(pod, nullptr);
    if (out.reserved.empty()) out.reserved.push_back(pod.meta.name);
  } else if (!served_by_claims(index, pod)) {
    out.plugin = demand.container_gpus;
  }
  return out;
}

}  // namespace draudit
