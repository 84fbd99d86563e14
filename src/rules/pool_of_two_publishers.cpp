#include <fmt/format.h>

#include <map>

#include "rules/pool_trouble.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

void check_pool_of_two_publishers(const Evidence& evidence, const Rule& rule,
                                  std::vector<Finding>& out) {
  for (const Pool& pool : evidence.pools.all()) {
    if (!has_two_publishers(pool)) continue;
    Finding f = about_pool(rule, pool);
    std::map<std::string_view, std::size_t> nodes;
    for (const ResourceSlice* s : pool.slices) {
      ++nodes[s->node];
      f.objects.push_back(ref("ResourceSlice", s->meta, fmt::format("of node {}", s->node)));
    }
    f.message = fmt::format(
        "{}: {} nodes publish {} each, and there should be {} in all: nothing is allocated from it",
        f.subject.name, nodes.size(), count_of(pool.wanted(), "slice"), pool.wanted());
    demote(f, Certainty::likely, "that each node takes the pool for its own is told by numbers");
    as_sure_as_slices(evidence, f);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kPoolOfTwoPublishers{
    "SLC006",
    "pool-of-two-publishers",
    Severity::warning,
    "Several nodes publish a pool of one name, so that it has more slices than it says",
    "let the driver name its pools after their nodes, or publish a common one from one place",
    kSlices,
    check_pool_of_two_publishers};

}  // namespace draudit
