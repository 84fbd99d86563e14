#include "fit/node_state.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "accounting/attribute.hpp"
#include "accounting/capacity.hpp"

namespace draudit {
namespace {

/// What the order of adding decides: GPUs counted, and those of them that are terminating.
using Pair = std::pair<Gpus, Gpus>;

/// Charges whose devices another one brings too, or which bring one twice.
std::vector<std::uint32_t> interlocked(const NodeAudit& node, const Account& account) {
  std::vector<std::uint32_t> references(node.devices.size());
  for (const Charge& c : account.charges) {
    if (c.gpus <= 0) continue;
    for (const std::uint32_t d : c.devices) ++references[d];
  }
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < account.charges.size(); ++i) {
    const Charge& c = account.charges[i];
    if (c.gpus > 0 && std::any_of(c.devices.begin(), c.devices.end(),
                                  [&](std::uint32_t d) { return references[d] > 1; })) {
      out.push_back(i);
    }
  }
  return out;
}

/// GPUs that a charge is counted as once the given others are registered.
Gpus counted(const Account& account, const std::vector<std::uint32_t>& pods, std::uint32_t before,
             std::uint32_t next) {
  std::set<std::uint32_t> known;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    if ((before >> i & 1U) == 0) continue;
    const auto& devices = account.charges[pods[i]].devices;
    known.insert(devices.begin(), devices.end());
  }
  const Charge& c = account.charges[pods[next]];
  Gpus already = 0;
  for (const std::uint32_t d : c.devices) {
    if (!known.insert(d).second) ++already;
  }
  return c.gpus - std::min(already, c.gpus);
}

/// Every pair that some order comes to: what is registered is the set of pods before, so a walk
/// over sets finds them all.
std::set<Pair> over_orders(const Account& account, const std::vector<std::uint32_t>& pods) {
  std::vector<std::set<Pair>> reached(std::size_t{1} << pods.size());
  reached[0].insert({0, 0});
  for (std::uint32_t set = 0; set + 1 < reached.size(); ++set) {
    for (std::uint32_t i = 0; i < pods.size(); ++i) {
      if ((set >> i & 1U) != 0) continue;
      const Gpus gpus = counted(account, pods, set, i);
      const bool releasing = account.charges[pods[i]].status == PodStatus::releasing;
      for (const auto& [used, freed] : reached[set]) {
        reached[set | 1U << i].insert({used + gpus, freed + (releasing ? gpus : 0)});
      }
    }
    reached[set].clear();
  }
  return reached.back();
}

constexpr std::size_t kMostInterlocked = 12;

/// Used and releasing of the vector, for every order.
std::set<Pair> pairs_of(const NodeAudit& node, const Account& account, const Totals& groups) {
  const Figures& f = account.figures;
  const Gpus freed = groups.releasing;
  if (f.used.fixed() && f.releasing.fixed()) return {{f.used.least, f.releasing.least - freed}};
  const std::vector<std::uint32_t> pods = interlocked(node, account);
  if (pods.size() > kMostInterlocked) {
    std::set<Pair> ends;
    for (const Gpus used : {f.used.least, f.used.most}) {
      for (const Gpus releasing : {f.releasing.least, f.releasing.most}) {
        ends.insert({used, releasing - freed});
      }
    }
    return ends;
  }
  std::set<Pair> out;
  Gpus used = 0;
  Gpus releasing = 0;
  for (std::uint32_t i = 0; i < account.charges.size(); ++i) {
    if (std::find(pods.begin(), pods.end(), i) != pods.end()) continue;
    used += account.charges[i].gpus;
    if (account.charges[i].status == PodStatus::releasing) releasing += account.charges[i].gpus;
  }
  for (const Pair& p : over_orders(account, pods)) {
    out.insert({p.first + used, p.second + releasing});
  }
  return out;
}

}  // namespace

bool NodeState::mig_enabled() const {
  if (const auto label = find(node->node->labels, "node-role.kubernetes.io/mig-enabled")) {
    // As Go's ParseBool.
    for (const std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"}) {
      if (*label == yes) return true;
    }
    return false;
  }
  const auto& mig = account->figures.mig;
  return std::any_of(mig.begin(), mig.end(), [](const auto& m) { return m.second.capacity > 0; });
}

NodeState node_state(const Index& index, const NodeAudit& node, const Account& account) {
  NodeState out{.node = &node, .account = &account};
  Replay fractions(replay_node(node, account, node.devices.size()));
  for (std::uint32_t i = 0; i < account.charges.size(); ++i) {
    if (account.charges[i].groups.empty()) continue;
    Charge only_groups = account.charges[i];
    only_groups.gpus = 0;
    fractions.add(only_groups, i);
  }
  out.groups = fractions.groups();
  const Totals& groups = fractions.totals();
  for (const auto& [used, releasing] : pairs_of(node, account, groups)) {
    out.totals.push_back({.used = used,
                          .idle = groups.idle - used,
                          .releasing = releasing + groups.releasing,
                          .groups = groups.groups});
  }
  out.memory_of_gpu = gpu_memory_mib(*node.node);
  out.capacity = amounts_of(node.node->allocatable);
  for (const Charge& c : account.charges) {
    for (const auto& [name, amount] : amounts_of(*c.pod, *account.profile)) {
      const bool zero = amount_of(out.capacity, name) == 0;
      if (zero && account.profile->zeroing) continue;
      out.used[name] += amount;
      if (c.status == PodStatus::releasing) out.releasing[name] += amount;
    }
    if (demand_of(*c.pod, *account.profile).legacy_mig) out.legacy_mig = true;
    if (!account.profile->dedup || c.gpus <= 0) continue;
    for (const std::uint32_t d : c.devices) out.registered.push_back(node.devices[d].key);
  }
  std::sort(out.registered.begin(), out.registered.end());
  if (account.profile->dra) {
    for (const ResourceSlice* slice : index.gpu_slices(node.node->meta.name)) {
      out.dra_gpus = out.dra_gpus || !slice->devices.empty();
    }
  }
  return out;
}

}  // namespace draudit
