#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "draudit/gpus.hpp"

namespace draudit {

/// Why what KAI believes of a node differs from the hardware. In the order in which they are taken
/// away, one after another, until the figure is the true one: what the figure moves at each is
/// that cause's share, and the shares add up to the difference.
enum class Cause : std::uint8_t {
  // of used; what counts too much comes before what counts twice
  no_dra_accounting,
  sidecars_missed,
  suffix_request,
  extended_claim_twice,
  class_is_no_gpu,
  admin_access,
  claim_named_twice,
  shared_device,
  reservation_label,
  phase_unknown,
  driver_without_gpu,
  bind_request_disagrees,
  missing_claim_first,
  related_by_reservation,
  fraction_with_claim,
  all_mode,
  first_available,
  class_without_gpu,
  extended_resource,
  unallocated_claim,
  count_differs,
  no_capacity,
  fraction_groups,
  other,
  // of capacity: from what KAI adds up to the GPUs that are there
  suffix_capacity,
  stale_generation,
  partitions,
  dual_advertised,
  unhealthy_plugin_gpu,
  unpublished_device,
  network_attached,
  // of idle alone
  label_above_allocatable,
};
inline constexpr std::size_t kCauses = static_cast<std::size_t>(Cause::label_above_allocatable) + 1;

enum class CausedFigure : std::uint8_t { used, capacity, idle };

struct CauseInfo {
  Cause cause;
  std::string_view name;  ///< kebab-case, in every format
  CausedFigure figure;
  std::string_view label;  ///< F1…F24 of kai-accounting.md §9, or empty
  std::string_view what;   ///< what is going on, half a sentence
  std::string_view mend;   ///< the smallest change that makes the figure right
};
[[nodiscard]] const CauseInfo& info(Cause cause);

/// A set of causes that are taken away.
class Fixes {
 public:
  constexpr Fixes() = default;
  [[nodiscard]] constexpr bool has(Cause c) const { return (bits_ >> bit(c) & 1U) != 0; }
  constexpr void add(Cause c) { bits_ |= std::uint64_t{1} << bit(c); }
  constexpr void add(Fixes other) { bits_ |= other.bits_; }
  [[nodiscard]] constexpr bool none() const { return bits_ == 0; }

 private:
  static constexpr unsigned bit(Cause c) { return static_cast<unsigned>(c); }
  std::uint64_t bits_ = 0;
};
static_assert(kCauses <= 64);

}  // namespace draudit
