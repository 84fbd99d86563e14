#include <algorithm>

#include "input/records.hpp"

namespace draudit {
namespace {

AllocationMode mode_of(std::string_view text) {
  if (text.empty() || text == "ExactCount") return AllocationMode::exact_count;
  if (text == "All") return AllocationMode::all;
  return AllocationMode::unknown;
}

// v1beta2 and v1 keep these in `exactly`; v1alpha3 and v1beta1 have them flat.
struct RawRequest {
  DeviceRequest request;
  bool has_mode = false;
};
constexpr Field<RawRequest> kExactly[] = {
    {"deviceClassName", [](const Value& v, RawRequest& r) { r.request.device_class = v.string(); }},
    {"allocationMode",
     [](const Value& v, RawRequest& r) {
       r.has_mode = !v.is_null();
       r.request.mode = mode_of(v.string());
     }},
    {"count", [](const Value& v, RawRequest& r) { r.request.count = v.integer(); }},
    {"adminAccess", [](const Value& v, RawRequest& r) { r.request.admin_access = v.boolean(); }},
    {"selectors", [](const Value& v,
                     RawRequest& r) { v.each([&](const Value&) { r.request.selects = true; }); }},
    {"tolerations",
     [](const Value& v, RawRequest& r) { r.request.tolerations = read_tolerations(v); }},
};
constexpr Field<SubRequest> kAlternative[] = {
    {"name", [](const Value& v, SubRequest& r) { r.name = v.string(); }},
    {"deviceClassName", [](const Value& v, SubRequest& r) { r.device_class = v.string(); }},
    {"allocationMode", [](const Value& v, SubRequest& r) { r.mode = mode_of(v.string()); }},
    {"count", [](const Value& v, SubRequest& r) { r.count = v.integer(); }},
    {"selectors",
     [](const Value& v, SubRequest& r) { v.each([&](const Value&) { r.selects = true; }); }},
    {"tolerations", [](const Value& v, SubRequest& r) { r.tolerations = read_tolerations(v); }},
};
constexpr Field<RawRequest> kRequest[] = {
    {"name", [](const Value& v, RawRequest& r) { r.request.name = v.string(); }},
    {"exactly", [](const Value& v, RawRequest& r) { read_fields(v, r, kExactly); }},
    {"firstAvailable",
     [](const Value& v, RawRequest& r) {
       v.each([&](const Value& e) {
         r.request.first_available = true;
         SubRequest& alternative = r.request.alternatives.emplace_back();
         alternative.mode = AllocationMode::exact_count;  // as the API server would have written
         read_fields(e, alternative, kAlternative);
       });
     }},
    kExactly[0],
    kExactly[1],
    kExactly[2],
    kExactly[3],
    kExactly[4],
    kExactly[5],
};

constexpr Field<DeviceResult> kResult[] = {
    {"request", [](const Value& v, DeviceResult& r) { r.request = v.string(); }},
    {"driver", [](const Value& v, DeviceResult& r) { r.driver = v.string(); }},
    {"pool", [](const Value& v, DeviceResult& r) { r.pool = v.string(); }},
    {"device", [](const Value& v, DeviceResult& r) { r.device = v.string(); }},
    {"shareID", [](const Value& v, DeviceResult& r) { r.share_id = v.string(); }},
    {"adminAccess", [](const Value& v, DeviceResult& r) { r.admin_access = v.boolean(); }},
    {"tolerations", [](const Value& v, DeviceResult& r) { r.tolerations = read_tolerations(v); }},
    {"consumedCapacity", [](const Value& v, DeviceResult& r) { r.consumed = read_amounts(v); }},
    {"bindingConditions",
     [](const Value& v, DeviceResult& r) { r.binding_conditions = read_strings(v); }},
    {"bindingFailureConditions",
     [](const Value& v, DeviceResult& r) { r.binding_failures = read_strings(v); }},
};
constexpr Field<Allocation> kAllocationDevices[] = {
    {"results",
     [](const Value& v, Allocation& a) {
       v.each([&](const Value& e) { read_fields(e, a.results.emplace_back(), kResult); });
     }},
};
constexpr Field<Allocation> kAllocation[] = {
    {"devices", [](const Value& v, Allocation& a) { read_fields(v, a, kAllocationDevices); }},
    {"nodeSelector",
     [](const Value& v, Allocation& a) { a.node_selector = read_node_selector(v); }},
    {"allocationTimestamp", [](const Value& v, Allocation& a) { a.at = v.timestamp(); }},
};

constexpr Field<Consumer> kConsumer[] = {
    {"apiGroup", [](const Value& v, Consumer& c) { c.api_group = v.string(); }},
    {"resource", [](const Value& v, Consumer& c) { c.resource = v.string(); }},
    {"name", [](const Value& v, Consumer& c) { c.name = v.string(); }},
    {"uid", [](const Value& v, Consumer& c) { c.uid = v.string(); }},
};

constexpr Field<DeviceStatus> kDeviceStatus[] = {
    {"driver", [](const Value& v, DeviceStatus& s) { s.driver = v.string(); }},
    {"pool", [](const Value& v, DeviceStatus& s) { s.pool = v.string(); }},
    {"device", [](const Value& v, DeviceStatus& s) { s.device = v.string(); }},
    {"shareID", [](const Value& v, DeviceStatus& s) { s.share_id = v.string(); }},
    {"conditions", [](const Value& v, DeviceStatus& s) { s.conditions = read_conditions(v); }},
};

// v1.31 and older name the controller of classic DRA in the spec or in the allocation.
void read_controller(const Value& v, ResourceClaim& c) {
  if (const std::string_view name = v.string(); !name.empty()) c.controller = name;
}
constexpr Field<ResourceClaim> kClassicAllocation[] = {{"controller", read_controller}};

constexpr Field<ResourceClaim> kDevices[] = {
    {"constraints",
     [](const Value& v, ResourceClaim& c) { v.each([&](const Value&) { ++c.constraints; }); }},
    {"requests",
     [](const Value& v, ResourceClaim& c) {
       v.each([&](const Value& e) {
         RawRequest raw;
         read_fields(e, raw, kRequest);
         DeviceRequest& r = raw.request;
         // Where nothing says how many, the API server would have said: exactly one.
         if (!raw.has_mode && !r.first_available) r.mode = AllocationMode::exact_count;
         c.requests.push_back(r);
       });
     }},
};
constexpr Field<ResourceClaim> kClaimSpec[] = {
    {"devices", [](const Value& v, ResourceClaim& c) { read_fields(v, c, kDevices); }},
    {"controller", read_controller},
};
constexpr Field<ResourceClaim> kClaimStatus[] = {
    {"allocation",
     [](const Value& v, ResourceClaim& c) {
       c.allocation = read_allocation(v);
       read_fields(v, c, kClassicAllocation);
     }},
    {"deallocationRequested",
     [](const Value& v, ResourceClaim& c) { c.deallocation_requested = v.boolean(); }},
    {"devices",
     [](const Value& v, ResourceClaim& c) {
       v.each([&](const Value& e) {
         read_fields(e, c.device_statuses.emplace_back(), kDeviceStatus);
       });
     }},
    {"reservedFor",
     [](const Value& v, ResourceClaim& c) {
       v.each([&](const Value& e) { read_fields(e, c.reserved_for.emplace_back(), kConsumer); });
     }},
};
constexpr Field<ResourceClaim> kClaim[] = {
    {"metadata",
     [](const Value& v, ResourceClaim& c) {
       const ReadMeta m = read_meta(v);
       c.meta = m.meta;
       c.owners = m.owners;
       c.delete_protection = m.delete_protection;
       c.pod_claim_name = find(m.annotations, "resource.kubernetes.io/pod-claim-name").value_or("");
       c.extended_resource =
           find(m.annotations, "resource.kubernetes.io/extended-resource-claim") ==
           std::string_view{"true"};
     }},
    {"spec", [](const Value& v, ResourceClaim& c) { read_fields(v, c, kClaimSpec); }},
    {"status", [](const Value& v, ResourceClaim& c) { read_fields(v, c, kClaimStatus); }},
};

}  // namespace

std::optional<Allocation> read_allocation(const Value& allocation) {
  if (allocation.is_null()) return std::nullopt;
  Allocation out;
  read_fields(allocation, out, kAllocation);
  return out;
}

ResourceClaim read_claim(const Value& object) {
  ResourceClaim out;
  read_fields(object, out, kClaim);
  if (!out.allocation) return out;
  // v1.31 has adminAccess on the request only. "main/sub" names an alternative of "main".
  for (DeviceResult& result : out.allocation->results) {
    const std::string_view name = result.request.substr(0, result.request.find('/'));
    for (const DeviceRequest& request : out.requests) {
      if (request.name != name) continue;
      if (request.admin_access) result.admin_access = true;
      // Before 1.34 the scheduler did not always copy them (kubernetes#134434).
      if (result.tolerations.empty()) result.tolerations = request.tolerations;
    }
  }
  return out;
}

}  // namespace draudit
