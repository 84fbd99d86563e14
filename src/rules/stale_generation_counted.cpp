#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// KAI does not look at pool.generation.
void check_stale_generation_counted(const Audit& audit, const Rule& rule,
                                    std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::stale_generation, out);
}

}  // namespace

const Rule kStaleGenerationCounted{
    "ACC026",
    "stale-generation-counted",
    Severity::warning,
    "Slices of an older pool generation are counted as capacity (F15)",
    info(Cause::stale_generation).mend,
    kPodsAndNodes,
    of_audit<check_stale_generation_counted>};

}  // namespace draudit
