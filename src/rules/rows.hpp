#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "draudit/accounting.hpp"

/// Who was given which device: the rows of all allocations, sorted by device.
namespace draudit {

enum class RowUse : std::uint8_t {
  dedicated,  ///< for this claim alone: at most one in the cluster
  shared,     ///< with a shareID: counted in capacity, many may be
  admin,      ///< adminAccess: next to anything, counted nowhere
};

struct DeviceRow {
  DeviceKey key;
  const ResourceClaim* claim = nullptr;
  const DeviceResult* result = nullptr;
  RowUse use = RowUse::dedicated;
};

class DeviceRows {
 public:
  /// Of every claim with an allocation, whoever uses it: the allocator counts no other way. Claims
  /// of classic DRA are left out, whose rows another controller keeps.
  explicit DeviceRows(const Snapshot& snapshot);

  /// By device, then as the claims are sorted, then as the allocation has them.
  [[nodiscard]] std::span<const DeviceRow> all() const { return rows_; }
  [[nodiscard]] std::span<const DeviceRow> of(const DeviceKey& key) const;

  /// Calls `visit` with the rows of one device after another.
  template <class Visit>
  void each_device(Visit visit) const {
    const std::span<const DeviceRow> rows = rows_;
    for (std::size_t first = 0, last = 0; first < rows.size(); first = last) {
      while (last < rows.size() && rows[last].key == rows[first].key) ++last;
      visit(rows.subspan(first, last - first));
    }
  }

 private:
  std::vector<DeviceRow> rows_;
};

/// Three-way, quick where both strings are one copy of the pool.
[[nodiscard]] int compare(std::string_view a, std::string_view b);
[[nodiscard]] bool before(const DeviceKey& a, const DeviceKey& b);

/// The pods that the claim is reserved for, as far as they are there and have not ended; a pod of
/// that name with another uid is another pod.
[[nodiscard]] std::vector<const Pod*> living_consumers(const Snapshot& snapshot,
                                                       const ResourceClaim& claim);

}  // namespace draudit
