#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "draudit/report.hpp"
#include "draudit/version.hpp"

namespace draudit {
namespace {

using Json = nlohmann::ordered_json;

Json number(Gpus g) {
  // Beyond int64 only a double is left, as in KAI itself.
  if (g > std::numeric_limits<std::int64_t>::max() ||
      g < std::numeric_limits<std::int64_t>::min()) {
    return static_cast<double>(g);
  }
  return static_cast<std::int64_t>(g);
}

Json range(const Range& r) { return Json::array({number(r.least), number(r.most)}); }

Json location(const Snapshot& s, const Location& at) {
  if (at.line == 0 || at.file >= s.files.size()) return nullptr;
  return {{"file", s.files[at.file].name},
          {"line", at.line},
          {"column", at.column},
          {"offset", at.offset},
          {"length", at.length}};
}

Json object_ref(const Snapshot& s, const ObjectRef& o) {
  return {{"kind", o.kind}, {"name", o.name}, {"note", o.note}, {"location", location(s, o.at)}};
}

Json account(const NodeAudit& node, const Account& a) {
  const Figures& f = a.figures;
  const bool known = node.capacity.value.has_value();
  Json mig = Json::object();
  for (const auto& [name, m] : f.mig) {
    mig[std::string{name}] = {
        {"capacity", m.capacity}, {"used", m.used}, {"idle", m.idle}, {"releasing", m.releasing}};
  }
  return {{"kai_version", a.version},
          {"used", number(f.used.most)},
          {"idle", known ? number(f.idle.least) : Json(nullptr)},
          {"releasing", number(f.releasing.most)},
          {"used_range", range(f.used)},
          {"idle_range", known ? range(f.idle) : Json(nullptr)},
          {"releasing_range", range(f.releasing)},
          {"groups", number(f.groups.most)},
          {"printed_used", number(f.printed_used().most)},
          {"exact", f.exact},
          {"mig", std::move(mig)}};
}

std::string_view figure_name(CausedFigure figure) {
  switch (figure) {
    case CausedFigure::used: return "used";
    case CausedFigure::capacity: return "capacity";
    case CausedFigure::idle: return "idle";
  }
  return "used";
}

Json causes_json(const NodeAudit& n) {
  Json out = Json::array();
  for (const CauseShare& s : n.causes) {
    const CauseInfo& cause = info(s.cause);
    Json pods = Json::array();
    for (const Pod* p : s.pods) pods.push_back(full_name(p->meta));
    Json claims = Json::array();
    for (const ResourceClaim* c : s.claims) claims.push_back(full_name(c->meta));
    Json devices = Json::array();
    for (const DeviceKey& d : s.devices) devices.push_back(to_string(d));
    out.push_back(
        {{"cause", cause.name},
         {"figure", figure_name(cause.figure)},
         {"naive", number(s.naive)},
         {"corrected", Json::array({number(s.corrected_least), number(s.corrected_most)})},
         {"what", cause.what},
         {"mend", cause.mend},
         {"pods", std::move(pods)},
         {"claims", std::move(claims)},
         {"devices", std::move(devices)}});
  }
  return out;
}

Json node_json(const NodeAudit& n) {
  Json parts = Json::array();
  for (const CapacityPart& p : n.capacity.parts) {
    parts.push_back({{"what", p.what}, {"gpus", number(p.gpus)}});
  }
  Json devices = Json::array();
  for (const DeviceUse& d : n.devices) {
    Json claims = Json::array();
    for (const ResourceClaim* c : d.claims) claims.push_back(full_name(c->meta));
    Json pods = Json::array();
    for (const Pod* p : d.holders) pods.push_back(full_name(p->meta));
    devices.push_back({{"device", to_string(d.key)},
                       {"published", d.published},
                       {"claims", std::move(claims)},
                       {"pods", std::move(pods)}});
  }
  Json by_driver = Json::object();
  for (const auto& [driver, gpus] : n.held.by_driver) by_driver[std::string{driver}] = number(gpus);
  return {{"name", n.node->meta.name},
          {"capacity",
           {{"value", n.capacity.value ? number(*n.capacity.value) : Json(nullptr)},
            {"source", to_string(n.capacity.source)},
            {"certainty", to_string(n.capacity.certainty)},
            {"at_least", number(n.capacity.at_least)},
            {"parts", std::move(parts)}}},
          {"naive", account(n, n.naive)},
          {"corrected", account(n, n.corrected)},
          {"held", number(n.held.total())},
          {"held_parts",
           {{"devices", number(n.held.devices)},
            {"plugin", number(n.held.plugin)},
            {"groups", number(n.held.groups)},
            {"by_driver", std::move(by_driver)}}},
          {"physical", n.physical ? number(*n.physical) : Json(nullptr)},
          {"upgrade_helps", to_string(upgrade_helps(n))},
          {"causes", causes_json(n)},
          {"devices", std::move(devices)}};
}

Json finding_json(const Snapshot& s, const Finding& f) {
  Json objects = Json::array();
  for (const ObjectRef& o : f.objects) objects.push_back(object_ref(s, o));
  Json devices = Json::array();
  for (const DeviceEvidence& d : f.devices) {
    Json pods = Json::array();
    for (const DevicePod& p : d.pods) pods.push_back({{"pod", p.pod}, {"counted_again", p.again}});
    devices.push_back(
        {{"device", d.device}, {"published", d.published}, {"pods", std::move(pods)}});
  }
  Json facts = Json::array();
  for (const Fact& x : f.facts) facts.push_back({{"label", x.label}, {"text", x.text}});
  return {{"id", f.rule->id},
          {"rule", f.rule->name},
          {"severity", to_string(f.severity)},
          {"certainty", to_string(f.certainty)},
          {"why_not_certain", f.why_not_certain},
          {"subject", object_ref(s, f.subject)},
          {"node", f.node.empty() ? Json(nullptr) : Json(f.node)},
          {"message", f.message},
          {"objects", std::move(objects)},
          {"devices", std::move(devices)},
          {"pods", f.pods},
          {"facts", std::move(facts)},
          {"mend", f.mend},
          {"fingerprint", f.fingerprint}};
}

Json kai_json(const Audit& a) {
  const bool detected = !a.running.version.empty();
  return {{"naive", a.options.naive_version},
          {"corrected", a.options.corrected_version},
          {"naive_from", a.naive_chosen                 ? "flag"
                         : detected && !a.running.fixed ? "detected"
                                                        : "default"},
          {"running", detected ? Json(a.running.version) : Json(nullptr)},
          {"running_from", a.running.how},
          {"running_has_fix", detected ? Json(a.running.fixed) : Json(nullptr)}};
}

Json time_or_null(const std::optional<Timestamp>& t) { return t ? Json(to_string(*t)) : nullptr; }

Json completeness_json(const Result& result) {
  const Snapshot& s = result.snapshot();
  const Completeness& c = result.completeness;
  Json kinds = Json::object();
  for (const KindSeen& k : c.kinds) {
    Json namespaces = Json::array();
    for (const std::string_view ns : k.namespaces) namespaces.push_back(ns);
    kinds[std::string{info(k.kind).name}] = {{"objects", k.objects},
                                             {"known", k.known},
                                             {"namespaces", std::move(namespaces)},
                                             {"newest", time_or_null(k.newest)}};
  }
  Json skipped = Json::array();
  for (const SkippedText& t : s.skipped) {
    skipped.push_back({{"file", s.files[t.file].name},
                       {"line", t.line},
                       {"lines", t.lines},
                       {"bytes", t.bytes},
                       {"said", t.said}});
  }
  Json files = Json::array();
  for (const auto& [reason, f] : s.skipped_files) {
    files.push_back({{"reason", reason}, {"files", f.files}, {"first", f.first}});
  }
  Json events = {{"ADDED", 0}, {"MODIFIED", 0}, {"DELETED", 0}, {"BOOKMARK", 0}, {"ERROR", 0}};
  for (const WatchEvent& e : s.events) {
    Json& n = events[std::string{to_string(e.type)}];
    n = n.get<std::int64_t>() + 1;
  }
  return {{"kinds", std::move(kinds)},
          {"namespaces", s.namespaces_seen},
          {"oldest", time_or_null(s.oldest)},
          {"newest", time_or_null(s.newest)},
          {"unfinished_lists", s.unfinished_lists},
          {"ended_pods", c.ended_pods},
          {"pods_of_one_namespace",
           c.pods_of_one_namespace.empty() ? Json(nullptr) : Json(c.pods_of_one_namespace)},
          {"namespaces_without_pods", c.namespaces_without_pods},
          {"namespaces_without_claims", c.namespaces_without_claims},
          {"mixed_clusters", s.mixed.empty() ? Json(nullptr) : Json(s.mixed)},
          {"skipped_files", std::move(files)},
          {"skipped_text", std::move(skipped)},
          {"events", std::move(events)},
          {"gaps", c.gaps}};
}

}  // namespace

std::string json_report(const Result& result) {
  const Snapshot& s = result.snapshot();
  Json inputs = Json::array();
  for (const InputFile& f : s.files) {
    inputs.push_back(
        {{"name", f.name}, {"bytes", f.bytes}, {"sha256", f.sha256}, {"objects", f.objects}});
  }
  Json read = Json::object();
  for (std::size_t i = 0; i < kKinds; ++i) {
    const KindInfo& k = info(static_cast<Kind>(i));
    read[std::string{k.name}] = s.of(k.kind).objects;
  }
  Json ignored = Json::object();
  for (const auto& [kind, n] : s.ignored) ignored[kind] = n;
  Json problems = Json::array();
  for (const Problem& p : s.problems) {
    problems.push_back({{"file", s.files[p.file].name},
                        {"line", p.line},
                        {"column", p.column},
                        {"object", p.object},
                        {"field", p.field},
                        {"message", p.message},
                        {"advice", p.advice}});
  }
  Json remarks = Json::array();
  for (const Remark& r : s.remarks) remarks.push_back(r.message);
  Json absent = Json::array();
  for (const AbsentKind& a : result.absent) {
    absent.push_back(
        {{"kind", info(a.kind).name}, {"consequence", a.consequence}, {"command", a.command}});
  }
  Json nodes = Json::array();
  for (const NodeAudit& n : result.audit.nodes) nodes.push_back(node_json(n));
  Json findings = Json::array();
  Json counts = {{"error", 0}, {"warning", 0}, {"note", 0}};
  for (const Finding& f : result.run.findings) {
    findings.push_back(finding_json(s, f));
    Json& n = counts[std::string{to_string(f.severity)}];
    n = n.get<std::int64_t>() + 1;
  }
  Json not_checkable = Json::array();
  for (const NotCheckable& n : result.run.not_checkable) {
    not_checkable.push_back({{"id", n.rule->id}, {"rule", n.rule->name}, {"reason", n.reason}});
  }

  const Json report = {
      {"schema_version", kSchemaVersion},
      {"tool", {{"name", "draudit"}, {"version", kVersion}, {"rules", rules().size()}}},
      {"kai", kai_json(result.audit)},
      {"now",
       result.audit.options.now ? Json(to_string(*result.audit.options.now)) : Json(nullptr)},
      {"complete", result.complete()},
      {"unable", result.unable.empty() ? Json(nullptr) : Json(result.unable)},
      {"inputs", std::move(inputs)},
      {"objects",
       {{"read", std::move(read)}, {"ignored", std::move(ignored)}, {"duplicates", s.duplicates}}},
      {"not_in_dump", std::move(absent)},
      {"completeness", completeness_json(result)},
      {"problems", std::move(problems)},
      {"remarks", std::move(remarks)},
      {"nodes_outside_pool", result.audit.nodes_outside},
      {"counts", std::move(counts)},
      {"nodes", std::move(nodes)},
      {"findings", std::move(findings)},
      {"not_checkable", std::move(not_checkable)}};
  // Names come from the dump: whatever is no UTF-8 in a file name becomes U+FFFD.
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace draudit
