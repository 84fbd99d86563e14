#include "accounting/charge.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "accounting/capacity.hpp"
#include "accounting/demand.hpp"
#include "accounting/held.hpp"

namespace draudit {
namespace {

/// A claim that KAI walks for its devices, with the allocation that it goes by.
struct Walked {
  const ResourceClaim* claim = nullptr;
  const Allocation* allocation = nullptr;
  std::size_t first_device = 0;  ///< of its devices in the charge
};

/// A pod's claims as KAI walks them for their allocations; stops where KAI stops (§6.2).
std::vector<Walked> walk(const Index& index, const Pod& pod, const BindRequest* request,
                         Fixes fixes) {
  std::vector<Walked> out;
  if (fixes.has(Cause::related_by_reservation)) {
    // What the pod really consumes, whoever KAI takes it to belong to.
    for (const ResourceClaim* claim : consumed_claims(index, pod)) {
      if (!claim->extended_resource || fixes.has(Cause::extended_resource)) {
        out.push_back({claim, &*claim->allocation});
      }
    }
    return out;
  }
  if (fixes.has(Cause::extended_resource)) {
    for (const ResourceClaim* claim : consumed_claims(index, pod)) {
      if (claim->extended_resource) out.push_back({claim, &*claim->allocation});
    }
  }
  if (pod.claims.empty()) return out;
  const std::vector<const ResourceClaim*> related = index.claims_of(pod);
  for (const PodClaim& entry : pod.claims) {
    std::string_view name = entry.claim;
    if (name.empty()) {
      const auto status =
          std::find_if(pod.claim_statuses.begin(), pod.claim_statuses.end(),
                       [&](const PodClaimStatus& s) { return s.name == entry.name; });
      if (status == pod.claim_statuses.end() || status->claim.empty()) continue;
      name = status->claim;
    }
    const auto found = std::find_if(related.begin(), related.end(), [&](const ResourceClaim* c) {
      return c->meta.ns == pod.meta.ns && c->meta.name == name;
    });
    if (found == related.end()) {
      if (entry.claim.empty() || fixes.has(Cause::missing_claim_first)) continue;
      break;  // a missing named claim ends the walk (F12)
    }
    const Allocation* allocation = (*found)->allocation ? &*(*found)->allocation : nullptr;
    if (request != nullptr && !fixes.has(Cause::bind_request_disagrees)) {
      for (const BoundAllocation& bound : request->allocations) {
        if (bound.name == entry.name) allocation = bound.allocation ? &*bound.allocation : nullptr;
      }
    }
    if (allocation != nullptr) out.push_back({*found, allocation});
  }
  return out;
}

/// Results of one request: "main" and, where an alternative was chosen, "main/sub".
bool belongs_to(const DeviceResult& result, const DeviceRequest& request) {
  return result.request == request.name ||
         (result.request.size() > request.name.size() && result.request.starts_with(request.name) &&
          result.request[request.name.size()] == '/');
}

/// Why KAI's count of a request may differ from the GPUs that it was given.
Cause cause_of(const Index& index, const DeviceRequest& request,
               const std::vector<const DeviceResult*>& results) {
  if (request.admin_access ||
      std::any_of(results.begin(), results.end(), [](auto* r) { return r->admin_access; })) {
    return Cause::admin_access;
  }
  if (request.first_available) return Cause::first_available;
  const bool gpus = std::any_of(results.begin(), results.end(),
                                [&](auto* r) { return index.is_gpu_driver(r->driver); });
  if (!contains_gpu(request.device_class)) return Cause::class_without_gpu;
  if (!gpus) {
    return results.empty()                                   ? Cause::count_differs
           : index.is_no_gpu_driver(results.front()->driver) ? Cause::class_is_no_gpu
                                                             : Cause::driver_without_gpu;
  }
  if (request.mode == AllocationMode::all) return Cause::all_mode;
  return Cause::count_differs;
}

struct ClaimGpus {
  std::int64_t gpus = 0;
  Fixes causes;  ///< of what differs from the allocation
};

/// GPUs of a claim: as KAI counts the spec, or as the allocation has it where a cause is fixed.
ClaimGpus claim_gpus(const Index& index, const ResourceClaim& claim, const Profile& profile,
                     Fixes fixes) {
  ClaimGpus out;
  const auto held = [&](const DeviceResult& r) {
    return !r.admin_access && index.is_gpu_driver(r.driver);
  };
  if (!claim.allocation) {
    const std::int64_t n = gpus_of_claim(claim, profile);
    if (n != 0) out.causes.add(Cause::unallocated_claim);
    out.gpus = fixes.has(Cause::unallocated_claim) ? 0 : n;
    return out;
  }
  const std::vector<DeviceResult>& all = claim.allocation->results;
  if (claim.extended_resource) {
    const std::int64_t n = std::count_if(all.begin(), all.end(), held);
    const std::int64_t kai = gpus_of_claim(claim, profile);
    if (kai != n) out.causes.add(Cause::extended_resource);
    out.gpus = fixes.has(Cause::extended_resource) ? n : kai;
    return out;
  }
  std::vector<char> matched(all.size(), 0);
  for (const DeviceRequest& request : claim.requests) {
    std::vector<const DeviceResult*> results;
    std::int64_t truth = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (matched[i] != 0 || !belongs_to(all[i], request)) continue;
      matched[i] = 1;
      results.push_back(&all[i]);
      truth += held(all[i]) ? 1 : 0;
    }
    const std::int64_t kai = gpus_of_request(request);
    const Cause cause = cause_of(index, request, results);
    if (kai != truth) out.causes.add(cause);
    if (cause == Cause::driver_without_gpu && kai != 0) out.causes.add(cause);
    out.gpus = add_saturating(out.gpus, fixes.has(cause) ? truth : kai);
  }
  // Results that answer no request: nothing that an allocator writes.
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (matched[i] != 0 || !held(all[i])) continue;
    out.causes.add(Cause::count_differs);
    if (fixes.has(Cause::count_differs)) ++out.gpus;
  }
  return out;
}

/// Claims whose spec counts as a pod's demand.
std::vector<const ResourceClaim*> demanded(const Index& index, const Pod& pod, Fixes fixes) {
  if (!fixes.has(Cause::related_by_reservation)) {
    std::vector<const ResourceClaim*> out = index.claims_of(pod);
    if (fixes.has(Cause::extended_resource)) {
      for (const ResourceClaim* claim : consumed_claims(index, pod)) {
        if (claim->extended_resource && std::find(out.begin(), out.end(), claim) == out.end()) {
          out.push_back(claim);
        }
      }
    }
    return out;
  }
  std::vector<const ResourceClaim*> out = consumed_claims(index, pod);
  for (const PodClaim& entry : pod.claims) {
    const ResourceClaim* claim = index.resolve(pod, entry).claim;
    if (claim != nullptr && std::find(out.begin(), out.end(), claim) == out.end()) {
      out.push_back(claim);  // named, not allocated: `unallocated_claim` takes it away
    }
  }
  return out;
}

std::set<DeviceKey> devices_of(const std::optional<Allocation>& allocation) {
  std::set<DeviceKey> out;
  if (!allocation) return out;
  for (const DeviceResult& r : allocation->results) out.insert({r.driver, r.pool, r.device});
  return out;
}

/// Leaves each device once. A claim that is named twice is one demand; two claims that list the
/// same device are two demands and one GPU.
void drop_repeats(const std::vector<Walked>& walked, Charge& c) {
  std::set<std::uint32_t> seen;
  std::set<const ResourceClaim*> claims;
  Gpus between_claims = 0;
  for (std::size_t i = 0; i < walked.size(); ++i) {
    const bool first_time = claims.insert(walked[i].claim).second;
    const std::size_t end = i + 1 < walked.size() ? walked[i + 1].first_device : c.devices.size();
    for (std::size_t d = walked[i].first_device; d < end; ++d) {
      if (!seen.insert(c.devices[d]).second && first_time) ++between_claims;
    }
  }
  c.devices.assign(seen.begin(), seen.end());
  c.gpus = std::max<Gpus>(0, c.gpus - between_claims);
}

}  // namespace

std::vector<std::uint32_t> DeviceTable::sort() {
  std::vector<std::uint32_t> renumber(numbers_.size());
  std::uint32_t next = 0;
  for (auto& [key, n] : numbers_) {
    renumber[n] = next;
    n = next++;
  }
  return renumber;
}

Charge charge_of(const Index& index, const Pod& pod, const Node& node, const Profile& profile,
                 Fixes fixes, DeviceTable& devices) {
  Charge c{.pod = &pod, .status = index.status_of(pod, profile)};
  if (c.status == PodStatus::unknown && fixes.has(Cause::phase_unknown)) {
    c.status = PodStatus::running;
  }
  c.bind_request = index.bind_request(pod);
  c.reservation = has_reservation_label(pod, index.options());

  const Demand demand = demand_of(pod, profile);
  c.type = demand.type;
  c.container_gpus = demand.container_gpus;
  c.mig = demand.mig;
  if (profile.dra) {
    for (const ResourceClaim* claim : demanded(index, pod, fixes)) {
      c.claim_gpus = add_saturating(c.claim_gpus, claim_gpus(index, *claim, profile, fixes).gpus);
    }
  }
  std::int64_t containers = demand.container_gpus;
  if (fixes.has(Cause::extended_resource) && served_by_claims(index, pod)) containers = 0;
  if (demand.slot && profile.suffix_requests && !fixes.has(Cause::suffix_request)) {
    c.gpus = *demand.slot;  // v0.14 only: overwrites all others, also of a fraction (§3.2)
  } else if (c.type == PodType::regular || fixes.has(Cause::fraction_with_claim)) {
    c.gpus = static_cast<Gpus>(containers) + c.claim_gpus;
  }
  if (c.reservation) {
    const bool its_own = is_reservation_pod(pod, index.options());
    if (!fixes.has(Cause::reservation_label))
      c.gpus = 0;
    else if (its_own)
      c.gpus = c.claim_gpus;  // its GPU is the group's
  }

  if (demand.type == PodType::fraction || demand.type == PodType::gpu_memory) {
    c.groups = gpu_groups(pod, c.bind_request);
    c.group_memory =
        demand.gpu_memory > 0
            ? demand.gpu_memory
            : static_cast<std::int64_t>(demand.portion * static_cast<double>(gpu_memory_mib(node)));
  }
  if (!profile.dra) return c;
  std::vector<Walked> walked = walk(index, pod, c.bind_request, fixes);
  for (Walked& w : walked) {
    w.first_device = c.devices.size();
    for (const DeviceResult& r : w.allocation->results) {
      if (r.admin_access && fixes.has(Cause::admin_access)) continue;
      if (contains_gpu(r.driver) ||
          (fixes.has(Cause::driver_without_gpu) && index.is_gpu_driver(r.driver))) {
        c.devices.push_back(devices.number({r.driver, r.pool, r.device}));
      }
    }
  }
  if (fixes.has(Cause::claim_named_twice)) drop_repeats(walked, c);
  return c;
}

Fixes causes_of_pod(const Index& index, const Pod& pod, const Profile& profile,
                    std::vector<ClaimCause>* claims) {
  Fixes out;
  const auto note = [&](Cause cause, const ResourceClaim* claim) {
    out.add(cause);
    if (claims == nullptr || claim == nullptr) return;
    for (const ClaimCause& have : *claims) {
      if (have.cause == cause && have.claim == claim) return;
    }
    claims->push_back({cause, claim});
  };
  const auto note_all = [&](Fixes causes, const ResourceClaim* claim) {
    for (std::size_t i = 0; i < kCauses; ++i) {
      const auto cause = static_cast<Cause>(i);
      if (causes.has(cause)) note(cause, claim);
    }
  };
  if (has_ended(pod)) return out;
  const Demand demand = demand_of(pod, profile);
  const BindRequest* request = index.bind_request(pod);
  const std::vector<const ResourceClaim*> related = index.claims_of(pod);
  const std::vector<const ResourceClaim*> consumed = consumed_claims(index, pod);

  std::vector<const ResourceClaim*> all = related;
  for (const ResourceClaim* claim : consumed) {
    if (std::find(all.begin(), all.end(), claim) == all.end()) all.push_back(claim);
  }
  for (const ResourceClaim* claim : all) {
    note_all(claim_gpus(index, *claim, fixed_profile(), {}).causes, claim);
    if (!claim->allocation) continue;
    if (claim->extended_resource) {
      note(Cause::extended_resource, claim);
      if (profile.dra && !profile.skip_extended_claims) note(Cause::extended_claim_twice, claim);
    }
    for (const DeviceResult& r : claim->allocation->results) {
      if (r.admin_access && contains_gpu(r.driver)) note(Cause::admin_access, claim);
      if (!contains_gpu(r.driver) && index.is_gpu_driver(r.driver)) {
        note(Cause::driver_without_gpu, claim);
      }
    }
  }

  // What KAI walks against what the pod consumes.
  std::set<DeviceKey> keys;
  std::set<const ResourceClaim*> seen;
  // A BindRequest may hide a repetition that is there once it is out of the way.
  for (const BindRequest* by : {request, static_cast<const BindRequest*>(nullptr)}) {
    keys.clear();
    for (const Walked& w : walk(index, pod, by, {})) {
      seen.insert(w.claim);
      for (const DeviceResult& r : w.allocation->results) {
        if (index.is_gpu_driver(r.driver) && !keys.insert({r.driver, r.pool, r.device}).second) {
          note(Cause::claim_named_twice, w.claim);
        }
      }
    }
  }
  keys.clear();
  for (const ResourceClaim* claim : consumed) {
    for (const DeviceResult& r : claim->allocation->results) {
      if (!r.admin_access && index.is_gpu_driver(r.driver) &&
          !keys.insert({r.driver, r.pool, r.device}).second) {
        note(Cause::claim_named_twice, claim);
      }
    }
  }
  for (const PodClaim& entry : pod.claims) {
    const ClaimUse use = index.resolve(pod, entry);
    if (!entry.claim.empty() && use.claim == nullptr) out.add(Cause::missing_claim_first);
    if (request == nullptr || use.claim == nullptr) continue;
    for (const BoundAllocation& bound : request->allocations) {
      if (bound.name != entry.name) continue;
      if (devices_of(bound.allocation) != devices_of(use.claim->allocation)) {
        note(Cause::bind_request_disagrees, use.claim);
      }
    }
  }
  for (const ResourceClaim* claim : all) {
    if (claim->extended_resource || !claim->allocation) continue;
    const bool kai = std::find(related.begin(), related.end(), claim) != related.end();
    const bool really = std::find(consumed.begin(), consumed.end(), claim) != consumed.end();
    if (kai != really ||
        (really && !seen.contains(claim) && !out.has(Cause::missing_claim_first))) {
      note(Cause::related_by_reservation, claim);
    } else if (really && !seen.contains(claim)) {
      // Behind a missing claim, unless it would not be walked in any case.
      note(Cause::missing_claim_first, claim);
      out.add(Cause::related_by_reservation);
    }
  }

  if (!profile.dra && !all.empty()) out.add(Cause::no_dra_accounting);
  if (profile.suffix_requests && demand.slot) out.add(Cause::suffix_request);
  if (!profile.sidecars) {
    for (const Container& c : pod.containers) {
      if (c.kind == ContainerKind::sidecar && !c.requests.empty()) out.add(Cause::sidecars_missed);
    }
  }
  if (demand.type != PodType::regular && (demand.container_gpus > 0 || !all.empty())) {
    out.add(Cause::fraction_with_claim);
  }
  if (has_reservation_label(pod, index.options()) &&
      (!is_reservation_pod(pod, index.options()) || !all.empty())) {
    out.add(Cause::reservation_label);
  }
  if (pod.phase == Phase::unknown) out.add(Cause::phase_unknown);
  return out;
}

std::vector<Charge> charges_of(const Index& index, const Node& node,
                               std::span<const Pod* const> pods, const Profile& profile,
                               Fixes fixes, DeviceTable& devices) {
  std::vector<Charge> out;
  for (const Pod* pod : pods) {
    Charge charge = charge_of(index, *pod, node, profile, fixes, devices);
    if (is_charged(charge.status)) out.push_back(std::move(charge));
  }
  std::sort(out.begin(), out.end(), [](const Charge& a, const Charge& b) {
    return std::tuple{!a.reservation, a.pod->meta.ns, a.pod->meta.name, a.pod->meta.uid} <
           std::tuple{!b.reservation, b.pod->meta.ns, b.pod->meta.name, b.pod->meta.uid};
  });
  return out;
}

}  // namespace draudit
