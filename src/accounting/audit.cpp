#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "accounting/capacity.hpp"
#include "accounting/demand.hpp"
#include "accounting/detect.hpp"
#include "accounting/held.hpp"
#include "accounting/index.hpp"
#include "accounting/orders.hpp"
#include "accounting/replay.hpp"
#include "draudit/accounting.hpp"

namespace draudit {
namespace {

/// The devices of one node, each with a small number.
class DeviceTable {
 public:
  std::uint32_t number(const DeviceKey& key) {
    const auto [it, fresh] = numbers_.try_emplace(key, static_cast<std::uint32_t>(numbers_.size()));
    return it->second;
  }
  /// Renumbers by key, so that no number depends on the order of pods.
  std::vector<std::uint32_t> sort() {
    std::vector<std::uint32_t> renumber(numbers_.size());
    std::uint32_t next = 0;
    for (auto& [key, n] : numbers_) {
      renumber[n] = next;
      n = next++;
    }
    return renumber;
  }
  [[nodiscard]] const std::map<DeviceKey, std::uint32_t>& all() const { return numbers_; }

 private:
  std::map<DeviceKey, std::uint32_t> numbers_;
};

/// A pod's claims as KAI walks them for their allocations; stops where KAI stops (§6.2).
std::vector<const Allocation*> kai_allocations(const Index& index, const Pod& pod,
                                               const BindRequest* request) {
  std::vector<const Allocation*> out;
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
      if (entry.claim.empty()) continue;
      break;  // a missing named claim ends the walk (F12)
    }
    const Allocation* allocation =
        (*found)->allocation ? &*(*found)->allocation : nullptr;
    if (request != nullptr) {
      for (const BoundAllocation& bound : request->allocations) {
        if (bound.name == entry.name) allocation = bound.allocation ? &*bound.allocation : nullptr;
      }
    }
    if (allocation != nullptr) out.push_back(allocation);
  }
  return out;
}

Charge charge_of(const Index& index, const Pod& pod, const Node& node, const Profile& profile,
                 DeviceTable& devices) {
  Charge c{.pod = &pod, .status = index.status_of(pod, profile)};
  c.bind_request = index.bind_request(pod);
  c.reservation = has_reservation_label(pod, index.options());
  const Demand demand = demand_of(pod, index.claims_of(pod), profile);
  c.type = demand.type;
  c.container_gpus = demand.container_gpus;
  c.claim_gpus = demand.claim_gpus;
  c.gpus = c.reservation ? 0 : demand.gpus;
  c.mig = demand.mig;
  if (demand.type == PodType::fraction || demand.type == PodType::gpu_memory) {
    c.groups = gpu_groups(pod, c.bind_request);
    c.group_memory =
        demand.gpu_memory > 0
            ? demand.gpu_memory
            : static_cast<std::int64_t>(demand.portion * static_cast<double>(gpu_memory_mib(node)));
  }
  if (profile.dra) {
    for (const Allocation* allocation : kai_allocations(index, pod, c.bind_request)) {
      for (const DeviceResult& r : allocation->results) {
        if (contains_gpu(r.driver)) {
          c.devices.push_back(devices.number({r.driver, r.pool, r.device}));
        }
      }
    }
  }
  return c;
}

ReplayNode replay_node(const NodeAudit& node, const Account& account) {
  return {.profile = account.profile,
          .capacity = account.capacity,
          .capacity_known = node.capacity.value.has_value(),
          .gpu_count = gpu_count_label(*node.node).value_or(
              static_cast<std::int64_t>(account.capacity)),
          .devices = node.devices.size()};
}

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
    range = first ? exactly(value)
                  : Range{std::min(range.least, value), std::max(range.most, value)};
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
      f.used += slices;
      f.idle -= slices;
      if (c.status == PodStatus::releasing) f.releasing += slices;
    }
  }
}

OrderEffect compute(const NodeAudit& node, const std::map<std::string_view, std::int64_t>& mig,
                    Account& account) {
  const ReplayNode context = replay_node(node, account);
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
    const ReplayNode context = replay_node(node, *account);
    account->steps = replay(context, account->charges, effect.most_order);
    if (!effect.used.fixed()) {
      account->least_steps = replay(context, account->charges, effect.least_order);
    }
  }
}

bool before(const Charge& a, const Charge& b) {
  // KAI adds reservation pods first; the rest has no order of its own, so names give one.
  return std::tuple{!a.reservation, a.pod->meta.ns, a.pod->meta.name, a.pod->meta.uid} <
         std::tuple{!b.reservation, b.pod->meta.ns, b.pod->meta.name, b.pod->meta.uid};
}

NodeAudit audit_node(const Index& index, const Node& node, std::span<const Pod* const> pods,
                     bool labels_in_use) {
  NodeAudit out{.node = &node};
  out.naive.profile = index.options().naive;
  out.corrected.profile = index.options().corrected;
  out.naive.version = index.options().naive_version;
  out.corrected.version = out.corrected.profile->version;
  const std::array accounts = {&out.naive, &out.corrected};

  DeviceTable table;
  std::vector<PodHolding> holdings;
  for (Account* account : accounts) {
    for (const Pod* pod : pods) {
      Charge charge = charge_of(index, *pod, node, *account->profile, table);
      if (is_charged(charge.status)) account->charges.push_back(std::move(charge));
    }
    std::sort(account->charges.begin(), account->charges.end(), before);
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
        auto& claims = out.devices[it->second].claims;
        if (std::find(claims.begin(), claims.end(), claim) == claims.end()) {
          claims.push_back(claim);
        }
      }
    }
  }
  for (DeviceUse& device : out.devices) {
    std::sort(device.claims.begin(), device.claims.end());  // objects lie sorted in the snapshot
  }
  for (const ResourceSlice* slice : index.gpu_slices(node.meta.name)) {
    for (const std::string_view name : slice->devices) {
      const auto it = table.all().find({slice->driver, slice->pool, name});
      if (it != table.all().end()) out.devices[it->second].published = true;
    }
  }
  out.held.devices = static_cast<Gpus>(held.size());
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
      std::lower_bound(nodes.begin(), nodes.end(), name, [](const NodeAudit& n, auto want) {
        return n.node->meta.name < want;
      });
  return it == nodes.end() || it->node->meta.name != name ? nullptr : &*it;
}

Audit audit(const Snapshot& snapshot, AuditOptions options) {
  Audit out{.snapshot = &snapshot, .options = std::move(options)};
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
  if (!out.options.now) out.options.now = snapshot.newest;

  const Index index(snapshot, out.options);
  out.nodes_outside = snapshot.nodes.size() - index.nodes().size();
  bool labels_in_use = false;
  for (const Node& node : snapshot.nodes) {
    labels_in_use = labels_in_use || gpu_count_label(node).has_value();
  }

  std::vector<std::pair<std::string_view, const Pod*>> by_node;
  for (const Pod& pod : snapshot.pods) {
    const Node* node = index.node_of(pod);
    if (node == nullptr) continue;
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

std::vector<Step> release(const NodeAudit& node, const Account& account) {
  Replay state(replay_node(node, account));
  for (const Step& step : account.steps) state.add(account.charges[step.charge], step.charge);
  std::vector<Step> out;
  out.reserve(account.steps.size());
  for (auto it = account.steps.rbegin(); it != account.steps.rend(); ++it) {
    out.push_back(state.remove(account.charges[it->charge], it->charge));
  }
  return out;
}

}  // namespace draudit
