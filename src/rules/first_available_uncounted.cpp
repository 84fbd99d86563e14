#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// KAI reads only `exactly`. The devices are registered all the same once the pod counts a GPU of
// another kind, and can then swallow it.
void check_first_available_uncounted(const Audit& audit, const Rule& rule,
                                     std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::first_available, out);
}

}  // namespace

const Rule kFirstAvailableUncounted{"ACC016",
                                    "first-available-uncounted",
                                    Severity::warning,
                                    "Requests with firstAvailable count nothing (F7)",
                                    info(Cause::first_available).mend,
                                    kPodsAndNodes,
                                    of_audit<check_first_available_uncounted>};

}  // namespace draudit
