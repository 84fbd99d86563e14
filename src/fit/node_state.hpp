#pragma once

#include <map>
#include <vector>

#include "accounting/replay.hpp"
#include "fit/wish.hpp"

namespace draudit {

/// A node as one KAI version sees it once its pods are added: what a pending pod is held against.
struct NodeState {
  const NodeAudit* node = nullptr;
  const Account* account = nullptr;
  std::vector<Totals> totals;  ///< distinct; several where the order of adding decides
  std::map<std::string_view, Replay::Group> groups;
  std::int64_t memory_of_gpu = 0;  ///< MiB
  Amounts capacity;
  Amounts used;
  Amounts releasing;
  std::vector<DeviceKey> registered;  ///< devices with a reference, sorted; of a version with dedup
  bool dra_gpus = false;              ///< slices give it GPUs
  bool legacy_mig = false;            ///< a pod on it has its MIG profile in an annotation

  [[nodiscard]] bool mig_enabled() const;
};

[[nodiscard]] NodeState node_state(const Index& index, const NodeAudit& node,
                                   const Account& account);

}  // namespace draudit
