#pragma once

#include "draudit/fit.hpp"
#include "fit/node_state.hpp"

namespace draudit {

/// Why KAI's type test keeps the pod off the node, in KAI's words, or empty.
[[nodiscard]] std::string refusal(const NodeState& node, const Wish& wish);

/// The part of one of the node's GPUs that a fraction or gpu-memory pod wants, up to the next
/// hundredth.
[[nodiscard]] double portion_of_gpu(const NodeState& node, const Wish& wish);

/// KAI's fit error, for a pod that does not fit on what is idle (kai-accounting.md §11.1).
void explain(const NodeState& node, const Totals& totals, const Wish& wish, FitOutcome& into);

}  // namespace draudit
