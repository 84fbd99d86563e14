#include "report/remarks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace draudit {

std::vector<std::string> remarks(const NodeAudit& node, const Charge& charge, const Step& naive,
                                 const Step& corrected) {
  std::vector<std::string> out;
  if (corrected.deducted > 0) {
    out.push_back(fmt::format("{} {}{}", to_string(corrected.deducted),
                              corrected.removal ? "still in use by others" : "counted already",
                              corrected.capped ? " (no more than it brings)" : ""));
  }
  if (corrected.zeroed || naive.zeroed) out.emplace_back("no capacity, so nothing is recorded");
  if (charge.reservation) out.emplace_back("reservation label: its own GPUs are 0");
  if (charge.type == PodType::mig) out.emplace_back("MIG: a dimension of its own");
  if (!charge.groups.empty()) {
    std::string groups;
    for (const std::string_view g : charge.groups) {
      groups += fmt::format("{}{}", groups.empty() ? "" : " ", g);
    }
    out.push_back(fmt::format("{} MiB of GPU group {}", charge.group_memory, groups));
  } else if (charge.type == PodType::fraction || charge.type == PodType::gpu_memory) {
    out.emplace_back("fraction without a GPU group: not counted");
  }
  if (charge.gpus == 0 && !charge.devices.empty()) out.emplace_back("0 GPUs: touches no device");
  for (const CauseShare& s : node.causes) {
    // The pods of a cause are sorted by name; the same name is the same pod.
    if (std::find(s.pods.begin(), s.pods.end(), charge.pod) != s.pods.end()) {
      out.emplace_back(info(s.cause).name);
    }
  }
  return out;
}

}  // namespace draudit
