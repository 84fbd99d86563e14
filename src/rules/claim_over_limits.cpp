#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

constexpr std::size_t kRows = 32;
constexpr std::size_t kAlternatives = 8;
constexpr std::size_t kTolerations = 16;

void check_claim_over_limits(const Evidence& evidence, const Rule& rule,
                             std::vector<Finding>& out) {
  for (const ResourceClaim& c : evidence.audit.snapshot->claims) {
    std::size_t alternatives = 0;
    std::size_t tolerations = 0;
    for (const DeviceRequest& r : c.requests) {
      alternatives = std::max(alternatives, r.alternatives.size());
      tolerations = std::max(tolerations, r.tolerations.size());
    }
    struct Limit {
      std::string_view what;
      std::size_t has;
      std::size_t most;
    };
    const std::array limits = {
        Limit{"requests", c.requests.size(), kRows},
        Limit{"results", c.allocation ? c.allocation->results.size() : 0, kRows},
        Limit{"constraints", c.constraints, kRows},
        Limit{"firstAvailable", alternatives, kAlternatives},
        Limit{"tolerations", tolerations, kTolerations},
    };
    Finding f = about_claim(rule, c);
    for (const Limit& l : limits) {
      if (l.has <= l.most) continue;
      f.facts.push_back({"limit", fmt::format("{}: {} of at most {}", l.what, l.has, l.most)});
    }
    if (f.facts.empty()) continue;
    f.message =
        fmt::format("{}: more than the API server takes: {}", f.subject.name, f.facts.front().text);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kClaimOverLimits{"LIM002",
                            "claim-over-limits",
                            Severity::warning,
                            "A claim has more of something than the API server takes",
                            "take the dump anew: this one was edited or put together",
                            kClaims,
                            check_claim_over_limits};

}  // namespace draudit
