#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// Phase Unknown is not among the statuses that KAI charges.
void check_phase_unknown_uncounted(const Audit& audit, const Rule& rule,
                                   std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::phase_unknown, out);
}

}  // namespace

const Rule kPhaseUnknownUncounted{"ACC032",
                                  "phase-unknown-uncounted",
                                  Severity::warning,
                                  "A pod in phase Unknown holds GPUs and is not charged (F19)",
                                  info(Cause::phase_unknown).mend,
                                  kPodsAndNodes,
                                  of_audit<check_phase_unknown_uncounted>};

}  // namespace draudit
