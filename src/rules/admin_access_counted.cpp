#include "rules/common.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// KAI reads neither adminAccess of the request nor that of the result.
void check_admin_access_counted(const Audit& audit, const Rule& rule, std::vector<Finding>& out) {
  by_cause(audit, rule, Cause::admin_access, out);
}

}  // namespace

const Rule kAdminAccessCounted{
    "ACC010",
    "admin-access-counted",
    Severity::warning,
    "Admin access to devices, as monitors have it, is counted like use (F1)",
    info(Cause::admin_access).mend,
    kPodsAndNodes,
    of_audit<check_admin_access_counted>};

}  // namespace draudit
