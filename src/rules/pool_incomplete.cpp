#include <fmt/format.h>

#include "rules/pool_trouble.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

void check_pool_incomplete(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  for (const Pool& pool : evidence.pools.all()) {
    if (pool.complete() || !pool.counts_agree || has_two_publishers(pool)) continue;
    Finding f = about_pool(rule, pool);
    f.message = fmt::format(
        "{}: {} of {} of generation {}: nothing more is allocated from this pool", f.subject.name,
        pool.slices.size(), count_of(pool.wanted(), "slice"), pool.generation);
    for (const ResourceSlice* s : pool.slices) f.objects.push_back(ref("ResourceSlice", s->meta));
    for (const ResourceSlice* s : pool.older) {
      f.objects.push_back(
          ref("ResourceSlice", s->meta, fmt::format("of generation {}", s->generation)));
    }
    for (const DanglingCounter& d : pool.dangling) {
      f.facts.push_back({"not among them", fmt::format("counter set {} of {}", d.set, d.device)});
    }
    if (is_being_published(evidence, pool)) {
      f.severity = Severity::note;
      demote(f, Certainty::possible,
             fmt::format("a slice of it is younger than {} s: its driver may be in the middle of "
                         "publishing",
                         evidence.audit.options.grace.generation));
    } else if (!pool.older.empty()) {
      demote(f, Certainty::likely,
             "slices of an older generation are there too: its driver may be in the middle of "
             "publishing");
    }
    as_sure_as_slices(evidence, f);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kPoolIncomplete{"SLC002",
                           "pool-incomplete",
                           Severity::warning,
                           "A pool has not as many slices as it says, so nothing is allocated from "
                           "it",
                           "see the driver's log: it did not publish (or not remove) all slices",
                           kSlices,
                           check_pool_incomplete};

}  // namespace draudit
