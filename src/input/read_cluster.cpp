#include "input/records.hpp"

// The kinds of the cluster itself: nodes, namespaces, classes; and KAI's bind requests.
namespace draudit {
namespace {

constexpr Field<Node> kNodeStatus[] = {
    {"allocatable", [](const Value& v, Node& n) { n.allocatable = read_amounts(v); }},
    {"capacity", [](const Value& v, Node& n) { n.capacity = read_amounts(v); }},
    {"conditions",
     [](const Value& v, Node& n) {
       for (const Condition& c : read_conditions(v)) {
         if (c.type == "Ready") n.not_ready = c.status != "True";
       }
     }},
};
constexpr Field<Node> kNodeSpec[] = {
    {"taints", [](const Value& v, Node& n) { n.taints = read_taints(v); }},
    {"unschedulable", [](const Value& v, Node& n) { n.unschedulable = v.boolean(); }},
};
constexpr Field<Node> kNode[] = {
    {"metadata",
     [](const Value& v, Node& n) {
       ReadMeta m = read_meta(v);
       n.meta = m.meta;
       n.labels = std::move(m.labels);
     }},
    {"spec", [](const Value& v, Node& n) { read_fields(v, n, kNodeSpec); }},
    {"status", [](const Value& v, Node& n) { read_fields(v, n, kNodeStatus); }},
};

constexpr Field<DeviceClass> kClassSpec[] = {
    {"selectors",
     [](const Value& v, DeviceClass& c) { v.each([&](const Value&) { c.selects = true; }); }},
    {"extendedResourceName",
     [](const Value& v, DeviceClass& c) { c.extended_resource_name = v.string(); }},
};
constexpr Field<DeviceClass> kClass[] = {
    {"metadata", [](const Value& v, DeviceClass& c) { c.meta = read_meta(v).meta; }},
    {"spec", [](const Value& v, DeviceClass& c) { read_fields(v, c, kClassSpec); }},
};

constexpr Field<BoundAllocation> kBoundAllocation[] = {
    {"name", [](const Value& v, BoundAllocation& b) { b.name = v.string(); }},
    {"allocation", [](const Value& v, BoundAllocation& b) { b.allocation = read_allocation(v); }},
};
constexpr Field<BindRequest> kBindSpec[] = {
    {"podName", [](const Value& v, BindRequest& b) { b.pod = v.string(); }},
    {"selectedNode", [](const Value& v, BindRequest& b) { b.node = v.string(); }},
    {"selectedGPUGroups",
     [](const Value& v, BindRequest& b) {
       v.each([&](const Value& e) { b.gpu_groups.push_back(e.string()); });
     }},
    {"resourceClaimAllocations",
     [](const Value& v, BindRequest& b) {
       v.each(
           [&](const Value& e) { read_fields(e, b.allocations.emplace_back(), kBoundAllocation); });
     }},
    {"backoffLimit",
     [](const Value& v, BindRequest& b) {
       if (!v.is_null()) b.backoff_limit = v.integer();
     }},
};
constexpr Field<BindRequest> kBindStatus[] = {
    {"phase", [](const Value& v, BindRequest& b) { b.phase = v.string(); }},
    {"failedAttempts", [](const Value& v, BindRequest& b) { b.failed_attempts = v.integer(); }},
};
constexpr Field<BindRequest> kBind[] = {
    {"metadata", [](const Value& v, BindRequest& b) { b.meta = read_meta(v).meta; }},
    {"spec", [](const Value& v, BindRequest& b) { read_fields(v, b, kBindSpec); }},
    {"status", [](const Value& v, BindRequest& b) { read_fields(v, b, kBindStatus); }},
};

constexpr Field<Namespace> kNamespace[] = {
    {"metadata",
     [](const Value& v, Namespace& n) {
       const ReadMeta m = read_meta(v);
       n.meta = m.meta;
       // Of 1.34 and later, and of 1.33.
       for (const std::string_view label :
            {"resource.kubernetes.io/admin-access", "resource.k8s.io/admin-access"}) {
         if (find(m.labels, label) == std::string_view{"true"}) n.admin_access = true;
       }
     }},
};

constexpr Field<PodGroup> kPodGroupSpec[] = {
    {"resourceClaims", [](const Value& v, PodGroup& g) { g.claims = read_pod_claims(v); }},
};
constexpr Field<PodGroup> kPodGroupStatus[] = {
    {"resourceClaimStatuses",
     [](const Value& v, PodGroup& g) { g.claim_statuses = read_claim_statuses(v); }},
};
constexpr Field<PodGroup> kPodGroup[] = {
    {"metadata", [](const Value& v, PodGroup& g) { g.meta = read_meta(v).meta; }},
    {"spec", [](const Value& v, PodGroup& g) { read_fields(v, g, kPodGroupSpec); }},
    {"status", [](const Value& v, PodGroup& g) { read_fields(v, g, kPodGroupStatus); }},
};

}  // namespace

Node read_node(const Value& object) { return read_object(object, kNode); }
Namespace read_namespace(const Value& object) { return read_object(object, kNamespace); }
PodGroup read_pod_group(const Value& object) { return read_object(object, kPodGroup); }
DeviceClass read_device_class(const Value& object) { return read_object(object, kClass); }
BindRequest read_bind_request(const Value& object) { return read_object(object, kBind); }

}  // namespace draudit
