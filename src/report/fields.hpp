#pragma once

#include <concepts>
#include <type_traits>

#include "draudit/report_model.hpp"

/// The JSON field of each member of a Report, once for all that walk over it: what writes JSON,
/// what reads it, and what makes its texts valid. `V` has `field(name, member)`.
///
/// A new field is a line here, one in docs/schema/, and one in docs/json.md.
namespace draudit {

template <class T, class U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

/// __int128 is no std::integral where the compiler is strict.
template <class T>
concept WholeNumber = (std::integral<T> && !std::same_as<T, bool>) || std::same_as<T, Gpus>;

template <class V, Is<Report::Place> T>
void fields(V& v, T& x) {
  v.field("file", x.file);
  v.field("line", x.line);
  v.field("column", x.column);
  v.field("offset", x.offset);
  v.field("length", x.length);
}

template <class V, Is<Report::Tool> T>
void fields(V& v, T& x) {
  v.field("name", x.name);
  v.field("version", x.version);
  v.field("rules", x.rules);
}

template <class V, Is<Report::Kai> T>
void fields(V& v, T& x) {
  v.field("naive", x.naive);
  v.field("corrected", x.corrected);
  v.field("naive_from", x.naive_from);
  v.field("running", x.running);
  v.field("running_from", x.running_from);
  v.field("running_has_fix", x.running_has_fix);
}

template <class V, Is<Report::Input> T>
void fields(V& v, T& x) {
  v.field("name", x.name);
  v.field("bytes", x.bytes);
  v.field("sha256", x.sha256);
  v.field("objects", x.objects);
}

template <class V, Is<Report::Objects> T>
void fields(V& v, T& x) {
  v.field("read", x.read);
  v.field("ignored", x.ignored);
  v.field("duplicates", x.duplicates);
}

template <class V, Is<Report::Absent> T>
void fields(V& v, T& x) {
  v.field("kind", x.kind);
  v.field("consequence", x.consequence);
  v.field("command", x.command);
}

template <class V, Is<Report::KindSeen> T>
void fields(V& v, T& x) {
  v.field("objects", x.objects);
  v.field("known", x.known);
  v.field("namespaces", x.namespaces);
  v.field("newest", x.newest);
}

template <class V, Is<Report::SkippedFiles> T>
void fields(V& v, T& x) {
  v.field("reason", x.reason);
  v.field("files", x.files);
  v.field("first", x.first);
}

template <class V, Is<Report::SkippedText> T>
void fields(V& v, T& x) {
  v.field("file", x.file);
  v.field("line", x.line);
  v.field("lines", x.lines);
  v.field("bytes", x.bytes);
  v.field("said", x.said);
}

template <class V, Is<Report::Completeness> T>
void fields(V& v, T& x) {
  v.field("kinds", x.kinds);
  v.field("namespaces", x.namespaces);
  v.field("oldest", x.oldest);
  v.field("newest", x.newest);
  v.field("unfinished_lists", x.unfinished_lists);
  v.field("ended_pods", x.ended_pods);
  v.field("pods_of_one_namespace", x.pods_of_one_namespace);
  v.field("namespaces_without_pods", x.namespaces_without_pods);
  v.field("namespaces_without_claims", x.namespaces_without_claims);
  v.field("mixed_clusters", x.mixed_clusters);
  v.field("skipped_files", x.skipped_files);
  v.field("skipped_text", x.skipped_text);
  v.field("events", x.events);
  v.field("gaps", x.gaps);
}

template <class V, Is<Report::Problem> T>
void fields(V& v, T& x) {
  v.field("file", x.file);
  v.field("line", x.line);
  v.field("column", x.column);
  v.field("object", x.object);
  v.field("field", x.field);
  v.field("message", x.message);
  v.field("advice", x.advice);
}

template <class V, Is<Report::Counts> T>
void fields(V& v, T& x) {
  v.field("error", x.error);
  v.field("warning", x.warning);
  v.field("note", x.note);
  v.field("waived", x.waived);
}

template <class V, Is<Report::Tuning> T>
void fields(V& v, T& x) {
  v.field("config", x.config);
  v.field("baseline", x.baseline);
  v.field("notes", x.notes);
}

template <class V, Is<Report::RuleInfo> T>
void fields(V& v, T& x) {
  v.field("id", x.id);
  v.field("rule", x.name);
  v.field("severity", x.severity);
  v.field("summary", x.summary);
  v.field("mend", x.mend);
}

template <class V, Is<Report::Part> T>
void fields(V& v, T& x) {
  v.field("what", x.what);
  v.field("gpus", x.gpus);
}

template <class V, Is<Report::Capacity> T>
void fields(V& v, T& x) {
  v.field("value", x.value);
  v.field("source", x.source);
  v.field("certainty", x.certainty);
  v.field("at_least", x.at_least);
  v.field("parts", x.parts);
}

template <class V, Is<Report::Mig> T>
void fields(V& v, T& x) {
  v.field("capacity", x.capacity);
  v.field("used", x.used);
  v.field("idle", x.idle);
  v.field("releasing", x.releasing);
}

template <class V, Is<Report::Account> T>
void fields(V& v, T& x) {
  v.field("kai_version", x.kai_version);
  v.field("used", x.used);
  v.field("idle", x.idle);
  v.field("releasing", x.releasing);
  v.field("used_range", x.used_range);
  v.field("idle_range", x.idle_range);
  v.field("releasing_range", x.releasing_range);
  v.field("groups", x.groups);
  v.field("printed_used", x.printed_used);
  v.field("printed_used_range", x.printed_used_range);
  v.field("exact", x.exact);
  v.field("mig", x.mig);
}

template <class V, Is<Report::HeldParts> T>
void fields(V& v, T& x) {
  v.field("devices", x.devices);
  v.field("plugin", x.plugin);
  v.field("groups", x.groups);
  v.field("by_driver", x.by_driver);
}

template <class V, Is<Report::Cause> T>
void fields(V& v, T& x) {
  v.field("cause", x.cause);
  v.field("figure", x.figure);
  v.field("naive", x.naive);
  v.field("corrected", x.corrected);
  v.field("what", x.what);
  v.field("mend", x.mend);
  v.field("pods", x.pods);
  v.field("claims", x.claims);
  v.field("devices", x.devices);
}

template <class V, Is<Report::Device> T>
void fields(V& v, T& x) {
  v.field("device", x.device);
  v.field("published", x.published);
  v.field("claims", x.claims);
  v.field("pods", x.pods);
}

template <class V, Is<Report::Touch> T>
void fields(V& v, T& x) {
  v.field("device", x.device);
  v.field("before", x.before);
  v.field("after", x.after);
}

template <class V, Is<Report::Running> T>
void fields(V& v, T& x) {
  v.field("counted", x.counted);
  v.field("deducted", x.deducted);
  v.field("used", x.used);
  v.field("idle", x.idle);
  v.field("releasing", x.releasing);
  v.field("groups", x.groups);
}

template <class V, Is<Report::Step> T>
void fields(V& v, T& x) {
  v.field("pod", x.pod);
  v.field("status", x.status);
  v.field("gpus", x.gpus);
  v.field("naive", x.naive);
  v.field("corrected", x.corrected);
  v.field("touched", x.touched);
  v.field("remarks", x.remarks);
}

template <class V, Is<Report::Ledger> T>
void fields(V& v, T& x) {
  v.field("steps", x.steps);
  v.field("least_steps", x.least_steps);
}

template <class V, Is<Report::Node> T>
void fields(V& v, T& x) {
  v.field("name", x.name);
  v.field("capacity", x.capacity);
  v.field("naive", x.naive);
  v.field("corrected", x.corrected);
  v.field("held", x.held);
  v.field("held_parts", x.held_parts);
  v.field("physical", x.physical);
  v.field("upgrade_helps", x.upgrade_helps);
  v.field("causes", x.causes);
  v.field("devices", x.devices);
  v.field("ledger", x.ledger);
}

template <class V, Is<Report::Object> T>
void fields(V& v, T& x) {
  v.field("kind", x.kind);
  v.field("name", x.name);
  v.field("note", x.note);
  v.field("location", x.location);
}

template <class V, Is<Report::Sharer> T>
void fields(V& v, T& x) {
  v.field("pod", x.pod);
  v.field("counted_again", x.counted_again);
}

template <class V, Is<Report::Shared> T>
void fields(V& v, T& x) {
  v.field("device", x.device);
  v.field("published", x.published);
  v.field("pods", x.pods);
}

template <class V, Is<Report::Fact> T>
void fields(V& v, T& x) {
  v.field("label", x.label);
  v.field("text", x.text);
}

template <class V, Is<Report::Waived> T>
void fields(V& v, T& x) {
  v.field("by", x.by);
  v.field("reason", x.reason);
  v.field("expires", x.expires);
  v.field("owner", x.owner);
}

template <class V, Is<Report::Finding> T>
void fields(V& v, T& x) {
  v.field("id", x.id);
  v.field("rule", x.rule);
  v.field("severity", x.severity);
  v.field("certainty", x.certainty);
  v.field("why_not_certain", x.why_not_certain);
  v.field("subject", x.subject);
  v.field("node", x.node);
  v.field("message", x.message);
  v.field("objects", x.objects);
  v.field("devices", x.devices);
  v.field("pods", x.pods);
  v.field("facts", x.facts);
  v.field("mend", x.mend);
  v.field("fingerprint", x.fingerprint);
  v.field("waived", x.waived);
}

template <class V, Is<Report::NotCheckable> T>
void fields(V& v, T& x) {
  v.field("id", x.id);
  v.field("rule", x.rule);
  v.field("reason", x.reason);
}

template <class V, Is<Report> T>
void fields(V& v, T& x) {
  v.field("schema_version", x.schema_version);
  v.field("tool", x.tool);
  v.field("kai", x.kai);
  v.field("now", x.now);
  v.field("complete", x.complete);
  v.field("unable", x.unable);
  v.field("inputs", x.inputs);
  v.field("objects", x.objects);
  v.field("not_in_dump", x.not_in_dump);
  v.field("completeness", x.completeness);
  v.field("problems", x.problems);
  v.field("remarks", x.remarks);
  v.field("tuning", x.tuning);
  v.field("nodes_outside_pool", x.nodes_outside_pool);
  v.field("counts", x.counts);
  v.field("rules", x.rules);
  v.field("nodes", x.nodes);
  v.field("findings", x.findings);
  v.field("not_checkable", x.not_checkable);
}

}  // namespace draudit
