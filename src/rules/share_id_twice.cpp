#include <fmt/format.h>

#include <map>

#include "rules/devices.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// The API server only looks within one claim.
void check_share_id_twice(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  evidence.rows.each_device([&](std::span<const DeviceRow> rows) {
    std::map<std::string_view, std::vector<const ResourceClaim*>> shares;
    for (const DeviceRow& row : rows) {
      if (row.use == RowUse::shared) shares[row.result->share_id].push_back(row.claim);
    }
    std::vector<const ResourceClaim*> claims;
    std::size_t repeated = 0;
    for (const auto& [id, of] : shares) {
      if (of.size() < 2) continue;
      ++repeated;
      claims.insert(claims.end(), of.begin(), of.end());
    }
    if (repeated == 0) return;
    Finding f = about_device(evidence, rule, rows.front().key, *claims.front());
    f.node = node_of(evidence, rows.front());
    f.message =
        fmt::format("{}: {} by more than one allocation", f.subject.name,
                    count_of(static_cast<Gpus>(repeated), "shareID is used", "shareIDs are used"));
    for (const auto& [id, of] : shares) {
      if (of.size() > 1) {
        f.facts.push_back({"shareID", fmt::format("{} in {} allocations", id, of.size())});
      }
    }
    add_claims(evidence, f, claims);
    as_sure_as_one_cluster(evidence, f);
    out.push_back(std::move(f));
  });
}

}  // namespace

const Rule kShareIdTwice{"DEV003",
                         "share-id-twice",
                         Severity::error,
                         "Two allocations of one device carry the same shareID",
                         "end the pods of all but one of these claims and let them be allocated "
                         "again; see which allocator wrote them",
                         kClaims,
                         check_share_id_twice};

}  // namespace draudit
