#include "rules/devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "draudit/selector.hpp"
#include "rules/skew.hpp"

namespace draudit {

Finding about(const Rule& rule, std::string_view kind, std::string name, const Location& at) {
  Finding out = about(rule, {std::string{kind}, std::move(name), {}, at});
  return out;
}

Finding about_pool(const Rule& rule, const Pool& pool) {
  Finding out = about(rule, "Pool", pool.full_name(), pool.slices.front()->meta.at);
  out.node = pool.node();
  return out;
}

Finding about_device(const Evidence& evidence, const Rule& rule, const DeviceKey& key,
                     const ResourceClaim& claim) {
  const PoolDevice* published = evidence.pools.find(key);
  return about(rule, "Device", to_string(key),
               published == nullptr ? claim.meta.at : published->slice->meta.at);
}

std::string_view node_of(const Evidence& evidence, const DeviceRow& row) {
  if (const PoolDevice* published = evidence.pools.find(row.key)) {
    if (const std::string_view node = node_of(*published); !node.empty()) return node;
  }
  const auto& selector = row.claim->allocation->node_selector;
  return selector ? pinned_node(*selector) : std::string_view{};
}

void add_claims(const Evidence& evidence, Finding& finding,
                std::vector<const ResourceClaim*> claims) {
  std::sort(claims.begin(), claims.end());  // they stand in the snapshot as they are sorted
  claims.erase(std::unique(claims.begin(), claims.end()), claims.end());
  std::set<const Pod*> seen;
  for (const ResourceClaim* claim : claims) {
    finding.objects.push_back(
        ref("ResourceClaim", claim->meta,
            claim->reserved_for.empty()
                ? "reserved for nobody"
                : count_of(static_cast<Gpus>(claim->reserved_for.size()), "consumer")));
    for (const Pod* pod : living_consumers(*evidence.audit.snapshot, *claim)) {
      if (seen.insert(pod).second) finding.pods.push_back(full_name(pod->meta));
    }
  }
}

void as_sure_as_input(const Evidence& evidence, Finding& finding) {
  if (evidence.audit.snapshot->problems.empty()) return;
  demote(finding, Certainty::possible, "part of the input could not be read");
}

void as_sure_as_pool(const Evidence& evidence, Finding& finding, const Pool* pool) {
  as_sure_as_one_cluster(evidence, finding);
  if (pool == nullptr) return;
  if (!pool->complete() || !pool->counts_agree) {
    demote(finding, Certainty::likely,
           fmt::format("pool {} is not whole in the input", pool->full_name()));
  }
  if (!pool->older.empty()) {
    demote(finding, Certainty::likely,
           fmt::format("pool {} is there in several generations, so its driver may be in the "
                       "middle of publishing it anew",
                       pool->full_name()));
  }
}

std::string to_string(Quantity quantity) {
  struct Suffix {
    Int128 size;
    std::string_view text;
  };
  constexpr Int128 kUnit = 1'000'000'000;
  // Of equally short ones the first.
  constexpr std::array kSuffixes = {
      Suffix{1, ""},
      Suffix{Int128{1} << 10, "Ki"},
      Suffix{Int128{1} << 20, "Mi"},
      Suffix{Int128{1} << 30, "Gi"},
      Suffix{Int128{1} << 40, "Ti"},
      Suffix{1'000, "k"},
      Suffix{1'000'000, "M"},
      Suffix{1'000'000'000, "G"},
      Suffix{1'000'000'000'000, "T"},
  };
  const Int128 nano = quantity.nano();
  if (nano % kUnit != 0) {
    const bool milli = nano % 1'000'000 == 0;
    return to_string(Gpus{milli ? nano / 1'000'000 : nano}) + (milli ? "m" : "n");
  }
  const Int128 units = nano / kUnit;
  std::string shortest = to_string(Gpus{units});
  for (const Suffix& s : kSuffixes) {
    if (units == 0 || units % s.size != 0) continue;
    std::string text = to_string(Gpus{units / s.size}) + std::string{s.text};
    if (text.size() < shortest.size()) shortest = std::move(text);
  }
  return shortest;
}

std::string listing(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  if (names.size() == 1) return names.front();
  if (names.size() == 2) return names[0] + " and " + names[1];
  return fmt::format("{}, {} and {} more", names[0], names[1], names.size() - 2);
}

}  // namespace draudit
