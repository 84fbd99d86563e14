#include "rules/pool_trouble.hpp"

#include <algorithm>
#include <map>

#include "rules/skew.hpp"

namespace draudit {

bool has_two_publishers(const Pool& pool) {
  if (!pool.counts_agree || pool.wanted() <= 0) return false;
  if (static_cast<std::int64_t>(pool.slices.size()) <= pool.wanted()) return false;
  std::map<std::string_view, std::int64_t> nodes;
  for (const ResourceSlice* slice : pool.slices) ++nodes[slice->node];
  return nodes.size() > 1 && !nodes.contains({}) &&
         std::all_of(nodes.begin(), nodes.end(),
                     [&](const auto& n) { return n.second == pool.wanted(); });
}

bool is_being_published(const Evidence& evidence, const Pool& pool) {
  return std::any_of(pool.slices.begin(), pool.slices.end(), [&](const ResourceSlice* s) {
    return younger(evidence, s->meta.created, evidence.audit.options.grace.generation);
  });
}

void as_sure_as_slices(const Evidence& evidence, Finding& finding) {
  as_sure_as_input(evidence, finding);
  as_sure_as_one_cluster(evidence, finding);
}

}  // namespace draudit
