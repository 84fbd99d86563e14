#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// kubernetes#129543: 32 up to 1.32.0, 256 since.
constexpr std::size_t kLimit = 256;
constexpr std::size_t kNear = 230;
constexpr std::size_t kOldLimit = 32;

void check_reservations_nearly_full(const Evidence& evidence, const Rule& rule,
                                    std::vector<Finding>& out) {
  for (const ResourceClaim& c : evidence.audit.snapshot->claims) {
    const std::size_t n = c.reserved_for.size();
    if (n < kNear && n != kOldLimit) continue;
    Finding f = about_claim(rule, c);
    if (n == kOldLimit) {
      f.severity = Severity::note;
      f.message = fmt::format("{}: reserved for 32: full, if Kubernetes is 1.32.0 or older",
                              f.subject.name);
      demote(f, Certainty::possible, "the API server's version is not in the input");
    } else if (n < kLimit) {
      f.message = fmt::format("{}: reserved for {} of at most {}", f.subject.name, n, kLimit);
    } else {
      f.severity = Severity::error;
      f.message = fmt::format("{}: reserved for {}, and {} is the most: no further pod can use it",
                              f.subject.name, n, kLimit);
    }
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kReservationsNearlyFull{"LIM001",
                                   "reservations-nearly-full",
                                   Severity::warning,
                                   "A claim is reserved for nearly as many as it can be",
                                   "spread the pods over more claims, or reserve for a PodGroup",
                                   kClaims,
                                   check_reservations_nearly_full};

}  // namespace draudit
