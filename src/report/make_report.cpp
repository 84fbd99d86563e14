#include <algorithm>
#include <set>

#include "draudit/cli.hpp"
#include "draudit/report.hpp"
#include "draudit/version.hpp"
#include "report/fields.hpp"
#include "report/plain.hpp"
#include "report/remarks.hpp"

namespace draudit {
namespace {

std::string_view figure_name(CausedFigure figure) {
  switch (figure) {
    case CausedFigure::used: return "used";
    case CausedFigure::capacity: return "capacity";
    case CausedFigure::idle: return "idle";
  }
  return "used";
}

std::string_view waived_by(WaivedBy by) {
  switch (by) {
    case WaivedBy::suppression: return "suppression";
    case WaivedBy::baseline: return "baseline";
  }
  return "suppression";
}

template <class Objects>
std::vector<std::string> names(const Objects& objects) {
  std::vector<std::string> out;
  out.reserve(objects.size());
  for (const auto* o : objects) out.push_back(full_name(o->meta));
  return out;
}

std::optional<Report::Place> place(const Snapshot& s, const Location& at) {
  if (at.line == 0 || at.file >= s.files.size()) return std::nullopt;
  return Report::Place{s.files[at.file].name, at.line, at.column, at.offset, at.length};
}

Report::Object object(const Snapshot& s, const ObjectRef& o) {
  return {o.kind, o.name, o.note, place(s, o.at)};
}

Report::Account account(const NodeAudit& node, const Account& a) {
  const Figures& f = a.figures;
  const bool known = node.capacity.value.has_value();
  Report::Account out;
  out.kai_version = a.version;
  out.used = f.used.most;
  out.releasing = f.releasing.most;
  out.used_range = f.used;
  if (known) out.idle = f.idle.least;
  if (known) out.idle_range = f.idle;
  out.releasing_range = f.releasing;
  out.groups = f.groups.most;
  out.printed_used = f.printed_used().most;
  out.printed_used_range = f.printed_used();
  out.exact = f.exact;
  for (const auto& [name, m] : f.mig) {
    out.mig[std::string{name}] = {m.capacity, m.used, m.idle, m.releasing};
  }
  return out;
}

Report::Capacity capacity(const Capacity& c) {
  Report::Capacity out{c.value, std::string{to_string(c.source)}, c.certainty, c.at_least, {}};
  for (const CapacityPart& p : c.parts) out.parts.push_back({p.what, p.gpus});
  return out;
}

Report::Cause cause(const CauseShare& s) {
  const CauseInfo& c = info(s.cause);
  Report::Cause out;
  out.cause = c.name;
  out.figure = figure_name(c.figure);
  out.naive = s.naive;
  out.corrected = {s.corrected_least, s.corrected_most};
  out.what = c.what;
  out.mend = c.mend;
  out.pods = names(s.pods);
  out.claims = names(s.claims);
  for (const DeviceKey& d : s.devices) out.devices.push_back(to_string(d));
  return out;
}

Report::Running running(const NodeAudit& node, const Step& s) {
  Report::Running out;
  out.counted = s.counted;
  out.deducted = s.deducted;
  out.used = s.after.used;
  if (node.capacity.value) out.idle = s.after.idle;
  out.releasing = s.after.releasing;
  out.groups = s.after.groups;
  return out;
}

std::vector<Report::Step> steps(const NodeAudit& node, const std::vector<Step>& naive,
                                const std::vector<Step>& corrected) {
  std::vector<Report::Step> out;
  out.reserve(corrected.size());
  for (std::size_t i = 0; i < corrected.size(); ++i) {
    const Step& n = naive[i];
    const Step& c = corrected[i];
    const Charge& charge = node.corrected.charges[c.charge];
    Report::Step& step = out.emplace_back();
    step.pod = full_name(charge.pod->meta);
    step.status = to_string(charge.status);
    step.gpus = c.brought;
    step.naive = running(node, n);
    step.corrected = running(node, c);
    for (const DeviceTouch& t : c.touched) {
      step.touched.push_back({to_string(node.devices[t.device].key), t.before, t.after});
    }
    step.remarks = remarks(node, charge, n, c);
  }
  return out;
}

Report::Node node(const NodeAudit& n, bool with_ledger) {
  Report::Node out;
  out.name = n.node->meta.name;
  out.capacity = capacity(n.capacity);
  out.naive = account(n, n.naive);
  out.corrected = account(n, n.corrected);
  out.held = n.held.total();
  out.held_parts = {n.held.devices, n.held.plugin, n.held.groups, {}};
  for (const auto& [driver, gpus] : n.held.by_driver) {
    out.held_parts.by_driver[std::string{driver}] = gpus;
  }
  out.physical = n.physical;
  out.upgrade_helps = to_string(upgrade_helps(n));
  for (const CauseShare& s : n.causes) out.causes.push_back(cause(s));
  for (const DeviceUse& d : n.devices) {
    out.devices.push_back({to_string(d.key), d.published, names(d.claims), names(d.holders)});
  }
  if (with_ledger) {
    out.ledger = {steps(n, n.naive.steps, n.corrected.steps),
                  steps(n, n.naive.least_steps, n.corrected.least_steps)};
  }
  return out;
}

Report::Finding finding(const Snapshot& s, const Finding& f) {
  Report::Finding out;
  out.id = f.rule->id;
  out.rule = f.rule->name;
  out.severity = f.severity;
  out.certainty = f.certainty;
  out.why_not_certain = f.why_not_certain;
  out.subject = object(s, f.subject);
  if (!f.node.empty()) out.node = f.node;
  out.message = f.message;
  for (const ObjectRef& o : f.objects) out.objects.push_back(object(s, o));
  for (const DeviceEvidence& d : f.devices) {
    Report::Shared& shared = out.devices.emplace_back(Report::Shared{d.device, d.published, {}});
    for (const DevicePod& p : d.pods) shared.pods.push_back({p.pod, p.again});
  }
  out.pods = f.pods;
  for (const Fact& x : f.facts) out.facts.push_back({x.label, x.text});
  out.mend = f.mend;
  out.fingerprint = f.fingerprint;
  if (f.waived) {
    out.waived = {std::string{waived_by(f.waived->by)}, f.waived->reason, f.waived->expires,
                  f.waived->owner};
  }
  return out;
}

void count(Report::Counts& counts, const Report::Finding& f) {
  if (f.waived) {
    ++counts.waived;
    return;
  }
  switch (f.severity) {
    case Severity::error: ++counts.error; break;
    case Severity::warning: ++counts.warning; break;
    case Severity::note: ++counts.note; break;
  }
}

Report::Kai kai(const Audit& a) {
  const bool detected = !a.running.version.empty();
  Report::Kai out;
  out.naive = a.options.naive_version;
  out.corrected = a.options.corrected_version;
  out.naive_from = a.naive_chosen ? "flag" : detected && !a.running.fixed ? "detected" : "default";
  if (detected) out.running = a.running.version;
  out.running_from = a.running.how;
  if (detected) out.running_has_fix = a.running.fixed;
  return out;
}

/// Names of files may be any bytes, and JSON can't hold them.
class Validator {
 public:
  template <class T>
  void field(std::string_view, T& x) {
    value(x);
  }

 private:
  static void value(std::string& x) { x = valid_utf8(std::move(x)); }
  template <class T>
  static void value(std::optional<T>& x) {
    if (x) value(*x);
  }
  template <class T>
  static void value(std::vector<T>& x) {
    for (T& e : x) value(e);
  }
  template <class T>
  static void value(std::vector<std::pair<std::string, T>>& x) {
    for (auto& [name, e] : x) value(e);
  }
  template <class T>
  static void value(std::map<std::string, T>& x) {
    // Names of kinds, resources and drivers: out of JSON, which was UTF-8.
    for (auto& [name, e] : x) value(e);
  }
  template <class T>
  requires(!std::is_class_v<T>) static void value(T&) {}
  static void value(Range&) {}
  template <class T>
  requires std::is_class_v<T>
  static void value(T& x) {
    Validator v;
    fields(v, x);
  }
};

std::optional<std::string> words_or_none(std::string words) {
  if (words.empty()) return std::nullopt;
  return words;
}

std::optional<std::string> time_or_none(const std::optional<Timestamp>& t) {
  if (!t) return std::nullopt;
  return to_string(*t);
}

Report::Completeness completeness(const Result& result) {
  const Snapshot& s = result.snapshot();
  const Completeness& c = result.completeness;
  Report::Completeness out;
  for (const KindSeen& k : c.kinds) {
    out.kinds.emplace_back(info(k.kind).name,
                           Report::KindSeen{k.objects,
                                            k.known,
                                            {k.namespaces.begin(), k.namespaces.end()},
                                            time_or_none(k.newest)});
  }
  out.namespaces.assign(s.namespaces_seen.begin(), s.namespaces_seen.end());
  out.oldest = time_or_none(s.oldest);
  out.newest = time_or_none(s.newest);
  out.unfinished_lists = s.unfinished_lists;
  out.ended_pods = c.ended_pods;
  out.pods_of_one_namespace = words_or_none(std::string{c.pods_of_one_namespace});
  out.namespaces_without_pods.assign(c.namespaces_without_pods.begin(),
                                     c.namespaces_without_pods.end());
  out.namespaces_without_claims.assign(c.namespaces_without_claims.begin(),
                                       c.namespaces_without_claims.end());
  out.mixed_clusters = words_or_none(s.mixed);
  for (const auto& [reason, f] : s.skipped_files) {
    out.skipped_files.push_back({reason, f.files, f.first});
  }
  for (const SkippedText& t : s.skipped) {
    out.skipped_text.push_back({s.files[t.file].name, t.line, t.lines, t.bytes, t.said});
  }
  for (const EventType type : {EventType::added, EventType::modified, EventType::deleted,
                               EventType::bookmark, EventType::error}) {
    const auto n = std::count_if(s.events.begin(), s.events.end(),
                                 [type](const WatchEvent& e) { return e.type == type; });
    out.events.emplace_back(to_string(type), static_cast<std::uint64_t>(n));
  }
  out.gaps = c.gaps;
  return out;
}

}  // namespace

std::vector<Report::RuleInfo> rule_infos() {
  std::vector<Report::RuleInfo> out;
  out.reserve(rules().size());
  for (const Rule* r : rules()) {
    out.push_back({std::string{r->id}, std::string{r->name}, r->severity, std::string{r->summary},
                   std::string{r->mend}});
  }
  return out;
}

Report make_report(const Result& result) {
  const Snapshot& s = result.snapshot();
  Report out;
  out.schema_version = kSchemaVersion;
  out.tool = {"draudit", std::string{kVersion}, rules().size()};
  out.kai = kai(result.audit);
  if (result.audit.options.now) out.now = to_string(*result.audit.options.now);
  out.complete = result.complete();
  if (!result.unable.empty()) out.unable = result.unable;
  for (const InputFile& f : s.files) out.inputs.push_back({f.name, f.bytes, f.sha256, f.objects});
  for (std::size_t i = 0; i < kKinds; ++i) {
    const KindInfo& k = info(static_cast<Kind>(i));
    out.objects.read.emplace_back(k.name, s.of(k.kind).objects);
  }
  for (const auto& [kind, n] : s.ignored) out.objects.ignored[kind] = n;
  out.objects.duplicates = s.duplicates;
  for (const AbsentKind& a : result.absent) {
    out.not_in_dump.push_back({std::string{info(a.kind).name}, a.consequence, a.command});
  }
  out.completeness = completeness(result);
  for (const Problem& p : s.problems) {
    out.problems.push_back(
        {s.files[p.file].name, p.line, p.column, p.object, p.field, p.message, p.advice});
  }
  for (const Remark& r : s.remarks) out.remarks.push_back(r.message);
  out.tuning = {words_or_none(result.config_file), words_or_none(result.baseline_file),
                result.tuning_notes};
  out.nodes_outside_pool = result.audit.nodes_outside;
  out.rules = rule_infos();
  std::set<std::string_view> affected;
  for (const Finding& f : result.run.findings) {
    affected.insert(f.node);
    count(out.counts, out.findings.emplace_back(finding(s, f)));
  }
  out.nodes.reserve(result.audit.nodes.size());
  for (const NodeAudit& n : result.audit.nodes) {
    out.nodes.push_back(node(n, affected.contains(n.node->meta.name)));
  }
  for (const NotCheckable& n : result.run.not_checkable) {
    out.not_checkable.push_back({std::string{n.rule->id}, std::string{n.rule->name}, n.reason});
  }
  Validator validator;
  fields(validator, out);
  return out;
}

Report::Node report_node(const NodeAudit& audited) {
  Report::Node out = node(audited, true);
  Validator validator;
  fields(validator, out);
  return out;
}

int exit_status(const Report& report, FailOn fail_on) {
  if (!report.complete) return kExitUnable;
  const auto& all = report.findings;
  return std::any_of(all.begin(), all.end(),
                     [fail_on](const Report::Finding& f) {
                       return fails_gate(f.severity, f.waived.has_value(), fail_on);
                     })
             ? kExitFindings
             : kExitClean;
}

}  // namespace draudit
