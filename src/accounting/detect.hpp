#pragma once

#include "draudit/accounting.hpp"

namespace draudit {

/// Looks for the KAI scheduler's own pods and reads the tag of their image. Of several versions,
/// as in a rolling upgrade, the oldest counts.
[[nodiscard]] KaiVersion detect_kai(const Snapshot& snapshot);

}  // namespace draudit
