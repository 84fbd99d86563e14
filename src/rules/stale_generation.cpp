#include <fmt/format.h>

#include <algorithm>

#include "rules/pool_trouble.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// stale-generation-counted says it of nodes whose capacity it moves.
bool said_of_node(const Audit& audit, const Pool& pool) {
  return contains_gpu(pool.driver) &&
         std::all_of(pool.older.begin(), pool.older.end(), [&](const ResourceSlice* s) {
           const NodeAudit* node = audit.node(s->node);
           return node != nullptr && find_cause(*node, Cause::stale_generation) != nullptr;
         });
}

void check_stale_generation(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  constexpr std::int64_t kOld = 600;
  for (const Pool& pool : evidence.pools.all()) {
    // An incomplete pool names its older slices itself.
    if (pool.older.empty() || !pool.complete() || said_of_node(evidence.audit, pool)) continue;
    Finding f = about_pool(rule, pool);
    std::size_t devices = 0;
    bool old = false;
    for (const ResourceSlice* s : pool.older) {
      f.objects.push_back(
          ref("ResourceSlice", s->meta, fmt::format("of generation {}", s->generation)));
      devices += s->devices.size();
      old = old || older(evidence, s->meta.created, kOld);
    }
    f.message = fmt::format(
        "{}: {} left of a generation before {}, which the allocator ignores", f.subject.name,
        count_of(static_cast<Gpus>(pool.older.size()), "slice is", "slices are"), pool.generation);
    if (devices > 0) {
      f.facts.push_back({"devices in them", to_string(static_cast<Gpus>(devices))});
    }
    if (old && !is_being_published(evidence, pool)) {
      f.severity = Severity::warning;
      demote(f, Certainty::likely,
             "a slice that was changed in place does not tell when: its driver may be in the "
             "middle of publishing");
    } else {
      demote(f, Certainty::possible, "its driver may be in the middle of publishing");
    }
    as_sure_as_slices(evidence, f);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kStaleGeneration{"SLC003",
                            "stale-generation",
                            Severity::note,
                            "Slices of an older generation of a pool are left over",
                            "delete the older slices if their driver does not",
                            kSlices,
                            check_stale_generation};

}  // namespace draudit
