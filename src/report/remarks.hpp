#pragma once

#include <string>
#include <vector>

#include "draudit/accounting.hpp"

namespace draudit {

/// What there is to know of a step beyond its figures and its devices: "reservation label: its own
/// GPUs are 0", and the causes of miscounting that the pod has a part in.
[[nodiscard]] std::vector<std::string> remarks(const NodeAudit& node, const Charge& charge,
                                               const Step& naive, const Step& corrected);

}  // namespace draudit
