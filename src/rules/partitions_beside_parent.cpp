#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// Every published device is one GPU to KAI.
void check_partitions_beside_parent(const Audit& audit, const Rule& rule,
                                    std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::partitions, out);
}

}  // namespace

const Rule kPartitionsBesideParent{
    "ACC027",
    "partitions-beside-parent",
    Severity::warning,
    "Partitions are counted as capacity beside the GPU that they are part of (F15)",
    info(Cause::partitions).mend,
    kPodsAndNodes,
    of_audit<check_partitions_beside_parent>};

}  // namespace draudit
