#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "draudit/accounting.hpp"

namespace draudit {

/// What a replay needs to know of its node.
struct ReplayNode {
  const Profile* profile = nullptr;
  Gpus capacity = 0;
  bool capacity_known = true;  ///< zeroing needs a capacity that really is 0
  std::int64_t gpu_count = 0;  ///< as the fraction bookkeeping takes it (kai-accounting.md §8)
  std::size_t devices = 0;     ///< how many device indexes there are
};

/// KAI's records of one node while pods are added and removed (kai-accounting.md §7, §8).
class Replay {
 public:
  /// A GPU that fractions share, in MiB.
  struct Group {
    std::int64_t used = 0;
    std::int64_t releasing = 0;
    bool marked_releasing = false;
  };

  explicit Replay(const ReplayNode& node);

  Step add(const Charge& charge, std::uint32_t index);
  Step remove(const Charge& charge, std::uint32_t index);
  [[nodiscard]] const Totals& totals() const { return totals_; }
  [[nodiscard]] const std::map<std::string_view, Group>& groups() const { return groups_; }

 private:
  void add_groups(const Charge& charge);
  void remove_groups(const Charge& charge);
  [[nodiscard]] Int128 gpus_in_use() const { return totals_.used + totals_.groups; }

  ReplayNode node_;
  std::vector<std::uint32_t> references_;  ///< per device: how many references are registered
  std::map<std::string_view, Group> groups_;
  Totals totals_;
};

/// Adds the charges in the given order.
[[nodiscard]] std::vector<Step> replay(const ReplayNode& node, std::span<const Charge> charges,
                                       std::span<const std::uint32_t> order);

}  // namespace draudit
