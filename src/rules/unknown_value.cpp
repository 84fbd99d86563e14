#include <fmt/format.h>

#include <map>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

struct Seen {
  std::string_view kind;
  const Meta* meta = nullptr;
};

void check_unknown_value(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  const Snapshot& s = *evidence.audit.snapshot;
  std::map<std::string_view, std::vector<Seen>> fields;
  const auto note = [&](std::string_view field, std::string_view kind, const Meta& meta) {
    auto& seen = fields[field];
    if (seen.empty() || seen.back().meta != &meta) seen.push_back({kind, &meta});
  };
  for (const ResourceClaim& c : s.claims) {
    for (const Consumer& u : c.reserved_for) {
      const bool pod = u.resource == "pods" && u.api_group.empty();
      const bool group = u.resource == "podgroups" && u.api_group == "scheduling.k8s.io";
      if (!pod && !group) note("status.reservedFor[].resource", "ResourceClaim", c.meta);
    }
    for (const DeviceRequest& r : c.requests) {
      bool unknown = !r.first_available && r.mode == AllocationMode::unknown;
      for (const SubRequest& a : r.alternatives) {
        unknown = unknown || a.mode == AllocationMode::unknown;
      }
      if (unknown) note("spec.devices.requests[].allocationMode", "ResourceClaim", c.meta);
    }
  }
  for (const ResourceSlice& slice : s.slices) {
    for (const PublishedDevice& d : slice.devices) {
      if (!d.details) continue;
      for (const Taint& t : d.details->taints) {
        if (t.effect == TaintEffect::unknown) {
          note("spec.devices[].taints[].effect", "ResourceSlice", slice.meta);
        }
      }
    }
  }
  for (const DeviceTaintRule& r : s.taint_rules) {
    if (r.taint.effect == TaintEffect::unknown) {
      note("spec.taint.effect", "DeviceTaintRule", r.meta);
    }
  }
  for (const auto& [field, seen] : fields) {
    Finding f = about(rule, {"Field", std::string{field}, {}, seen.front().meta->at});
    f.message = fmt::format("{}: {} object{} with a value that draudit does not know; checks leave "
                            "it out",
                            field, seen.size(), seen.size() == 1 ? "" : "s");
    for (const Seen& o : seen) f.objects.push_back(ref(o.kind, *o.meta));
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kUnknownValue{"INP011",
                         "unknown-value",
                         Severity::note,
                         "A consumer, an allocation mode or a taint effect is none that draudit "
                         "knows",
                         "see whether a later draudit knows it",
                         {},
                         check_unknown_value};

}  // namespace draudit
