#include "rules/taints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "draudit/selector.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

// A chosen alternative "main/sub" has the tolerations of that alternative.
const std::vector<Toleration>& tolerations_of(const DeviceRow& row) {
  const DeviceResult& result = *row.result;
  const std::size_t slash = result.request.find('/');
  if (!result.tolerations.empty() || slash == std::string_view::npos) return result.tolerations;
  for (const DeviceRequest& request : row.claim->requests) {
    if (request.name != result.request.substr(0, slash)) continue;
    for (const SubRequest& sub : request.alternatives) {
      if (sub.name == result.request.substr(slash + 1)) return sub.tolerations;
    }
  }
  return result.tolerations;
}

}  // namespace

std::size_t TaintedUse::devices() const {
  std::size_t n = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    n += i == 0 || rows[i]->key != rows[i - 1]->key ? 1U : 0U;
  }
  return n;
}

bool selects(const DeviceTaintRule& rule, const DeviceKey& key) {
  if (!rule.selects || !rule.evaluable) return false;
  return (rule.driver.empty() || rule.driver == key.driver) &&
         (rule.pool.empty() || rule.pool == key.pool) &&
         (rule.device.empty() || rule.device == key.device);
}

const Toleration* toleration_for(const DeviceRow& row, const Taint& taint) {
  const Toleration* out = nullptr;
  for (const Toleration& t : tolerations_of(row)) {
    if (!tolerates(t, taint)) continue;
    if (out == nullptr || !t.seconds || (out->seconds && *out->seconds < *t.seconds)) out = &t;
  }
  return out;
}

std::vector<TaintedUse> tainted_uses(const Evidence& evidence, TaintEffect effect) {
  using Key = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view,
                         std::string_view>;
  std::map<Key, TaintedUse> groups;
  std::vector<const DeviceTaintRule*> rules;
  for (const DeviceTaintRule& r : evidence.audit.snapshot->taint_rules) {
    if (r.taint.effect == effect && r.selects && r.evaluable) rules.push_back(&r);
  }
  const auto add = [&](const DeviceTaintRule* from, const Taint& taint, const DeviceRow& row) {
    const Toleration* t = toleration_for(row, taint);
    if (t != nullptr && !t->seconds) return;
    const Key key{from == nullptr ? std::string_view{} : from->meta.name,
                  from == nullptr ? row.key.driver : std::string_view{},
                  from == nullptr ? row.key.pool : std::string_view{}, taint.key, taint.value};
    TaintedUse& use = groups[key];
    use.rule = from;
    if (use.taint == nullptr) use.taint = &taint;
    use.rows.push_back(&row);
  };
  for (const DeviceRow& row : evidence.rows.all()) {
    const PoolDevice* published = evidence.pools.find(row.key);
    if (published != nullptr && published->device->details) {
      for (const Taint& taint : published->device->details->taints) {
        if (taint.effect == effect) add(nullptr, taint, row);
      }
    }
    for (const DeviceTaintRule* r : rules) {
      if (selects(*r, row.key)) add(r, r->taint, row);
    }
  }
  std::vector<TaintedUse> out;
  out.reserve(groups.size());
  for (auto& [key, use] : groups) out.push_back(std::move(use));
  return out;
}

std::string to_string(const Taint& taint) {
  std::string out{taint.key};
  if (!taint.value.empty()) out += fmt::format("={}", taint.value);
  return out + (taint.effect == TaintEffect::no_execute ? ":NoExecute" : ":NoSchedule");
}

Finding about_taint(const Rule& rule, const TaintedUse& use) {
  const DeviceRow& first = *use.rows.front();
  Finding f =
      use.rule != nullptr
          ? about(rule, "DeviceTaintRule", full_name(use.rule->meta), use.rule->meta.at)
          : about(rule, "DeviceTaint",
                  fmt::format("{}/{} {}", first.key.driver, first.key.pool, to_string(*use.taint)),
                  first.claim->meta.at);
  const DeviceRow* last = nullptr;
  for (const DeviceRow* row : use.rows) {
    if (last == nullptr || last->key != row->key)
      f.facts.push_back({"device", to_string(row->key)});
    last = row;
  }
  return f;
}

void as_sure_as_source(Finding& finding, const TaintedUse& use) {
  if (use.rule == nullptr) return;
  demote(finding, Certainty::likely,
         "whether the cluster acts on DeviceTaintRules is not in the dump: it is off by default");
}

}  // namespace draudit
