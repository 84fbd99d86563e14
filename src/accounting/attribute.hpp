#pragma once

#include <span>

#include "accounting/index.hpp"
#include "accounting/replay.hpp"
#include "draudit/accounting.hpp"

namespace draudit {

/// Fills in `node.causes` and `node.physical`, by replaying the node with one cause after the
/// other taken away. `pods` are all pods of the node.
void attribute(const Index& index, std::span<const Pod* const> pods, NodeAudit& node);

/// What a replay of this account needs to know of the node.
[[nodiscard]] ReplayNode replay_node(const NodeAudit& node, const Account& account,
                                     std::size_t devices);

}  // namespace draudit
