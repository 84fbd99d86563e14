#include <fmt/format.h>

#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// KAI normalises every resource name that ends in "gpu" to one slot, and writes others than
// NVIDIA's and AMD's into it in thousandths.
void check_suffix_gpu_resource(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::suffix_capacity, out);
  // v0.14 charges the requests a thousandfold too: the same trouble, said once a node.
  std::vector<Finding> requests;
  by_cause(audit, rule, Cause::suffix_request, requests);
  for (Finding& f : requests) {
    const NodeAudit* node = audit.node(f.node);
    if (node != nullptr && find_cause(*node, Cause::suffix_capacity) == nullptr) {
      out.push_back(std::move(f));
    }
  }
}

}  // namespace

const Rule kSuffixGpuResource{
    "ACC036",
    "suffix-gpu-resource",
    Severity::error,
    "An extended resource whose name ends in \"gpu\" overwrites the GPU figures, times 1000 (F22)",
    "rename the resource, or keep its nodes out of the shard",
    kPodsAndNodes,
    of_audit<check_suffix_gpu_resource>};

}  // namespace draudit
