#pragma once

#include <string>
#include <vector>

#include "draudit/fit.hpp"

namespace draudit {

/// A paragraph a pod: the verdict, why, what every node says, and the scheduler's own words.
[[nodiscard]] std::string why_text(const Audit& audit, const std::vector<PodVerdict>& pods);

/// One JSON object with `pods[]`, each with `nodes[]`, each with `versions` by KAI version.
[[nodiscard]] std::string why_json(const Audit& audit, const std::vector<PodVerdict>& pods);

}  // namespace draudit
