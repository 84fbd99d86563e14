#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "accounting/attribute.hpp"
#include "accounting/capacity.hpp"
#include "accounting/charge.hpp"
#include "accounting/demand.hpp"
#include "accounting/detect.hpp"
#include "accounting/held.hpp"
#include "accounting/index.hpp"
#include "accounting/orders.hpp"
#include "accounting/replay.hpp"
#include "draudit/accounting.hpp"

namespace draudit {
namespace {

/// Fraction groups do not depend on the order, unless a pod takes no memory of its group (a tiny
/// portion): then the few fraction pods are tried in every order.
void group_figures(const ReplayNode& node, const Account& account, Figures& figures) {
  std::vector<std::uint32_t> fractions;
  bool orderly = true;
  for (std::uint32_t i = 0; i < account.charges.size(); ++i) {
    const Charge& c = account.charges[i];
    if (c.groups.empty()) continue;
    fractions.push_back(i);
    orderly = orderly && c.group_memory > 0;
  }
  if (fractions.empty()) return;
  constexpr std::size_t kTryAll = 8;
  bool first = true;
  const auto widen = [&](Range& range, Gpus value) {
    range =
        first ? exactly(value) : Range{std::min(range.least, value), std::max(range.most, value)};
  };
  Range taken;
  Range releasing;
  Range groups;
  do {
    Replay state(node);
    for (const std::uint32_t i : fractions) {
      Charge only_groups = account.charges[i];
      only_groups.gpus = 0;
      state.add(only_groups, i);
    }
    widen(taken, node.capacity - state.totals().idle);
    widen(releasing, state.totals().releasing);
    widen(groups, state.totals().groups);
    first = false;
  } while (!orderly && fractions.size() <= kTryAll &&
           std::next_permutation(fractions.begin(), fractions.end()));
  if (!orderly && fractions.size() > kTryAll) figures.exact = false;
  figures.groups = groups;
  figures.idle = {figures.idle.least - taken.most, figures.idle.most - taken.least};
  figures.releasing = figures.releasing + releasing;
}

void mig_figures(const Account& account, const std::map<std::string_view, std::int64_t>& capacity,
                 Figures& figures) {
  for (const auto& [profile, slices] : capacity) {
    figures.mig[profile] = {.capacity = slices, .idle = slices};
  }
  for (const Charge& c : account.charges) {
    for (const auto& [profile, slices] : c.mig) {
      MigFigures& f = figures.mig[profile];
      if (account.profile->zeroing && f.capacity == 0) continue;
      f.used = add_saturating(f.used, slices);
      f.idle = add_saturating(f.idle, -slices);
      if (c.status == PodStatus::releasing) f.releasing = add_saturating(f.releasing, slices);
    }
  }
}

OrderEffect compute(const NodeAudit& node, const std::map<std::string_view, std::int64_t>& mig,
                    Account& account) {
  const ReplayNode context = replay_node(node, account, node.devices.size());
  OrderEffect effect = order_effect(context, account.charges);
  account.figures.used = effect.used;
  account.figures.releasing = effect.releasing;
  account.figures.idle = account.capacity - effect.used;
  account.figures.exact = effect.exact;
  group_figures(context, account, account.figures);
  mig_figures(account, mig, account.figures);
  return effect;
}

/// Both versions walk the same orders, those that matter to the corrected one, so that their steps
/// can be laid side by side. A version without the fix comes to the same figures in any order.
void walk(NodeAudit& node, const OrderEffect& effect) {
  for (Account* account : {&node.naive, &node.corrected}) {
    const ReplayNode context = replay_node(node, *account, node.devices.size());
    account->steps = replay(context, account->charges, effect.most_order);
    if (!effect.used.fixed()) {
      account->least_steps = replay(context, account->charges, effect.least_order);
    }
  }
}

PendingPod pending_pod(const Index& index, const Pod& pod) {
  PendingPod out{.pod = &pod};
  DeviceTable devices;
  const Charge charge = charge_of(index, pod, Node{}, *index.options().corrected, {}, devices);
  out.container_gpus = charge.type == PodType::regular ? charge.container_gpus : 0;
  out.claim_gpus = charge.claim_gpus;
  std::vector<DeviceKey> keys(devices.all().size());
  for (const auto& [key, n] : devices.all()) keys[n] = key;
  for (const std::uint32_t d : charge.devices) out.devices.push_back(keys[d]);
  for (const ResourceClaim* claim : index.claims_of(pod)) {
    if (!claim->allocation && gpus_of_claim(*claim, *index.options().corrected) > 0) {
      out.unallocated.push_back(claim);
    }
  }
  return out;
}

void add_orphans(const Index& index, const std::set<const ResourceClaim*>& consumed, Audit& out) {
  for (const ResourceClaim& claim : index.snapshot().claims) {
    if (!claim.allocation || consumed.contains(&claim)) continue;
    // A consumer that is no pod, such as a PodGroup, may well be alive.
    if (std::any_of(claim.reserved_for.begin(), claim.reserved_for.end(),
                    [](const Consumer& c) { return c.resource != "pods"; })) {
      continue;
    }
    OrphanClaim orphan{.claim = &claim};
    for (const DeviceResult& r : claim.allocation->results) {
      if (!r.admin_access && index.is_gpu_driver(r.driver)) {
        orphan.devices.push_back({r.driver, r.pool, r.device});
      }
    }
    if (orphan.devices.empty()) continue;
    orphan.node = index.node_of_device(orphan.devices.front());
    out.orphans.push_back(std::move(orphan));
  }
}

NodeAudit audit_node(const Index& index, const Node& node, std::span<const Pod* const> pods,
                     bool labels_in_use) {
  NodeAudit out{.node = &node};
  out.naive.profile = index.options().naive;
  out.corrected.profile = index.options().corrected;
  out.naive.version = index.options().naive_version;
  out.corrected.version = index.options().corrected_version;
  const std::array accounts = {&out.naive, &out.corrected};

  DeviceTable table;
  std::vector<PodHolding> holdings;
  for (Account* account : accounts) {
    account->charges = charges_of(index, node, pods, *account->profile, {}, table);
  }
  for (const Pod* pod : pods) {
    holdings.push_back(holding_of(index, *pod));
    for (const DeviceKey& key : holdings.back().devices) table.number(key);
  }

  // Number devices by name, and collect who holds them.
  const std::vector<std::uint32_t> renumber = table.sort();
  for (Account* account : accounts) {
    for (Charge& c : account->charges) {
      for (std::uint32_t& d : c.devices) d = renumber[d];
    }
  }
  out.devices.resize(table.all().size());
  for (const auto& [key, n] : table.all()) out.devices[n].key = key;
  std::set<DeviceKey> held;
  std::set<std::string_view> groups;
  std::set<std::string_view> reserved;
  for (const PodHolding& holding : holdings) {
    for (const DeviceKey& key : holding.devices) {
      out.devices[table.all().at(key)].holders.push_back(holding.pod);
      held.insert(key);
    }
    out.held.plugin += holding.plugin;
    groups.insert(holding.groups.begin(), holding.groups.end());
    reserved.insert(holding.reserved.begin(), holding.reserved.end());
    for (const ResourceClaim* claim : holding.claims) {
      for (const DeviceResult& r : claim->allocation->results) {
        const auto it = table.all().find({r.driver, r.pool, r.device});
        if (it == table.all().end()) continue;
        out.devices[it->second].claims.push_back(claim);
      }
    }
  }
  for (DeviceUse& device : out.devices) {
    // Objects lie sorted in the snapshot, so pointers sort them by name.
    std::sort(device.claims.begin(), device.claims.end());
    device.claims.erase(std::unique(device.claims.begin(), device.claims.end()),
                        device.claims.end());
  }
  for (const ResourceSlice* slice : index.gpu_slices(node.meta.name)) {
    for (const PublishedDevice& d : slice->devices) {
      const auto it = table.all().find({slice->driver, slice->pool, d.name});
      if (it != table.all().end()) out.devices[it->second].published = true;
    }
  }
  out.held.devices = static_cast<Gpus>(held.size());
  for (const DeviceKey& key : held) out.held.by_driver[key.driver] += 1;
  // Each group is one GPU, and so is each reservation pod. While pods are being bound the two sets
  // of names can differ; the larger is certainly taken.
  out.held.groups = static_cast<Gpus>(std::max(groups.size(), reserved.size()));

  bool shows_gpus = out.held.total() > 0;
  for (const Charge& c : out.naive.charges) {
    shows_gpus = shows_gpus || c.gpus > 0 || !c.devices.empty() || !c.groups.empty();
  }
  out.capacity = capacity_of(index, node, *out.naive.profile, shows_gpus, labels_in_use);
  out.capacity.at_least = out.held.total();
  OrderEffect effect;
  for (Account* account : accounts) {
    account->capacity =
        capacity_of(index, node, *account->profile, shows_gpus, labels_in_use).value.value_or(0);
    effect = compute(out, kai_capacity(index, node, *account->profile).mig, *account);
  }
  walk(out, effect);
  attribute(index, pods, out);
  return out;
}

}  // namespace

std::string_view to_string(PodStatus status) {
  switch (status) {
    case PodStatus::running: return "Running";
    case PodStatus::releasing: return "Releasing";
    case PodStatus::stuck_in_releasing: return "StuckInReleasing";
    case PodStatus::bound: return "Bound";
    case PodStatus::binding: return "Binding";
    case PodStatus::gated: return "Gated";
    case PodStatus::pending: return "Pending";
    case PodStatus::succeeded: return "Succeeded";
    case PodStatus::failed: return "Failed";
    case PodStatus::unknown: return "Unknown";
  }
  return "Unknown";
}

bool is_charged(PodStatus status) {
  switch (status) {
    case PodStatus::running:
    case PodStatus::releasing:
    case PodStatus::stuck_in_releasing:
    case PodStatus::bound:
    case PodStatus::binding: return true;
    case PodStatus::gated:
    case PodStatus::pending:
    case PodStatus::succeeded:
    case PodStatus::failed:
    case PodStatus::unknown: return false;
  }
  return false;
}

std::string to_string(const DeviceKey& key) {
  std::string out{key.driver};
  out += '/';
  out += key.pool;
  out += '/';
  out += key.device;
  return out;
}

std::string_view to_string(Certainty certainty) {
  switch (certainty) {
    case Certainty::possible: return "possible";
    case Certainty::likely: return "likely";
    case Certainty::certain: return "certain";
  }
  return "possible";
}

std::string_view to_string(CapacitySource source) {
  switch (source) {
    case CapacitySource::slices_and_allocatable: return "slices+allocatable";
    case CapacitySource::allocatable: return "allocatable";
    case CapacitySource::label: return "label";
    case CapacitySource::flag: return "flag";
    case CapacitySource::unknown: return "unknown";
  }
  return "unknown";
}

const NodeAudit* Audit::node(std::string_view name) const {
  const auto it =
      std::lower_bound(nodes.begin(), nodes.end(), name,
                       [](const NodeAudit& n, auto want) { return n.node->meta.name < want; });
  return it == nodes.end() || it->node->meta.name != name ? nullptr : &*it;
}

Audit audit(const Snapshot& snapshot, AuditOptions options) {
  Audit out{.snapshot = &snapshot, .options = std::move(options)};
  if (snapshot.scheduler) {
    if (out.options.node_pool_key.empty()) {
      out.options.node_pool_key = snapshot.scheduler->node_pool_key;
      out.options.node_pool_value = snapshot.scheduler->node_pool_value;
    }
    if (!out.options.stuck_after_nanoseconds) {
      out.options.stuck_after_nanoseconds = snapshot.scheduler->stuck_after_nanoseconds;
    }
  }
  out.running = detect_kai(snapshot);
  out.naive_chosen = out.options.naive != nullptr;
  if (!out.naive_chosen) {
    // A cluster that has the fix is still compared with what the stock version would say.
    const Profile* running = find_profile(out.running.version);
    const bool stock = running == nullptr || running->dedup;
    out.options.naive = stock ? &stock_profile() : running;
    out.options.naive_version = stock ? stock_profile().version : out.running.version;
  }
  if (out.options.naive_version.empty()) out.options.naive_version = out.options.naive->version;
  if (out.options.corrected == nullptr) out.options.corrected = &fixed_profile();
  if (out.options.corrected_version.empty()) {
    out.options.corrected_version = out.options.corrected->version;
  }
  if (!out.options.now) out.options.now = snapshot.newest;

  const Index index(snapshot, out.options);
  out.nodes_outside = snapshot.nodes.size() - index.nodes().size();
  bool labels_in_use = false;
  for (const Node& node : snapshot.nodes) {
    labels_in_use = labels_in_use || gpu_count_label(node).has_value();
  }

  std::vector<std::pair<std::string_view, const Pod*>> by_node;
  std::set<const ResourceClaim*> consumed;
  for (const Pod& pod : snapshot.pods) {
    if (!has_ended(pod)) {
      for (const ResourceClaim* claim : consumed_claims(index, pod)) consumed.insert(claim);
    }
    const Node* node = index.node_of(pod);
    if (node == nullptr) {
      const PodStatus status = index.status_of(pod, *out.options.corrected);
      if (status == PodStatus::pending) out.pending.push_back(pending_pod(index, pod));
      const bool ended = status == PodStatus::succeeded || status == PodStatus::failed;
      if (!ended && !pod.node.empty() && snapshot.node(pod.node) == nullptr) {
        out.nodeless.push_back(&pod);
      }
      continue;
    }
    by_node.emplace_back(node->meta.name, &pod);
    const PodStatus status = index.status_of(pod, *out.options.corrected);
    if (!is_charged(status)) continue;
    for (const PodClaim& entry : pod.claims) {
      const ClaimUse use = index.resolve(pod, entry);
      if (use.trouble != ClaimTrouble::none) {
        out.claim_troubles.push_back({&pod, node, status, use});
      }
    }
  }
  add_orphans(index, consumed, out);
  std::stable_sort(by_node.begin(), by_node.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  out.nodes.reserve(index.nodes().size());
  std::vector<const Pod*> pods;
  auto next = by_node.begin();
  for (const Node* node : index.nodes()) {
    pods.clear();
    while (next != by_node.end() && next->first < node->meta.name) ++next;
    for (; next != by_node.end() && next->first == node->meta.name; ++next) {
      pods.push_back(next->second);
    }
    out.nodes.push_back(audit_node(index, *node, pods, labels_in_use));
  }
  return out;
}

UpgradeHelps upgrade_helps(const NodeAudit& node) {
  if (!node.capacity.value) return UpgradeHelps::unknown;
  const Range corrected = node.corrected.figures.idle;
  if (node.naive.figures.idle.least >= 0) return UpgradeHelps::not_needed;
  if (corrected.least >= 0) return UpgradeHelps::yes;
  return corrected.most >= 0 ? UpgradeHelps::at_times : UpgradeHelps::no;
}

std::string_view to_string(UpgradeHelps helps) {
  switch (helps) {
    case UpgradeHelps::not_needed: return "not-needed";
    case UpgradeHelps::yes: return "yes";
    case UpgradeHelps::at_times: return "at-times";
    case UpgradeHelps::no: return "no";
    case UpgradeHelps::unknown: return "unknown";
  }
  return "unknown";
}

std::vector<Step> replay_in_order(const NodeAudit& node, const Account& account,
                                  const std::vector<std::string>& order) {
  std::vector<std::uint32_t> indexes;
  std::vector<char> placed(account.charges.size(), 0);
  const auto place = [&](std::uint32_t i) {
    if (placed[i] != 0) return;
    placed[i] = 1;
    indexes.push_back(i);
  };
  for (const std::string& name : order) {
    for (std::uint32_t i = 0; i < account.charges.size(); ++i) {
      if (full_name(account.charges[i].pod->meta) == name) place(i);
    }
  }
  for (std::uint32_t i = 0; i < account.charges.size(); ++i) place(i);
  return replay(replay_node(node, account, node.devices.size()), account.charges, indexes);
}

namespace {

template <class Order>
std::vector<Step> take_off(const NodeAudit& node, const Account& account,
                           const std::vector<Step>& added, const Order& order) {
  Replay state(replay_node(node, account, node.devices.size()));
  for (const Step& step : added) state.add(account.charges[step.charge], step.charge);
  std::vector<Step> out;
  out.reserve(added.size());
  for (const std::uint32_t i : order) out.push_back(state.remove(account.charges[i], i));
  return out;
}

std::vector<std::uint32_t> order_of(const std::vector<Step>& steps) {
  std::vector<std::uint32_t> out;
  out.reserve(steps.size());
  for (const Step& step : steps) out.push_back(step.charge);
  return out;
}

}  // namespace

std::vector<Step> release(const NodeAudit& node, const Account& account) {
  std::vector<std::uint32_t> order = order_of(account.steps);
  std::reverse(order.begin(), order.end());
  return take_off(node, account, account.steps, order);
}

std::vector<Step> release_first_in_first_out(const NodeAudit& node, const Account& account) {
  return take_off(node, account, account.least_steps, order_of(account.least_steps));
}

}  // namespace draudit
