#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// KAI goes by the BindRequest for the life of the pod; the binder keeps what was there.
void check_bind_request_disagrees(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::bind_request_disagrees, out);
}

}  // namespace

const Rule kBindRequestDisagrees{
    "ACC020",
    "bind-request-disagrees",
    Severity::warning,
    "A BindRequest names other devices than its pod's claim was given (F11)",
    info(Cause::bind_request_disagrees).mend,
    kPodsAndNodes,
    of_audit<check_bind_request_disagrees>};

}  // namespace draudit
