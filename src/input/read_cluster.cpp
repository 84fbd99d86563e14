#include "input/records.hpp"

// The small kinds: nodes, slices, classes, bind requests.
namespace draudit {
namespace {

constexpr Field<Node> kNodeStatus[] = {
    {"allocatable", [](const Value& v, Node& n) { n.allocatable = read_amounts(v); }},
    {"capacity", [](const Value& v, Node& n) { n.capacity = read_amounts(v); }},
    {"conditions", [](const Value& v, Node&) { note_condition_times(v); }},
};
constexpr Field<Node> kNode[] = {
    {"metadata",
     [](const Value& v, Node& n) {
       ReadMeta m = read_meta(v);
       n.meta = m.meta;
       n.labels = std::move(m.labels);
     }},
    {"status", [](const Value& v, Node& n) { read_fields(v, n, kNodeStatus); }},
};

constexpr Field<ResourceSlice> kPool[] = {
    {"name", [](const Value& v, ResourceSlice& s) { s.pool = v.string(); }},
    {"generation", [](const Value& v, ResourceSlice& s) { s.generation = v.integer(); }},
    {"resourceSliceCount", [](const Value& v, ResourceSlice& s) { s.slice_count = v.integer(); }},
};
/// Attributes are one-of values; only texts are of interest. Names without a domain are of the
/// driver's own; the domain is written out by some.
struct AttributeText {
  std::string_view text;
};
constexpr Field<AttributeText> kAttribute[] = {
    {"string", [](const Value& v, AttributeText& a) { a.text = v.string(); }},
};
void read_attributes(const Value& attributes, PublishedDevice& d) {
  attributes.members([&](std::string_view key, const Value& v) {
    const std::string_view name = key.substr(key.rfind('/') + 1);
    if (name != "uuid" && name != "parentUUID") return;
    AttributeText a;
    read_fields(v, a, kAttribute);
    (name == "uuid" ? d.uuid : d.parent_uuid) = a.text;
  });
}

// v1alpha3 and v1beta1 wrap the members of a device in `basic`.
constexpr Field<PublishedDevice> kBasic[] = {
    {"attributes", [](const Value& v, PublishedDevice& d) { read_attributes(v, d); }},
};
constexpr Field<PublishedDevice> kDevice[] = {
    {"name", [](const Value& v, PublishedDevice& d) { d.name = v.string(); }},
    {"basic", [](const Value& v, PublishedDevice& d) { read_fields(v, d, kBasic); }},
    {"attributes", [](const Value& v, PublishedDevice& d) { read_attributes(v, d); }},
};
constexpr Field<ResourceSlice> kSliceSpec[] = {
    {"driver", [](const Value& v, ResourceSlice& s) { s.driver = v.string(); }},
    {"pool", [](const Value& v, ResourceSlice& s) { read_fields(v, s, kPool); }},
    {"nodeName", [](const Value& v, ResourceSlice& s) { s.node = v.string(); }},
    {"allNodes", [](const Value& v, ResourceSlice& s) { s.all_nodes = v.boolean(); }},
    {"devices",
     [](const Value& v, ResourceSlice& s) {
       v.each([&](const Value& e) { read_fields(e, s.devices.emplace_back(), kDevice); });
     }},
};
constexpr Field<ResourceSlice> kSlice[] = {
    {"metadata", [](const Value& v, ResourceSlice& s) { s.meta = read_meta(v).meta; }},
    {"spec", [](const Value& v, ResourceSlice& s) { read_fields(v, s, kSliceSpec); }},
};

constexpr Field<DeviceClass> kClassSpec[] = {
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

template <class T, std::size_t N>
T read_with(const Value& object, const Field<T> (&table)[N]) {
  T out;
  read_fields(object, out, table);
  return out;
}

}  // namespace

Node read_node(const Value& object) { return read_with(object, kNode); }
ResourceSlice read_slice(const Value& object) { return read_with(object, kSlice); }
DeviceClass read_device_class(const Value& object) { return read_with(object, kClass); }
BindRequest read_bind_request(const Value& object) { return read_with(object, kBind); }

}  // namespace draudit
