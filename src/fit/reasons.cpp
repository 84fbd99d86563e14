#include "fit/reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace draudit {
namespace {

/// Go's shortest form of three significant digits.
std::string three_digits(double d) { return fmt::format("{:.3g}", d); }

/// At most three digits behind the point, cut off and not rounded.
std::string three_decimals(double d) {
  std::string out = fmt::format("{:.6f}", d);
  out.resize(out.size() - 3);
  while (out.ends_with('0')) out.pop_back();
  if (out.ends_with('.')) out.pop_back();
  return out;
}

/// GPUs without those of claims; those of a gpu-memory pod depend on the node.
double gpus_on(const NodeState& node, const Wish& wish) {
  if (wish.demand.type != PodType::gpu_memory) return wish.gpus;
  return std::round(portion_of_gpu(node, wish) * 100) *
         static_cast<double>(wish.demand.shared_gpus) / 100;
}

std::string requested_gpus(const NodeState& node, const Wish& wish) {
  if (wish.shared() && wish.demand.shared_gpus > 1) {
    return fmt::format("{} X {}", wish.demand.shared_gpus,
                       three_digits(portion_of_gpu(node, wish)));
  }
  if (wish.claim_gpus > 0) return fmt::format("{} as DRA gpu claims ", wish.claim_gpus);
  return three_digits(gpus_on(node, wish));
}

std::string figures(const Wish& wish, std::string_view what, std::string_view requested,
                    std::string_view used, std::string_view capacity) {
  if (wish.gang) {
    return fmt::format(
        "Node didn't have enough resources: {}, taking all considerations into account", what);
  }
  return fmt::format("Node didn't have enough resources: {}, requested: {}, used: {}, capacity: {}",
                     what, requested, used, capacity);
}

/// MIG profiles and other extended resources: the kubelet's wording.
std::string scalar_figures(const Wish& wish, std::string_view what, Int128 requested, Int128 used,
                           Int128 capacity) {
  if (wish.gang) return figures(wish, what, {}, {}, {});
  return fmt::format("Node didn't have enough resource: {}, requested: {}, used: {}, capacity: {}",
                     what, to_string(requested), to_string(used), to_string(capacity));
}

void say(FitOutcome& into, std::string reason, std::string detail) {
  into.reasons.push_back(std::move(reason));
  into.details.push_back(std::move(detail));
}

void explain_gpus(const NodeState& node, const Totals& totals, const Wish& wish, FitOutcome& into) {
  const Gpus used = totals.used + totals.groups;
  const Gpus capacity = node.account->capacity;
  // Claims are no part of this comparison: a pod with nothing else has no reason on a full node.
  if (gpus_on(node, wish) > static_cast<double>(capacity - used)) {
    say(into, "node(s) didn't have enough resources: GPUs",
        figures(wish, "GPUs", requested_gpus(node, wish), kai_number(used), kai_number(capacity)));
  }
  if (wish.demand.type == PodType::gpu_memory && wish.demand.gpu_memory > node.memory_of_gpu) {
    say(into, "node(s) didn't have enough resources: GPU memory",
        wish.gang ? figures(wish, "GPU memory", {}, {}, {})
                  : fmt::format("Node didn't have enough resources: Each gpu on the node has a gpu "
                                "memory capacity of {} Mib. {} Mib of gpu memory has been "
                                "requested.",
                                node.memory_of_gpu, wish.demand.gpu_memory));
  }
}

void explain_mig(const NodeState& node, const Wish& wish, FitOutcome& into) {
  for (const auto& [profile, slices] : wish.demand.mig) {
    const auto it = node.account->figures.mig.find(profile);
    const MigFigures f = it == node.account->figures.mig.end() ? MigFigures{} : it->second;
    if (slices <= f.capacity - f.used) continue;
    say(into, fmt::format("node(s) didn't have enough of mig profile: {}", profile),
        scalar_figures(wish, profile, slices, f.used, f.capacity));
  }
}

/// cpu and memory, in the unit that KAI prints.
struct Unit {
  std::string_view resource;
  std::string_view name;
  double divisor;
};
constexpr Unit kUnits[] = {{"cpu", "CPU cores", 1e3}, {"memory", "memory", 1e9}};

}  // namespace

double portion_of_gpu(const NodeState& node, const Wish& wish) {
  if (wish.demand.type != PodType::gpu_memory) return wish.demand.portion;
  const double exact =
      static_cast<double>(wish.demand.gpu_memory) / static_cast<double>(node.memory_of_gpu);
  return std::ceil(exact * 100) / 100;
}

std::string refusal(const NodeState& node, const Wish& wish) {
  const PodType type = wish.demand.type;
  if (wish.demand.legacy_mig) {
    return fmt::format("Legacy MIG jobs cannot be scheduled on node {}",
                       node.node->node->meta.name);
  }
  if (wish.gpus <= 0 && wish.claim_gpus <= 0 && type != PodType::mig &&
      type != PodType::gpu_memory) {
    return {};
  }
  if (node.dra_gpus && !node.account->profile->skip_extended_claims && wish.gpus > 0) {
    return "device-plugin GPU requests cannot be scheduled on DRA-only nodes";  // until v0.16
  }
  if (node.dra_gpus && node.account->profile->skip_extended_claims && wish.shared()) {
    return "fractional/shared GPU pods are not yet supported on DRA-only nodes";
  }
  if (!node.mig_enabled()) {
    return type == PodType::mig ? "MIG job cannot be scheduled on non-MIG node" : "";
  }
  const auto strategy = find(node.node->node->labels, "nvidia.com/mig.strategy");
  if (type == PodType::mig && node.legacy_mig) {
    return "MIG job cannot be scheduled on node with legacy MIG jobs";
  }
  if (strategy == "single" && type != PodType::regular) {
    return "only whole gpu jobs can run on a node with MigStrategy='single'";
  }
  if (strategy == "mixed" && type != PodType::mig) {
    return "non MIG jobs cant run on a node with MigStrategy='mixed'";
  }
  return {};
}

void explain(const NodeState& node, const Totals& totals, const Wish& wish, FitOutcome& into) {
  if (wish.demand.type == PodType::mig) {
    explain_mig(node, wish, into);
  } else {
    explain_gpus(node, totals, wish, into);
  }
  for (const Unit& u : kUnits) {
    const Int128 requested = amount_of(wish.amounts, u.resource);
    const Int128 used = amount_of(node.used, u.resource);
    const Int128 capacity = amount_of(node.capacity, u.resource);
    if (requested <= capacity - used) continue;
    const auto print = [&u](Int128 n) {
      return three_decimals(static_cast<double>(n) / u.divisor);
    };
    say(into, fmt::format("node(s) didn't have enough resources: {}", u.name),
        figures(wish, u.name, print(requested), print(used), print(capacity)));
  }
  for (const auto& [name, requested] : wish.amounts) {
    if (name == "cpu" || name == "memory") continue;
    const Int128 used = amount_of(node.used, name);
    const Int128 capacity = amount_of(node.capacity, name);
    if (requested <= capacity - used) continue;
    say(into, fmt::format("node(s) didn't have enough resources: {}", name),
        scalar_figures(wish, name, requested, used, capacity));
  }
}

}  // namespace draudit
