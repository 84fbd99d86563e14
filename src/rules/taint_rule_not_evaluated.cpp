#include <fmt/format.h>

#include "rules/devices.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

void check_taint_rule_not_evaluated(const Evidence& evidence, const Rule& rule,
                                    std::vector<Finding>& out) {
  for (const DeviceTaintRule& r : evidence.audit.snapshot->taint_rules) {
    if (!r.selects || r.evaluable) continue;
    Finding f = about(rule, "DeviceTaintRule", full_name(r.meta), r.meta.at);
    f.message =
        fmt::format("{}: selects devices by class or CEL, so which ones it taints is not checked",
                    f.subject.name);
    out.push_back(std::move(f));
  }
}

constexpr std::array kTaintRuleNotEvaluatedNeeds = {Kind::taint_rule};

}  // namespace

const Rule kTaintRuleNotEvaluated{
    "TNT003",
    "taint-rule-not-evaluated",
    Severity::note,
    "A DeviceTaintRule of Kubernetes 1.33 or 1.34 selects devices in a way that is not evaluated",
    "name driver, pool or device in the rule, as later versions require",
    kTaintRuleNotEvaluatedNeeds,
    check_taint_rule_not_evaluated};

}  // namespace draudit
