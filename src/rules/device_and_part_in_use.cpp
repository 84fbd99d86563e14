#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "rules/devices.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

struct Used {
  DeviceKey key;
  const PoolDevice* published = nullptr;  ///< or null
  std::string_view scope;                 ///< node, else pool: fakes repeat uuids across nodes
  std::span<const DeviceRow> rows;
  bool only_shares = true;
};

/// What makes one device part of another, or the same as it, and how sure that is.
struct Relation {
  std::string_view what;
  Certainty certainty = Certainty::certain;
  std::string_view doubt;
};
constexpr Relation kParent{"its uuid is their parentUUID", Certainty::certain, {}};
constexpr Relation kSameUuid{"they have one uuid", Certainty::certain, {}};
constexpr Relation kSameBus{"they have one pciBusID", Certainty::likely,
                            "devices that are parts of one card may share its PCI address"};
constexpr Relation kName{"their names begin with its name", Certainty::likely,
                         "that a device is part of another is told by their names alone"};

struct Conflict {
  Relation relation;  ///< the surest of them
  const Used* whole = nullptr;
  std::vector<const Used*> others;
};

std::vector<Used> in_use(const Evidence& evidence) {
  std::vector<Used> out;
  evidence.rows.each_device([&](std::span<const DeviceRow> rows) {
    Used u{.key = rows.front().key, .rows = rows};
    bool held = false;
    for (const DeviceRow& row : rows) {
      held = held || row.use != RowUse::admin;
      u.only_shares = u.only_shares && row.use != RowUse::dedicated;
    }
    if (!held) return;
    u.published = evidence.pools.find(u.key);
    if (u.published != nullptr) u.scope = node_of(*u.published);
    if (u.scope.empty()) u.scope = u.key.pool;
    out.push_back(u);
  });
  return out;
}

bool is_partition(std::string_view name) { return name.find("-mig-") != std::string_view::npos; }

// Where both consume of one counter set, the driver's counters say whether they exclude each other.
bool counted(const Used& a, const Used& b) {
  if (a.published == nullptr || b.published == nullptr) return false;
  if (a.key.driver != b.key.driver || a.key.pool != b.key.pool) return false;
  const auto& x = a.published->device->details;
  const auto& y = b.published->device->details;
  if (!x || !y) return false;
  return std::any_of(x->consumes.begin(), x->consumes.end(), [&](const CounterSet& set) {
    return std::any_of(y->consumes.begin(), y->consumes.end(),
                       [&](const CounterSet& other) { return other.name == set.name; });
  });
}

class Conflicts {
 public:
  explicit Conflicts(const std::vector<Used>& used) : used_(used) {
    for (const Used& u : used) {
      if (u.published == nullptr) continue;
      const PublishedDevice& d = *u.published->device;
      if (!d.uuid.empty()) by_uuid_[{u.scope, d.uuid}].push_back(&u);
      if (!d.pci_bus_id.empty() && d.parent_uuid.empty() && !is_partition(d.name)) {
        by_bus_[{u.scope, d.pci_bus_id}].push_back(&u);
      }
    }
    for (const Used& u : used) part_of(u);
    for (const auto& [id, same] : by_uuid_) alike(same, kSameUuid);
    for (const auto& [id, same] : by_bus_) alike(same, kSameBus);
  }

  [[nodiscard]] const std::vector<Conflict>& found() const { return found_; }

 private:
  using Group = std::map<std::pair<std::string_view, std::string_view>, std::vector<const Used*>>;

  void add(const Used& whole, const Used& other, const Relation& relation) {
    if (whole.key == other.key || (whole.only_shares && other.only_shares)) return;
    if (counted(whole, other)) return;
    const auto [it, added] = index_.emplace(&whole, found_.size());
    if (added) found_.push_back({relation, &whole, {}});
    Conflict& c = found_[it->second];
    if (std::find(c.others.begin(), c.others.end(), &other) != c.others.end()) return;
    c.others.push_back(&other);
    if (c.relation.certainty < relation.certainty) c.relation = relation;
  }

  void part_of(const Used& u) {
    const std::string_view parent =
        u.published == nullptr ? std::string_view{} : u.published->device->parent_uuid;
    if (!parent.empty()) {
      const auto it = by_uuid_.find({u.scope, parent});
      if (it != by_uuid_.end()) {
        for (const Used* whole : it->second) add(*whole, u, kParent);
        return;
      }
    }
    // NVIDIA's names: gpu-3-mig-… is part of gpu-3.
    const std::size_t mig = u.key.device.find("-mig-");
    if (mig == std::string_view::npos || u.key.driver.find("nvidia") == std::string_view::npos) {
      return;
    }
    const DeviceKey key{u.key.driver, u.key.pool, u.key.device.substr(0, mig)};
    const auto whole =
        std::lower_bound(used_.begin(), used_.end(), key,
                         [](const Used& a, const DeviceKey& want) { return before(a.key, want); });
    if (whole == used_.end() || whole->key != key) return;
    // Uuids that are there and differ outdo the names.
    if (!parent.empty() && whole->published != nullptr && !whole->published->device->uuid.empty()) {
      return;
    }
    add(*whole, u, kName);
  }

  void alike(const std::vector<const Used*>& same, const Relation& relation) {
    for (std::size_t i = 1; i < same.size(); ++i) {
      // One device under two uuids has one bus; one uuid was said above.
      if (relation.what == kSameBus.what &&
          same[i]->published->device->uuid == same.front()->published->device->uuid &&
          !same[i]->published->device->uuid.empty()) {
        continue;
      }
      add(*same.front(), *same[i], relation);
    }
  }

  const std::vector<Used>& used_;
  Group by_uuid_;
  Group by_bus_;
  std::map<const Used*, std::size_t> index_;
  std::vector<Conflict> found_;
};

void check_device_and_part_in_use(const Evidence& evidence, const Rule& rule,
                                  std::vector<Finding>& out) {
  const std::vector<Used> used = in_use(evidence);
  const Conflicts conflicts(used);
  for (const Conflict& c : conflicts.found()) {
    Finding f = about_device(evidence, rule, c.whole->key, *c.whole->rows.front().claim);
    f.node = node_of(evidence, c.whole->rows.front());
    std::vector<const ResourceClaim*> claims;
    std::vector<const Used*> all = c.others;
    all.insert(all.begin(), c.whole);
    for (const Used* u : all) {
      for (const DeviceRow& row : u->rows) {
        if (row.use != RowUse::admin) claims.push_back(row.claim);
      }
      f.facts.push_back({"device", to_string(u->key)});
    }
    f.message = fmt::format("{}: in use together with {}: {}", f.subject.name,
                            c.others.size() == 1
                                ? to_string(c.others.front()->key)
                                : fmt::format("{} devices of the same hardware", c.others.size()),
                            c.relation.what);
    add_claims(evidence, f, claims);
    if (c.relation.certainty != Certainty::certain) {
      f.severity = Severity::warning;
      demote(f, c.relation.certainty, std::string{c.relation.doubt});
    }
    as_sure_as_pool(evidence, f, evidence.pools.find(c.whole->key.driver, c.whole->key.pool));
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kDeviceAndPartInUse{
    "DEV006",
    "device-and-part-in-use",
    Severity::error,
    "A device and a part of it, or one device under two names, are allocated at the same time",
    "end the pods of one side; let the driver publish either the device or its parts, or counters",
    kClaimsSlices,
    check_device_and_part_in_use};

}  // namespace draudit
