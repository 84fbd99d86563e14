#include "accounting/attribute.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "accounting/capacity.hpp"
#include "accounting/charge.hpp"
#include "accounting/demand.hpp"
#include "accounting/orders.hpp"

namespace draudit {
namespace {

/// Causes that a switch of the profile takes away, and those that another reading of the pods does.
constexpr std::array kBefore = {Cause::no_dra_accounting, Cause::sidecars_missed,
                                Cause::suffix_request,    Cause::extended_claim_twice,
                                Cause::class_is_no_gpu,   Cause::admin_access,
                                Cause::claim_named_twice};
constexpr std::array kAfter = {Cause::reservation_label,   Cause::phase_unknown,
                               Cause::driver_without_gpu,  Cause::bind_request_disagrees,
                               Cause::missing_claim_first, Cause::related_by_reservation,
                               Cause::fraction_with_claim, Cause::all_mode,
                               Cause::first_available,     Cause::class_without_gpu,
                               Cause::extended_resource,   Cause::unallocated_claim,
                               Cause::count_differs};

struct Figure {
  Range used;
  std::vector<Charge> charges;
};

/// Walks down from what a version believes to what is held, one cause at a time.
class Ladder {
 public:
  Ladder(const Index& index, std::span<const Pod* const> pods, const NodeAudit& node,
         const Account& account)
      : index_(index), pods_(pods), node_(node), account_(account), profile_(*account.profile) {}

  /// Calls `step(cause, before, after)` for each cause that is there.
  template <class Step>
  void run(Fixes present, Step step) {
    Figure now = figure();
    const auto take = [&](Cause cause) {
      Figure next = figure();
      step(cause, now, next);
      now = std::move(next);
    };
    for (const Cause cause : kBefore) {
      if (!present.has(cause)) continue;
      switch_off(cause);
      take(cause);
    }
    if (!profile_.dedup) {
      profile_.dedup = true;
      take(Cause::shared_device);
    }
    for (const Cause cause : kAfter) {
      if (!present.has(cause)) continue;
      fixes_.add(cause);
      take(cause);
    }
    if (profile_.zeroing && node_.capacity.value && account_.capacity == 0) {
      profile_.zeroing = false;
      take(Cause::no_capacity);
    }
    // Reservation pods whose group no fraction uses, and groups of fractions that take no memory.
    Figure groups = now;
    Gpus counted = groups_of(now.charges);
    groups.used = {now.used.least - counted + node_.held.groups,
                   now.used.most - counted + node_.held.groups};
    if (groups.used != now.used) step(Cause::fraction_groups, now, groups);
    Figure held = groups;
    held.used = exactly(node_.held.total());
    if (held.used != groups.used) step(Cause::other, groups, held);
  }

 private:
  void switch_off(Cause cause) {
    if (cause == Cause::no_dra_accounting)
      profile_.dra = true;
    else if (cause == Cause::sidecars_missed)
      profile_.sidecars = true;
    else if (cause == Cause::suffix_request)
      profile_.suffix_requests = false;
    else if (cause == Cause::extended_claim_twice)
      profile_.skip_extended_claims = true;
    else
      fixes_.add(cause);
  }

  static Gpus groups_of(const std::vector<Charge>& charges) {
    std::set<std::string_view> groups;
    for (const Charge& c : charges) {
      if (c.group_memory > 0) groups.insert(c.groups.begin(), c.groups.end());
    }
    return static_cast<Gpus>(groups.size());
  }

  Figure figure() {
    DeviceTable devices;
    Figure out;
    out.charges = charges_of(index_, *node_.node, pods_, profile_, fixes_, devices);
    ReplayNode context = replay_node(node_, account_, devices.all().size());
    context.profile = &profile_;
    const Gpus groups = groups_of(out.charges);
    const Range used = order_effect(context, out.charges).used;
    out.used = {used.least + groups, used.most + groups};
    return out;
  }

  const Index& index_;
  std::span<const Pod* const> pods_;
  const NodeAudit& node_;
  const Account& account_;
  Profile profile_;
  Fixes fixes_;
};

/// Pods that are charged otherwise: of another amount, for other devices, or not at all.
void add_changed_pods(const std::vector<Charge>& before, const std::vector<Charge>& after,
                      std::vector<const Pod*>& into) {
  std::map<const Pod*, std::pair<Gpus, std::size_t>> old;
  for (const Charge& c : before) old[c.pod] = {c.gpus, c.devices.size()};
  for (const Charge& c : after) {
    const auto it = old.find(c.pod);
    if (it == old.end() || it->second != std::pair{c.gpus, c.devices.size()}) into.push_back(c.pod);
  }
}

CauseShare& share_of(NodeAudit& node, Cause cause) {
  for (CauseShare& s : node.causes) {
    if (s.cause == cause) return s;
  }
  node.causes.push_back({.cause = cause});
  return node.causes.back();
}

template <class T>
void sort_unique(std::vector<T>& v) {
  std::sort(v.begin(), v.end());  // pointers into sorted lists: by name
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

void causes_of_used(const Index& index, std::span<const Pod* const> pods, NodeAudit& node) {
  const Range held = exactly(node.held.total());
  Fixes present;
  std::vector<ClaimCause> claims;
  for (const Pod* pod : pods) present.add(causes_of_pod(index, *pod, *node.naive.profile, &claims));
  // With nothing odd about any pod, equal figures need no explanation.
  if (present.none() && node.naive.figures.printed_used() == held &&
      node.corrected.figures.printed_used() == held) {
    return;
  }
  Ladder(index, pods, node, node.naive)
      .run(present, [&](Cause cause, const Figure& before, const Figure& after) {
        CauseShare& s = share_of(node, cause);
        s.naive += before.used.most - after.used.most;
        add_changed_pods(before.charges, after.charges, s.pods);
      });
  for (const Pod* pod : pods) {
    present.add(causes_of_pod(index, *pod, *node.corrected.profile, nullptr));
  }
  Ladder(index, pods, node, node.corrected)
      .run(present, [&](Cause cause, const Figure& before, const Figure& after) {
        CauseShare& s = share_of(node, cause);
        s.corrected_least += before.used.least - after.used.least;
        s.corrected_most += before.used.most - after.used.most;
        add_changed_pods(before.charges, after.charges, s.pods);
      });
  for (CauseShare& s : node.causes) {
    for (const ClaimCause& c : claims) {
      if (c.cause == s.cause) s.claims.push_back(c.claim);
    }
    sort_unique(s.claims);
    sort_unique(s.pods);
  }
  // Causes that were looked at and play no part; those whose pods' errors cancel out stay.
  std::erase_if(node.causes, [](const CauseShare& s) {
    return s.naive == 0 && s.corrected_least == 0 && s.corrected_most == 0 && s.pods.empty();
  });
}

/// "nvidia.com/gpu" and a driver of the same vendor offer the same GPUs.
std::string_view vendor_of(std::string_view resource) {
  return resource == kNvidiaGpu ? "nvidia" : resource == kAmdGpu ? "amd" : "";
}

/// What is published for a node, slice by slice, and what of it are GPUs of their own.
struct Published {
  std::set<DeviceKey> current;             ///< in the newest generation of their pool
  Gpus stale = 0;                          ///< entries of older generations, counted all the same
  Gpus repeated = 0;                       ///< entries that say the same device again
  std::map<DeviceKey, DeviceKey> parents;  ///< partition → the published GPU that it is part of
};

Published published_on(const Index& index, std::string_view node) {
  Published out;
  const std::vector<const ResourceSlice*> slices = index.gpu_slices(node);
  std::map<std::string_view, DeviceKey> by_uuid;
  for (const ResourceSlice* slice : slices) {
    const auto devices = static_cast<Gpus>(slice->devices.size());
    if (slice->generation < index.newest_generation(*slice)) {
      out.stale += devices;
      continue;
    }
    for (const PublishedDevice& d : slice->devices) {
      const DeviceKey key{slice->driver, slice->pool, d.name};
      if (!out.current.insert(key).second) {
        ++out.repeated;
      } else if (!d.uuid.empty()) {
        // Two names for one uuid: the second is no GPU of its own.
        const auto [it, fresh] = by_uuid.try_emplace(d.uuid, key);
        if (!fresh) out.parents.emplace(key, it->second);
      }
    }
  }
  for (const ResourceSlice* slice : slices) {
    for (const PublishedDevice& d : slice->devices) {
      const DeviceKey key{slice->driver, slice->pool, d.name};
      if (!out.current.contains(key) || out.parents.contains(key)) continue;
      if (const auto it = by_uuid.find(d.parent_uuid);
          !d.parent_uuid.empty() && it != by_uuid.end()) {
        if (it->second != key) out.parents.emplace(key, it->second);
        continue;
      }
      // NVIDIA's names: gpu-3-mig-… is part of gpu-3.
      const std::size_t mig = d.name.find("-mig-");
      if (mig == std::string_view::npos) continue;
      const DeviceKey parent{slice->driver, slice->pool, d.name.substr(0, mig)};
      if (out.current.contains(parent)) out.parents.emplace(key, parent);
    }
  }
  return out;
}

void causes_of_capacity(const Index& index, NodeAudit& node) {
  if (node.capacity.source != CapacitySource::slices_and_allocatable) return;
  Gpus physical = *node.capacity.value;
  const auto share = [&](Cause cause, Gpus too_many) -> CauseShare& {
    CauseShare& s = share_of(node, cause);
    s.naive = s.corrected_least = s.corrected_most = too_many;
    physical -= too_many;
    return s;
  };

  Gpus plugin = 0;  // as the API means allocatable
  Gpus kai_plugin = 0;
  std::map<std::string_view, Gpus> by_vendor;
  for (const ResourceAmount& a : node.node->allocatable) {
    const bool slot = overwrites_gpu_slot(a.resource);
    if (a.resource != kNvidiaGpu && a.resource != kAmdGpu && !slot) continue;
    plugin += a.amount.value();
    by_vendor[vendor_of(a.resource)] += a.amount.value();
    if (slot && node.naive.profile->suffix_capacity) kai_plugin = a.amount.milli();
  }
  if (kai_plugin != 0) share(Cause::suffix_capacity, kai_plugin - plugin);

  // A GPU that the plugin withdrew shows in capacity until the kubelet restarts, and in the pods
  // that the kubelet let in when it was there.
  Gpus once = 0;
  for (const ResourceAmount& a : node.node->capacity) {
    if (a.resource == kNvidiaGpu || a.resource == kAmdGpu) once += a.amount.value();
  }
  if (plugin > 0 || once > 0) once = std::max(once, node.held.plugin);
  if (kai_plugin == 0 && once > plugin) share(Cause::unhealthy_plugin_gpu, plugin - once);
  if (!node.naive.profile->dra) {
    node.physical = physical;
    return;
  }

  const Published published = published_on(index, node.node->meta.name);
  if (published.stale > 0) share(Cause::stale_generation, published.stale);

  std::set<DeviceKey> held;
  for (const DeviceUse& d : node.devices) {
    if (!d.holders.empty()) held.insert(d.key);
  }
  // A GPU and its partitions: one, or as many as there are partitions in use.
  std::map<DeviceKey, std::pair<Gpus, Gpus>> families;  // published and held partitions
  for (const auto& [part, parent] : published.parents) {
    auto& [parts, used] = families[parent];
    ++parts;
    used += held.contains(part) ? 1 : 0;
  }
  Gpus too_many = published.repeated;
  for (const auto& [parent, counts] : families) {
    const auto& [parts, used] = counts;
    const Gpus really = std::max<Gpus>(1, used + (held.contains(parent) ? 1 : 0));
    too_many += parts + 1 - really;
  }
  if (too_many != 0) {
    CauseShare& s = share(Cause::partitions, too_many);
    for (const auto& [part, parent] : published.parents) s.devices.push_back(part);
    sort_unique(s.devices);
  }

  // The same GPUs by device plugin and by DRA: as many as the smaller of the two offers.
  Gpus twice = 0;
  std::map<std::string_view, Gpus> dra;
  for (const DeviceKey& key : published.current) {
    if (published.parents.contains(key)) continue;
    for (const std::string_view vendor : {std::string_view{"nvidia"}, std::string_view{"amd"}}) {
      if (key.driver.find(vendor) != std::string_view::npos) dra[vendor] += 1;
    }
  }
  for (const auto& [vendor, devices] : dra) {
    const auto it = by_vendor.find(vendor);
    if (it != by_vendor.end()) twice += std::min(it->second, devices);
  }
  // Where more is held than that would leave, they can't all be the same.
  twice = std::min(twice, physical - node.held.total());
  if (twice > 0) share(Cause::dual_advertised, twice);

  std::vector<DeviceKey> withdrawn;
  std::vector<DeviceKey> attached;
  for (const DeviceKey& key : held) {
    if (published.current.contains(key)) continue;
    (index.published_elsewhere(key) ? attached : withdrawn).push_back(key);
  }
  if (!withdrawn.empty()) {
    share(Cause::unpublished_device, -static_cast<Gpus>(withdrawn.size())).devices = withdrawn;
  }
  if (!attached.empty()) {
    share(Cause::network_attached, -static_cast<Gpus>(attached.size())).devices = attached;
  }
  node.physical = physical;
}

void causes_of_idle(NodeAudit& node) {
  // Idle should be capacity less printed used; the label lets groups escape it (F20).
  const auto missed = [](const Account& a) {
    return a.figures.idle.most - (a.capacity - a.figures.printed_used()).most;
  };
  const Gpus naive = missed(node.naive);
  const Gpus corrected = missed(node.corrected);
  if (naive == 0 && corrected == 0) return;
  CauseShare& s = share_of(node, Cause::label_above_allocatable);
  s.naive = naive;
  s.corrected_least = s.corrected_most = corrected;
  for (const Charge& c : node.corrected.charges) {
    if (!c.groups.empty()) s.pods.push_back(c.pod);
  }
  sort_unique(s.pods);
}

}  // namespace

ReplayNode replay_node(const NodeAudit& node, const Account& account, std::size_t devices) {
  return {.profile = account.profile,
          .capacity = account.capacity,
          .capacity_known = node.capacity.value.has_value(),
          .gpu_count =
              gpu_count_label(*node.node).value_or(static_cast<std::int64_t>(account.capacity)),
          .devices = devices};
}

void attribute(const Index& index, std::span<const Pod* const> pods, NodeAudit& node) {
  causes_of_used(index, pods, node);
  causes_of_capacity(index, node);
  if (node.capacity.value) causes_of_idle(node);
  std::sort(node.causes.begin(), node.causes.end(),
            [](const CauseShare& a, const CauseShare& b) { return a.cause < b.cause; });
}

}  // namespace draudit
