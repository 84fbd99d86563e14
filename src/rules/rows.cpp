#include "rules/rows.hpp"

#include <algorithm>
#include <utility>

namespace draudit {

int compare(std::string_view a, std::string_view b) {
  if (a.data() == b.data() && a.size() == b.size()) return 0;
  return a.compare(b);
}

bool before(const DeviceKey& a, const DeviceKey& b) {
  if (const int c = compare(a.driver, b.driver); c != 0) return c < 0;
  if (const int c = compare(a.pool, b.pool); c != 0) return c < 0;
  return compare(a.device, b.device) < 0;
}

DeviceRows::DeviceRows(const Snapshot& snapshot) {
  for (const ResourceClaim& claim : snapshot.claims) {
    if (!claim.allocation || !claim.controller.empty()) continue;
    for (const DeviceResult& r : claim.allocation->results) {
      if (r.driver.empty() || r.device.empty()) continue;
      const RowUse use = r.admin_access        ? RowUse::admin
                         : !r.share_id.empty() ? RowUse::shared
                                               : RowUse::dedicated;
      rows_.push_back({{r.driver, r.pool, r.device}, &claim, &r, use});
    }
  }
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const DeviceRow& a, const DeviceRow& b) { return before(a.key, b.key); });
}

std::span<const DeviceRow> DeviceRows::of(const DeviceKey& key) const {
  const auto first = std::lower_bound(
      rows_.begin(), rows_.end(), key,
      [](const DeviceRow& row, const DeviceKey& want) { return before(row.key, want); });
  auto last = first;
  while (last != rows_.end() && last->key == key) ++last;
  return {first, last};
}

std::vector<const Pod*> living_consumers(const Snapshot& snapshot, const ResourceClaim& claim) {
  std::vector<const Pod*> out;
  for (const Consumer& c : claim.reserved_for) {
    if (c.resource != "pods" || !c.api_group.empty()) continue;
    const std::pair want{claim.meta.ns, c.name};
    const auto it = std::lower_bound(snapshot.pods.begin(), snapshot.pods.end(), want,
                                     [](const Pod& p, const auto& key) {
                                       return std::pair{p.meta.ns, p.meta.name} < key;
                                     });
    if (it == snapshot.pods.end() || std::pair{it->meta.ns, it->meta.name} != want) continue;
    if (!c.uid.empty() && !it->meta.uid.empty() && c.uid != it->meta.uid) continue;
    if (has_ended(*it)) continue;
    out.push_back(&*it);
  }
  return out;
}

}  // namespace draudit
