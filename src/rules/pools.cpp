#include "rules/pools.hpp"

#include <algorithm>
#include <map>

#include "rules/rows.hpp"

namespace draudit {
namespace {

void find_repeats(Pool& pool) {
  std::sort(pool.devices.begin(), pool.devices.end(), [](const PoolDevice& a, const PoolDevice& b) {
    if (const int c = compare(a.name, b.name); c != 0) return c < 0;
    return compare(a.slice->meta.name, b.slice->meta.name) < 0;
  });
  for (std::size_t i = 1; i < pool.devices.size(); ++i) {
    const std::string_view name = pool.devices[i].name;
    if (compare(name, pool.devices[i - 1].name) != 0) continue;
    if (pool.repeated_devices.empty() || pool.repeated_devices.back() != name) {
      pool.repeated_devices.push_back(name);
    }
  }
}

void find_counters(Pool& pool) {
  std::map<std::string_view, const CounterSet*> sets;
  for (const ResourceSlice* slice : pool.slices) {
    for (const CounterSet& set : slice->counter_sets) {
      if (sets.emplace(set.name, &set).second) continue;
      const auto& repeated = pool.repeated_sets;
      if (std::find(repeated.begin(), repeated.end(), set.name) == repeated.end()) {
        pool.repeated_sets.push_back(set.name);
      }
    }
  }
  for (const PoolDevice& d : pool.devices) {
    if (!d.device->details) continue;
    for (const CounterSet& consumed : d.device->details->consumes) {
      const auto it = sets.find(consumed.name);
      if (it == sets.end()) {
        pool.dangling.push_back({d.name, consumed.name, {}});
        continue;
      }
      for (const ResourceAmount& counter : consumed.counters) {
        if (draudit::find(it->second->counters, counter.resource)) continue;
        pool.dangling.push_back({d.name, consumed.name, counter.resource});
      }
    }
  }
}

}  // namespace

std::string_view Pool::node() const {
  const std::string_view first = slices.front()->node;
  for (const ResourceSlice* slice : slices) {
    if (slice->node != first) return {};
  }
  return first;
}

std::string Pool::full_name() const {
  std::string out{driver};
  out += '/';
  out += name;
  return out;
}

const PoolDevice* Pool::device(std::string_view wanted) const {
  const auto it = std::lower_bound(devices.begin(), devices.end(), wanted,
                                   [](const PoolDevice& d, auto w) { return d.name < w; });
  return it == devices.end() || it->name != wanted ? nullptr : &*it;
}

Pools::Pools(const Snapshot& snapshot) {
  std::vector<const ResourceSlice*> slices;
  slices.reserve(snapshot.slices.size());
  for (const ResourceSlice& slice : snapshot.slices) slices.push_back(&slice);
  std::stable_sort(slices.begin(), slices.end(),
                   [](const ResourceSlice* a, const ResourceSlice* b) {
                     if (const int c = compare(a->driver, b->driver); c != 0) return c < 0;
                     if (const int c = compare(a->pool, b->pool); c != 0) return c < 0;
                     return a->generation > b->generation;
                   });
  for (const ResourceSlice* slice : slices) {
    if (pools_.empty() || compare(pools_.back().driver, slice->driver) != 0 ||
        compare(pools_.back().name, slice->pool) != 0) {
      Pool& pool = pools_.emplace_back();
      pool.driver = slice->driver;
      pool.name = slice->pool;
      pool.generation = slice->generation;
    }
    Pool& pool = pools_.back();
    if (slice->generation != pool.generation) {
      pool.older.push_back(slice);
      continue;
    }
    pool.slices.push_back(slice);
    pool.counts_agree = pool.counts_agree && slice->slice_count == pool.slices.front()->slice_count;
    for (const PublishedDevice& d : slice->devices) pool.devices.push_back({d.name, &d, slice});
  }
  for (Pool& pool : pools_) {
    find_repeats(pool);
    find_counters(pool);
  }
}

const Pool* Pools::find(std::string_view driver, std::string_view name) const {
  const auto it = std::lower_bound(pools_.begin(), pools_.end(), name,
                                   [driver](const Pool& p, std::string_view wanted) {
                                     const int c = compare(p.driver, driver);
                                     return c != 0 ? c < 0 : compare(p.name, wanted) < 0;
                                   });
  return it == pools_.end() || it->driver != driver || it->name != name ? nullptr : &*it;
}

const PoolDevice* Pools::find(const DeviceKey& key) const {
  const Pool* pool = find(key.driver, key.pool);
  return pool == nullptr ? nullptr : pool->device(key.device);
}

std::string_view node_of(const PoolDevice& device) {
  if (!device.slice->node.empty()) return device.slice->node;
  return device.device->details ? device.device->details->node : std::string_view{};
}

std::string_view short_name(std::string_view driver, std::string_view name) {
  const bool own =
      name.size() > driver.size() && name.starts_with(driver) && name[driver.size()] == '/';
  return own ? name.substr(driver.size() + 1) : name;
}

}  // namespace draudit
