#include <fmt/format.h>

#include "rules/registry.hpp"
#include "rules/skew.hpp"
#include "rules/taints.hpp"

namespace draudit {
namespace {

// An empty selector selects everything; an absent one nothing.
void check_taint_rule_for_all(const Evidence& evidence, const Rule& rule,
                              std::vector<Finding>& out) {
  for (const DeviceTaintRule& r : evidence.audit.snapshot->taint_rules) {
    if (!r.selects || !r.evaluable) continue;
    if (!r.driver.empty() || !r.pool.empty() || !r.device.empty()) continue;
    const bool evicts = r.taint.effect == TaintEffect::no_execute;
    if (!evicts && r.taint.effect != TaintEffect::no_schedule) continue;
    Finding f = about(rule, "DeviceTaintRule", full_name(r.meta), r.meta.at);
    f.message = fmt::format(
        "{}: its selector is empty, so it taints every device of the cluster: "
        "{}",
        f.subject.name, evicts ? "all pods that use one are evicted" : "no device is given out");
    as_sure_as_source(f, {&r, &r.taint, {}});
    out.push_back(std::move(f));
  }
}

constexpr std::array kTaintRuleForAllNeeds = {Kind::taint_rule};

}  // namespace

const Rule kTaintRuleForAll{"TNT004",
                            "taint-rule-for-all",
                            Severity::warning,
                            "A DeviceTaintRule with an empty selector taints every device of the "
                            "cluster",
                            "name driver, pool or device in its deviceSelector",
                            kTaintRuleForAllNeeds,
                            check_taint_rule_for_all};

}  // namespace draudit
