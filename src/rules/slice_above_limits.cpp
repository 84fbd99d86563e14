#include <fmt/format.h>

#include <algorithm>

#include "rules/devices.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// The highest of any Kubernetes version up to 1.37 (dra-objects.md §1.7).
constexpr std::size_t kDevices = 128;
constexpr std::size_t kDetailedDevices = 64;  // with taints or counters, since 1.35
constexpr std::size_t kSets = 8;              // since 1.35; before that
constexpr std::size_t kCounters = 32;         // in all of a slice; since then in each set
constexpr std::size_t kSetsOfDevice = 2;
constexpr std::size_t kTaints = 16;
constexpr std::size_t kAttributes = 32;

void check_slice_above_limits(const Evidence& evidence, const Rule& rule,
                              std::vector<Finding>& out) {
  for (const ResourceSlice& s : evidence.audit.snapshot->slices) {
    std::vector<std::string> why;
    bool newer_only = true;  // before 1.35 it was allowed
    const auto above = [&](std::size_t n, std::size_t limit, std::string_view what, bool newer) {
      if (n <= limit) return;
      why.push_back(fmt::format("{} {} of at most {}", n, what, limit));
      newer_only = newer_only && newer;
    };
    above(s.devices.size(), kDevices, "devices", false);
    bool detailed = false;
    std::size_t taints = 0;
    std::size_t attributes = 0;
    std::size_t sets = 0;
    for (const PublishedDevice& d : s.devices) {
      attributes = std::max<std::size_t>(attributes, d.attributes);
      if (!d.details) continue;
      taints = std::max(taints, d.details->taints.size());
      sets = std::max(sets, d.details->consumes.size());
      detailed = detailed || !d.details->taints.empty() || !d.details->consumes.empty();
    }
    if (detailed && s.devices.size() <= kDevices) {
      above(s.devices.size(), kDetailedDevices, "devices with taints or counters", true);
    }
    std::size_t counters = 0;
    std::size_t largest = 0;
    for (const CounterSet& set : s.counter_sets) {
      counters += set.counters.size();
      largest = std::max(largest, set.counters.size());
    }
    above(largest, kCounters, "counters in a set", false);
    if (counters > kCounters) above(s.counter_sets.size(), kSets, "counter sets", false);
    above(sets, kSetsOfDevice, "counter sets of one device", true);
    above(taints, kTaints, "taints of one device", false);
    above(attributes, kAttributes, "attributes and capacities of one device", false);
    if (why.empty()) continue;
    Finding f = about(rule, "ResourceSlice", full_name(s.meta), s.meta.at);
    f.node = s.node;
    f.message = fmt::format("{}: has {}", f.subject.name, listing(why));
    for (std::string& w : why) f.facts.push_back({"above its limit", std::move(w)});
    if (newer_only) {
      demote(f, Certainty::possible, "Kubernetes before 1.35 allowed that");
    } else {
      demote(f, Certainty::likely, "a later Kubernetes may allow more");
    }
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kSliceAboveLimits{
    "SLC007",
    "slice-above-limits",
    Severity::warning,
    "A slice has more devices, counters, taints or attributes than the API allows",
    "let the driver split what it publishes over more slices",
    kSlices,
    check_slice_above_limits};

}  // namespace draudit
