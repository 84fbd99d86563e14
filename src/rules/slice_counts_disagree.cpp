#include <fmt/format.h>

#include <set>

#include "rules/pool_trouble.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// The allocator reads the number off one slice, whichever comes first.
void check_slice_counts_disagree(const Evidence& evidence, const Rule& rule,
                                 std::vector<Finding>& out) {
  for (const Pool& pool : evidence.pools.all()) {
    if (pool.counts_agree) continue;
    Finding f = about_pool(rule, pool);
    std::set<std::int64_t> counts;
    for (const ResourceSlice* s : pool.slices) {
      counts.insert(s->slice_count);
      f.objects.push_back(ref("ResourceSlice", s->meta, fmt::format("says {}", s->slice_count)));
    }
    std::vector<std::string> numbers;
    numbers.reserve(counts.size());
    for (const std::int64_t n : counts) numbers.push_back(std::to_string(n));
    f.message = fmt::format("{}: its {} slices of generation {} say that there are {} of them",
                            f.subject.name, pool.slices.size(), pool.generation, listing(numbers));
    as_sure_as_slices(evidence, f);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kSliceCountsDisagree{
    "SLC004",
    "slice-counts-disagree",
    Severity::warning,
    "Slices of one pool and generation say different numbers of slices",
    "raise the pool's generation whenever the number of slices changes: a fault of the driver",
    kSlices,
    check_slice_counts_disagree};

}  // namespace draudit
