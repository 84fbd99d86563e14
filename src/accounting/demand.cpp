#include "accounting/demand.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace draudit {
namespace {

/// KAI's GPU requirement of a list of requests. `whole` is its portion, which containers can make
/// 0 or 1 only.
struct Requirement {
  std::int64_t count = 0;
  bool whole = false;
  std::map<std::string_view, std::int64_t> mig;
  std::map<std::string_view, std::int64_t> slot;  ///< thousandths of resources that end in "gpu"

  [[nodiscard]] std::int64_t gpus() const { return whole ? count : 0; }

  void add(const Requirement& other) {
    for (const auto& [name, milli] : other.slot) slot[name] = add_saturating(slot[name], milli);
    if (count == 0 && !whole) {
      count = other.count;
      whole = other.whole;
    } else if (other.count != 0 || other.whole) {
      // An explicit "0" leaves portion 0 with count 1; KAI then refuses to add whole GPUs (§5.1).
      if (whole != other.whole) return;
      count = add_saturating(count, other.count);
    }
    for (const auto& [name, n] : other.mig) mig[name] = add_saturating(mig[name], n);
  }

  void raise_to(const Requirement& other) {
    for (const auto& [name, milli] : other.slot) slot[name] = std::max(slot[name], milli);
    if (other.gpus() > gpus()) {
      count = other.count;
      whole = other.whole;
    }
    for (const auto& [name, n] : other.mig) mig[name] = std::max(mig[name], n);
  }
};

/// `requests` hold each resource once.
Requirement requirement_of(const std::map<std::string_view, Quantity>& requests) {
  Requirement out;
  for (const auto& [name, amount] : requests) {
    const std::int64_t value = amount.value();
    if (name == kNvidiaGpu || name == kAmdGpu) {
      if (value >= 1) {
        out.count = add_saturating(out.count, value);
        out.whole = true;
      } else {
        out.count = 1;
      }
    } else if (name.starts_with(kMigPrefix)) {
      out.mig[name] = value;
    } else if (overwrites_gpu_slot(name)) {
      out.slot[name] = amount.milli();
    }
  }
  return out;
}

Requirement requirement_of(const Container& container) {
  std::map<std::string_view, Quantity> requests;
  for (const ResourceAmount& r : container.requests) requests[r.resource] += r.amount;
  return requirement_of(requests);
}

Requirement requirement_of(const Pod& pod, const Profile& profile) {
  std::map<std::string_view, Quantity> regular;
  for (const Container& c : pod.containers) {
    if (c.kind != ContainerKind::regular) continue;
    for (const ResourceAmount& r : c.requests) regular[r.resource] += r.amount;
  }
  Requirement sum = requirement_of(regular);
  Requirement sidecars_so_far;
  std::vector<Requirement> peaks;
  for (const Container& c : pod.containers) {
    if (c.kind == ContainerKind::regular) continue;
    Requirement own = requirement_of(c);
    if (c.kind == ContainerKind::sidecar && profile.sidecars) {
      sum.add(own);
      sidecars_so_far.add(own);
    } else {
      own.add(sidecars_so_far);
      peaks.push_back(std::move(own));
    }
  }
  for (const Requirement& peak : peaks) sum.raise_to(peak);
  return sum;
}

std::optional<std::int64_t> whole_number(std::optional<std::string_view> text) {
  if (!text) return std::nullopt;
  std::string_view t = *text;
  if (t.starts_with('+')) t.remove_prefix(1);  // Go's ParseInt takes a sign
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), n);
  if (error != std::errc{} || end != t.data() + t.size()) return std::nullopt;
  return n;
}

std::optional<double> decimal(std::optional<std::string_view> text) {
  if (!text) return std::nullopt;
  std::string_view t = *text;
  if (t.starts_with('+')) t.remove_prefix(1);
  double d = 0;
  const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), d);
  if (error != std::errc{} || end != t.data() + t.size()) return std::nullopt;
  return d;
}

}  // namespace

std::int64_t add_saturating(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? std::numeric_limits<std::int64_t>::max()
               : std::numeric_limits<std::int64_t>::min();
}

bool overwrites_gpu_slot(std::string_view resource) {
  return resource.ends_with("gpu") && resource.find('/') != std::string_view::npos &&
         resource != kNvidiaGpu && resource != kAmdGpu && !resource.starts_with(kMigPrefix);
}

std::int64_t gpus_of_request(const DeviceRequest& request) {
  // A request with firstAvailable has no class of its own.
  if (!contains_gpu(request.device_class)) return 0;
  switch (request.mode) {
    case AllocationMode::exact_count: return request.count > 0 ? request.count : 1;
    case AllocationMode::all: return 1;
    case AllocationMode::unknown: return 0;
  }
  return 0;
}

std::int64_t gpus_of_claim(const ResourceClaim& claim, const Profile& profile) {
  if (claim.extended_resource && profile.skip_extended_claims) return 0;
  std::int64_t sum = 0;
  for (const DeviceRequest& request : claim.requests) {
    sum = add_saturating(sum, gpus_of_request(request));
  }
  return sum;
}

Demand demand_of(const Pod& pod, const Profile& profile) {
  Demand out;
  Requirement containers = requirement_of(pod, profile);
  out.container_gpus = containers.gpus();
  out.mig = std::move(containers.mig);
  // Of several such resources, the last to be written wins; KAI draws it by lot.
  if (!containers.slot.empty()) out.slot = containers.slot.rbegin()->second;

  // Annotations, in KAI's order; each replaces what came before (§5.2).
  if (const auto memory = whole_number(find(pod.annotations, "gpu-memory")); memory > 0) {
    out.type = PodType::gpu_memory;
    out.gpu_memory = *memory;
  }
  const auto portion = decimal(find(pod.annotations, "gpu-fraction"));
  if (portion && *portion > 0 && *portion <= 1) {
    out.type = PodType::fraction;
    out.portion = *portion;
    out.gpu_memory = 0;
  }
  if (out.type != PodType::regular) {
    out.shared_gpus = whole_number(find(pod.annotations, "gpu-fraction-num-devices")).value_or(1);
  }
  // A fraction or a MIG annotation drops the containers' MIG entries from the requirement, not
  // from the vector.
  bool mig_left = out.type == PodType::regular && !out.mig.empty();
  for (const KeyValue& a : pod.annotations) {
    if (!a.key.starts_with(kMigPrefix)) continue;
    const auto count = whole_number(a.value);
    if (!count) continue;
    out.mig[a.key] = *count;
    out.legacy_mig = true;
    mig_left = true;
  }
  if (mig_left) out.type = PodType::mig;
  return out;
}

}  // namespace draudit
