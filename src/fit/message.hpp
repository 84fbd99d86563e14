#pragma once

#include "draudit/fit.hpp"

namespace draudit {

/// Rebuilds what the scheduler says of the pod and holds it against its PodScheduled condition
/// (kai-accounting.md §11).
void match_message(PodVerdict& pod, bool fixed);

}  // namespace draudit
