#include "fit/wish.hpp"

#include <algorithm>
#include <cmath>

#include "accounting/charge.hpp"

namespace draudit {
namespace {

/// In the slot of GPUs or of a MIG profile, which the accounting keeps.
bool is_gpu_amount(std::string_view resource) {
  return resource == kNvidiaGpu || resource == kAmdGpu || resource.starts_with(kMigPrefix) ||
         overwrites_gpu_slot(resource);
}

Int128 amount_in(const ResourceAmount& r) {
  const bool whole = r.resource == "memory" || r.resource == "pods";
  return whole ? r.amount.value() : r.amount.milli();
}

void add_amounts(Amounts& into, const std::vector<ResourceAmount>& from) {
  for (const ResourceAmount& r : from) {
    if (!is_gpu_amount(r.resource)) into[r.resource] += amount_in(r);
  }
}

void raise(Amounts& into, const Amounts& to) {
  for (const auto& [name, amount] : to) into[name] = std::max(into[name], amount);
}

}  // namespace

Amounts amounts_of(const Pod& pod, const Profile& profile) {
  Amounts sum;
  Amounts sidecars;
  Amounts peak;
  for (const Container& c : pod.containers) {
    if (c.kind == ContainerKind::regular) {
      add_amounts(sum, c.requests);
    } else if (c.kind == ContainerKind::sidecar && profile.sidecars) {
      add_amounts(sum, c.requests);
      add_amounts(sidecars, c.requests);
    } else {
      Amounts own = sidecars;
      add_amounts(own, c.requests);
      raise(peak, own);
    }
  }
  raise(sum, peak);
  add_amounts(sum, pod.overhead);
  sum["pods"] = 1;
  return sum;
}

Amounts amounts_of(const std::vector<ResourceAmount>& allocatable) {
  Amounts out;
  add_amounts(out, allocatable);
  return out;
}

Int128 amount_of(const Amounts& in, std::string_view name) {
  const auto it = in.find(name);
  return it == in.end() ? Int128{0} : it->second;
}

Wish wish_of(const Index& index, const Pod& pod, const Profile& profile, bool gang) {
  Wish out{.pod = &pod, .demand = demand_of(pod, profile), .gang = gang};
  DeviceTable table;
  // Of the node, a charge takes nothing but the size of fractions.
  const Charge charge = charge_of(index, pod, Node{}, profile, {}, table);
  out.claim_gpus = charge.claim_gpus;
  switch (out.demand.type) {
    case PodType::fraction:
      out.gpus =
          std::round(out.demand.portion * 100) * static_cast<double>(out.demand.shared_gpus) / 100;
      break;
    case PodType::gpu_memory: out.gpus = 0; break;  // its portion is known on a node alone
    case PodType::mig:
      if (!out.demand.legacy_mig) out.gpus = static_cast<double>(out.demand.container_gpus);
      break;
    case PodType::regular: out.gpus = static_cast<double>(out.demand.container_gpus); break;
  }
  out.slot = out.gpus + static_cast<double>(out.claim_gpus);
  if (out.demand.slot && profile.suffix_requests) {
    out.slot = static_cast<double>(*out.demand.slot);  // v0.14 (§3.2)
  }
  out.amounts = amounts_of(pod, profile);
  std::vector<DeviceKey> keys(table.all().size());
  for (const auto& [key, n] : table.all()) keys[n] = key;
  for (const std::uint32_t d : charge.devices) out.devices.push_back(keys[d]);
  return out;
}

}  // namespace draudit
