#pragma once

#include "draudit/fit.hpp"
#include "fit/node_state.hpp"

namespace draudit {

/// KAI's whole test of one pod against one node.
[[nodiscard]] NodeFit fit(const NodeState& node, const Wish& wish);

/// Whether what is not physically held has room for `pods` such pods that share the devices of
/// their claims; absent where the node's capacity is not known.
[[nodiscard]] std::optional<bool> fits_unheld(const NodeState& node, const Wish& wish,
                                              std::int64_t pods);

/// Whether KAI finds room for that many such pods, one after the other, in some order of adding
/// the node's own.
[[nodiscard]] bool fits_together(const NodeState& node, const Wish& wish, std::int64_t pods);

}  // namespace draudit
