#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draudit/accounting.hpp"

/// The pools of devices as the allocator sees them: slices grouped by driver and pool, of the
/// highest generation alone (dra-objects.md §2.2).
namespace draudit {

struct PoolDevice {
  std::string_view name;
  const PublishedDevice* device = nullptr;
  const ResourceSlice* slice = nullptr;
};

/// A device that consumes from a counter set, or a counter of it, that its pool does not have.
struct DanglingCounter {
  std::string_view device;
  std::string_view set;
  std::string_view counter;  ///< empty: the set as a whole
};

struct Pool {
  std::string_view driver;
  std::string_view name;
  std::int64_t generation = 0;               ///< the highest
  std::vector<const ResourceSlice*> slices;  ///< of that generation, by name
  std::vector<const ResourceSlice*> older;   ///< of others: ignored by the allocator
  std::vector<PoolDevice> devices;           ///< of `slices`, by name
  bool counts_agree = true;                  ///< every slice says the same resourceSliceCount
  std::vector<std::string_view> repeated_devices;
  std::vector<std::string_view> repeated_sets;
  std::vector<DanglingCounter> dangling;  ///< as far as the slices that are there show

  [[nodiscard]] std::int64_t wanted() const { return slices.front()->slice_count; }
  /// As many slices as one of them says. A slice that says nothing counts as enough.
  [[nodiscard]] bool complete() const {
    return wanted() <= 0 || static_cast<std::int64_t>(slices.size()) == wanted();
  }
  [[nodiscard]] bool valid() const {
    return repeated_devices.empty() && repeated_sets.empty() && dangling.empty();
  }
  /// The one node that all its slices name, or empty.
  [[nodiscard]] std::string_view node() const;
  /// "driver/pool"
  [[nodiscard]] std::string full_name() const;
  [[nodiscard]] const PoolDevice* device(std::string_view wanted) const;
};

class Pools {
 public:
  explicit Pools(const Snapshot& snapshot);

  /// By driver and name.
  [[nodiscard]] std::span<const Pool> all() const { return pools_; }
  [[nodiscard]] const Pool* find(std::string_view driver, std::string_view name) const;
  /// As published in the current generation of its pool, or null.
  [[nodiscard]] const PoolDevice* find(const DeviceKey& key) const;

 private:
  std::vector<Pool> pools_;
};

/// The node to which a device is tied by name, or empty.
[[nodiscard]] std::string_view node_of(const PoolDevice& device);

/// Names without a domain are of the driver's own: both spellings give the short one.
[[nodiscard]] std::string_view short_name(std::string_view driver, std::string_view name);

}  // namespace draudit
