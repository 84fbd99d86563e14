#include "fit/fit.hpp"

#include <algorithm>
#include <cmath>

#include "fit/reasons.hpp"

namespace draudit {
namespace {

/// A part of a GPU, or whole ones.
bool valid_portion(const NodeState& node, const Wish& wish) {
  if (!wish.shared()) return true;
  const double portion = portion_of_gpu(node, wish);
  return portion <= 1 || portion == std::trunc(portion);
}

/// Every dimension but that of GPUs. All that the node or the pod knows are compared, so that one
/// that is overdrawn keeps off pods that don't ask for it too.
bool others_fit(const NodeState& node, const Wish& wish, bool with_releasing) {
  const auto fits = [&](std::string_view name, Int128 requested) {
    Int128 room = amount_of(node.capacity, name) - amount_of(node.used, name);
    if (with_releasing) room += amount_of(node.releasing, name);
    return requested <= room;
  };
  for (const auto& [name, requested] : wish.amounts) {
    if (!fits(name, requested)) return false;
  }
  for (const Amounts* amounts : {&node.capacity, &node.used}) {
    for (const auto& [name, amount] : *amounts) {
      if (!wish.amounts.contains(name) && !fits(name, 0)) return false;
    }
  }
  const auto& mig = node.account->figures.mig;
  for (const auto& [profile, slices] : wish.demand.mig) {
    if (slices > 0 && !mig.contains(profile)) return false;
  }
  return std::all_of(mig.begin(), mig.end(), [&](const auto& m) {
    const auto it = wish.demand.mig.find(m.first);
    const std::int64_t slices = it == wish.demand.mig.end() ? 0 : it->second;
    return slices <= m.second.idle + (with_releasing ? m.second.releasing : 0);
  });
}

/// Devices of the pod that the node has registered: the version with the fix raises idle by them.
Gpus discount(const NodeState& node, const Wish& wish) {
  if (wish.shared()) return 0;
  return std::count_if(wish.devices.begin(), wish.devices.end(), [&](const DeviceKey& key) {
    return std::binary_search(node.registered.begin(), node.registered.end(), key);
  });
}

/// GPUs of the node that fractions share and that have room for one more (kai-accounting.md §8);
/// KAI counts no more of them than the pod wants, so that a negative idle is not made up for.
std::int64_t groups_with_room(const NodeState& node, const Wish& wish) {
  const std::int64_t need =
      wish.demand.gpu_memory > 0
          ? wish.demand.gpu_memory
          : static_cast<std::int64_t>(wish.demand.portion *
                                      static_cast<double>(node.memory_of_gpu));
  const std::int64_t found =
      std::count_if(node.groups.begin(), node.groups.end(), [&](const auto& entry) {
        const Replay::Group& g = entry.second;
        return g.used != 0 && g.used != g.releasing &&
               Int128{node.memory_of_gpu} - g.used + g.releasing - need >= 0;
      });
  return std::min(found, std::max<std::int64_t>(1, wish.demand.shared_gpus));
}

/// The comparison that knows no groups: after it KAI looks for reasons, of fractions too.
bool whole_room(const NodeState& node, const Totals& totals, const Wish& wish) {
  return others_fit(node, wish, false) && valid_portion(node, wish) &&
         wish.slot <= static_cast<double>(totals.idle + discount(node, wish));
}

bool room(const NodeState& node, const Totals& totals, const Wish& wish, bool with_releasing) {
  if (!others_fit(node, wish, with_releasing) || !valid_portion(node, wish)) return false;
  const Gpus free = totals.idle + (with_releasing ? totals.releasing : 0);
  if (wish.shared()) return free + groups_with_room(node, wish) >= wish.demand.shared_gpus;
  return wish.slot <= static_cast<double>(free + discount(node, wish));
}

}  // namespace

bool fits_together(const NodeState& node, const Wish& wish, std::int64_t pods) {
  Wish all = wish;
  all.slot *= static_cast<double>(pods);
  for (auto& [name, amount] : all.amounts) amount *= pods;
  return std::any_of(node.totals.begin(), node.totals.end(),
                     [&](const Totals& totals) { return room(node, totals, all, false); });
}

std::optional<bool> fits_unheld(const NodeState& node, const Wish& wish, std::int64_t pods) {
  Wish all = wish;
  for (auto& [name, amount] : all.amounts) amount *= pods;
  if (!others_fit(node, all, false) || !valid_portion(node, wish)) return false;
  if (wish.shared()) {
    const Gpus parts = wish.demand.shared_gpus - groups_with_room(node, wish);
    if (parts <= 0) return true;
    if (!node.node->capacity.value) return std::nullopt;
    return parts <= *node.node->capacity.value - node.node->held.total();
  }
  // A device that somebody on the node holds already needs no room, nor does one twice.
  double need = wish.gpus * static_cast<double>(pods) + static_cast<double>(wish.claim_gpus);
  std::vector<DeviceKey> mine = wish.devices;
  std::sort(mine.begin(), mine.end());
  mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
  for (const DeviceUse& use : node.node->devices) {
    if (!use.holders.empty() && std::binary_search(mine.begin(), mine.end(), use.key)) need -= 1;
  }
  if (need <= 0) return true;
  if (!node.node->capacity.value) return std::nullopt;
  return need <= static_cast<double>(*node.node->capacity.value - node.node->held.total());
}

bool NodeFit::always_idle() const {
  return std::all_of(outcomes.begin(), outcomes.end(), [](const FitOutcome& o) { return o.idle; });
}
bool NodeFit::ever_idle() const {
  return std::any_of(outcomes.begin(), outcomes.end(), [](const FitOutcome& o) { return o.idle; });
}
bool NodeFit::ever_releasing() const {
  return std::any_of(outcomes.begin(), outcomes.end(),
                     [](const FitOutcome& o) { return o.idle_or_releasing; });
}

NodeFit fit(const NodeState& node, const Wish& wish) {
  NodeFit out{.refused = refusal(node, wish)};
  for (const Totals& totals : node.totals) {
    const bool idle = room(node, totals, wish, false);
    FitOutcome outcome{.idle = idle, .idle_or_releasing = room(node, totals, wish, true)};
    outcome.explained = !idle;
    if (!idle && !whole_room(node, totals, wish)) explain(node, totals, wish, outcome);
    out.outcomes.push_back(std::move(outcome));
  }
  std::sort(out.outcomes.begin(), out.outcomes.end());
  out.outcomes.erase(std::unique(out.outcomes.begin(), out.outcomes.end()), out.outcomes.end());
  return out;
}

}  // namespace draudit
