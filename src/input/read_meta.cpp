#include <charconv>

#include "input/records.hpp"

namespace draudit {
namespace {

constexpr Field<OwnerReference> kOwner[] = {
    {"kind", [](const Value& v, OwnerReference& o) { o.kind = v.string(); }},
    {"name", [](const Value& v, OwnerReference& o) { o.name = v.string(); }},
    {"uid", [](const Value& v, OwnerReference& o) { o.uid = v.string(); }},
    {"controller", [](const Value& v, OwnerReference& o) { o.controller = v.boolean(); }},
};

struct ManagedField {};
constexpr Field<ManagedField> kManagedField[] = {
    {"time", [](const Value& v, ManagedField&) { note_time(v); }},
};

std::uint64_t version_number(std::string_view text) {
  // Opaque by contract, a number in every API server; anything else never wins over one.
  std::uint64_t n = 0;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

constexpr Field<ReadMeta> kMeta[] = {
    {"name", [](const Value& v, ReadMeta& m) { m.meta.name = v.string(); }},
    {"namespace", [](const Value& v, ReadMeta& m) { m.meta.ns = v.string(); }},
    {"uid", [](const Value& v, ReadMeta& m) { m.meta.uid = v.string(); }},
    {"resourceVersion",
     [](const Value& v, ReadMeta& m) { m.meta.resource_version = version_number(v.string()); }},
    {"creationTimestamp",
     [](const Value& v, ReadMeta& m) {
       m.meta.created = v.timestamp();
       note_time(v);
     }},
    // Not noted as a time: it may lie ahead by the grace period.
    {"deletionTimestamp", [](const Value& v, ReadMeta& m) { m.meta.deleted = v.timestamp(); }},
    {"labels", [](const Value& v, ReadMeta& m) { m.labels = read_map(v); }},
    {"annotations", [](const Value& v, ReadMeta& m) { m.annotations = read_map(v); }},
    {"ownerReferences",
     [](const Value& v, ReadMeta& m) {
       v.each([&](const Value& e) { read_fields(e, m.owners.emplace_back(), kOwner); });
     }},
    {"finalizers",
     [](const Value& v, ReadMeta& m) {
       v.each([&](const Value& e) {
         // resource.kubernetes.io/… since 1.31, dra.k8s.io/… before.
         if (e.string().ends_with("/delete-protection")) m.delete_protection = true;
       });
     }},
    {"managedFields",
     [](const Value& v, ReadMeta&) {
       v.each([](const Value& e) {
         ManagedField ignored;
         read_fields(e, ignored, kManagedField);
       });
     }},
};

struct ConditionTimes {};
constexpr Field<ConditionTimes> kConditionTimes[] = {
    {"lastTransitionTime", [](const Value& v, ConditionTimes&) { note_time(v); }},
    {"lastHeartbeatTime", [](const Value& v, ConditionTimes&) { note_time(v); }},
};

}  // namespace

ReadMeta read_meta(const Value& metadata) { return read_object(metadata, kMeta); }

void note_time(const Value& time) {
  const auto t = time.timestamp();
  if (t && (!time.context().newest || *time.context().newest < *t)) time.context().newest = t;
}

void note_condition_times(const Value& conditions) {
  conditions.each([](const Value& e) {
    ConditionTimes ignored;
    read_fields(e, ignored, kConditionTimes);
  });
}

}  // namespace draudit
