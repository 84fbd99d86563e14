#include <fmt/format.h>

#include "rules/pool_trouble.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

void check_pool_invalid(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  for (const Pool& pool : evidence.pools.all()) {
    // Counter sets may be in the slices that are not there: pool-incomplete names them.
    const bool whole = pool.complete() && pool.counts_agree;
    const bool dangling = whole && !pool.dangling.empty();
    if (pool.repeated_devices.empty() && pool.repeated_sets.empty() && !dangling) continue;
    Finding f = about_pool(rule, pool);
    std::vector<std::string> why;
    for (const std::string_view d : pool.repeated_devices) {
      why.push_back(fmt::format("device {} is in it twice", d));
    }
    for (const std::string_view s : pool.repeated_sets) {
      why.push_back(fmt::format("counter set {} is in it twice", s));
    }
    if (dangling) {
      for (const DanglingCounter& d : pool.dangling) {
        why.push_back(
            d.counter.empty()
                ? fmt::format("{} consumes of counter set {}, which it lacks", d.device, d.set)
                : fmt::format("{} consumes counter {} of {}, which it lacks", d.device, d.counter,
                              d.set));
      }
    }
    f.message =
        fmt::format("{}: nothing can be allocated from this pool: {}", f.subject.name, why.front());
    if (why.size() > 1) f.message += fmt::format(" and {} more", why.size() - 1);
    for (const ResourceSlice* s : pool.slices) f.objects.push_back(ref("ResourceSlice", s->meta));
    for (std::string& w : why) f.facts.push_back({"invalid", std::move(w)});
    as_sure_as_slices(evidence, f);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kPoolInvalid{
    "SLC005",
    "pool-invalid",
    Severity::error,
    "A pool names a device or counter set twice, or a counter that it lacks, so "
    "nothing can be allocated from it",
    "repair what the driver publishes",
    kSlices,
    check_pool_invalid};

}  // namespace draudit
