#pragma once

#include <string>
#include <vector>

#include "accounting/index.hpp"

namespace draudit {

/// Why the node is out of the question for the pod whatever its resources, in the scheduler's
/// words: selector and required affinity, cordon, taints, claims that are allocated elsewhere.
[[nodiscard]] std::vector<std::string> filters_of(const Index& index, const Pod& pod,
                                                  const Node& node);

/// What would decide about the pod and is not evaluated, or not in the snapshot.
[[nodiscard]] std::vector<std::string> unknowns_of(const Index& index, const Pod& pod);

}  // namespace draudit
