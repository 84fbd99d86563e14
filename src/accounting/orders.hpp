#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "accounting/replay.hpp"

namespace draudit {

/// What the order of adding pods can make of a node's figures, without trying every order.
struct OrderEffect {
  Range used;                              ///< of the vector
  Range releasing;                         ///< part of it that belongs to terminating pods
  std::vector<std::uint32_t> most_order;   ///< reaches used.most
  std::vector<std::uint32_t> least_order;  ///< reaches used.least
  bool exact = true;  ///< false: the true range lies inside (more than 16 interlocked shapes)
};

/// `charges` in their canonical order. Only the reference count depends on the order: see the
/// derivation in docs/accounting.md, which extends kai-accounting.md §7.6 to `releasing`.
[[nodiscard]] OrderEffect order_effect(const ReplayNode& node, std::span<const Charge> charges);

}  // namespace draudit
