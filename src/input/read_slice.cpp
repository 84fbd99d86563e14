#include "input/records.hpp"

// What drivers publish, and what taints it.
namespace draudit {
namespace {

constexpr Field<ResourceSlice> kPool[] = {
    {"name", [](const Value& v, ResourceSlice& s) { s.pool = v.string(); }},
    {"generation", [](const Value& v, ResourceSlice& s) { s.generation = v.integer(); }},
    {"resourceSliceCount", [](const Value& v, ResourceSlice& s) { s.slice_count = v.integer(); }},
};

struct RawDevice {
  PublishedDevice device;
  DeviceDetails details;
  bool detailed = false;
};

/// Attributes are one-of values; only texts are of interest. Names without a domain are of the
/// driver's own; the domain is written out by some.
struct AttributeText {
  std::string_view text;
};
constexpr Field<AttributeText> kAttribute[] = {
    {"string", [](const Value& v, AttributeText& a) { a.text = v.string(); }},
};
struct AttributeRow {
  std::string_view name;
  std::string_view PublishedDevice::*into;
};
constexpr AttributeRow kAttributes[] = {
    {"uuid", &PublishedDevice::uuid},
    {"parentUUID", &PublishedDevice::parent_uuid},
    {"pciBusID", &PublishedDevice::pci_bus_id},
};
void read_attributes(const Value& attributes, RawDevice& d) {
  attributes.members([&](std::string_view key, const Value& v) {
    ++d.device.attributes;
    const std::string_view name = key.substr(key.rfind('/') + 1);
    for (const AttributeRow& row : kAttributes) {
      if (row.name != name) continue;
      AttributeText a;
      read_fields(v, a, kAttribute);
      d.device.*row.into = a.text;
    }
  });
}

constexpr Field<CounterSet> kConsumed[] = {
    {"counterSet", [](const Value& v, CounterSet& c) { c.name = v.string(); }},
    {"counters", [](const Value& v, CounterSet& c) { c.counters = read_wrapped_amounts(v); }},
};
constexpr Field<CounterSet> kCounterSet[] = {
    {"name", [](const Value& v, CounterSet& c) { c.name = v.string(); }},
    {"counters", [](const Value& v, CounterSet& c) { c.counters = read_wrapped_amounts(v); }},
};

// v1alpha3 and v1beta1 wrap the members of a device in `basic`.
constexpr Field<RawDevice> kBasic[] = {
    {"attributes", read_attributes},
    {"capacity",
     [](const Value& v, RawDevice& d) {
       d.details.capacity = read_wrapped_amounts(v);
       d.device.attributes += static_cast<std::uint16_t>(d.details.capacity.size());
     }},
    {"allowMultipleAllocations",
     [](const Value& v, RawDevice& d) { d.device.shareable = v.boolean(); }},
    {"consumesCounters",
     [](const Value& v, RawDevice& d) {
       v.each([&](const Value& e) {
         read_fields(e, d.details.consumes.emplace_back(), kConsumed);
         d.detailed = true;
       });
     }},
    {"taints",
     [](const Value& v, RawDevice& d) {
       d.details.taints = read_taints(v);
       d.detailed = d.detailed || !d.details.taints.empty();
     }},
    {"nodeName",
     [](const Value& v, RawDevice& d) {
       d.details.node = v.string();
       d.detailed = d.detailed || !d.details.node.empty();
     }},
    {"nodeSelector",
     [](const Value& v, RawDevice& d) {
       d.details.node_selector = read_node_selector(v);
       d.detailed = d.detailed || d.details.node_selector.has_value();
     }},
    {"allNodes",
     [](const Value& v, RawDevice& d) {
       d.details.all_nodes = v.boolean();
       d.detailed = d.detailed || d.details.all_nodes;
     }},
    {"bindsToNode",
     [](const Value& v, RawDevice& d) {
       d.details.binds_to_node = v.boolean();
       d.detailed = d.detailed || d.details.binds_to_node;
     }},
};
constexpr Field<RawDevice> kName[] = {
    {"name", [](const Value& v, RawDevice& d) { d.device.name = v.string(); }},
    {"basic", [](const Value& v, RawDevice& d) { read_fields(v, d, kBasic); }},
};

PublishedDevice read_device(const Value& object) {
  RawDevice raw;
  read_fields(object, raw, kName);
  read_fields(object, raw, kBasic);
  // The capacity of a device that one claim takes whole is of no use to anybody.
  if (!raw.device.shareable) raw.details.capacity.clear();
  if (raw.detailed || !raw.details.capacity.empty()) {
    raw.device.details = std::make_shared<const DeviceDetails>(std::move(raw.details));
  }
  return std::move(raw.device);
}

constexpr Field<ResourceSlice> kSliceSpec[] = {
    {"driver", [](const Value& v, ResourceSlice& s) { s.driver = v.string(); }},
    {"pool", [](const Value& v, ResourceSlice& s) { read_fields(v, s, kPool); }},
    {"nodeName", [](const Value& v, ResourceSlice& s) { s.node = v.string(); }},
    {"nodeSelector",
     [](const Value& v, ResourceSlice& s) { s.node_selector = read_node_selector(v); }},
    {"allNodes", [](const Value& v, ResourceSlice& s) { s.all_nodes = v.boolean(); }},
    {"perDeviceNodeSelection",
     [](const Value& v, ResourceSlice& s) { s.per_device_nodes = v.boolean(); }},
    {"sharedCounters",
     [](const Value& v, ResourceSlice& s) {
       v.each([&](const Value& e) { read_fields(e, s.counter_sets.emplace_back(), kCounterSet); });
     }},
    {"devices",
     [](const Value& v, ResourceSlice& s) {
       v.each([&](const Value& e) { s.devices.push_back(read_device(e)); });
       s.devices.shrink_to_fit();
     }},
};
constexpr Field<ResourceSlice> kSlice[] = {
    {"metadata", [](const Value& v, ResourceSlice& s) { s.meta = read_meta(v).meta; }},
    {"spec", [](const Value& v, ResourceSlice& s) { read_fields(v, s, kSliceSpec); }},
};

constexpr Field<DeviceTaintRule> kDeviceSelector[] = {
    {"driver", [](const Value& v, DeviceTaintRule& r) { r.driver = v.string(); }},
    {"pool", [](const Value& v, DeviceTaintRule& r) { r.pool = v.string(); }},
    {"device", [](const Value& v, DeviceTaintRule& r) { r.device = v.string(); }},
    // Of 1.33 and 1.34: which devices these choose can't be told from a dump.
    {"deviceClassName",
     [](const Value& v, DeviceTaintRule& r) { r.evaluable = r.evaluable && v.string().empty(); }},
    {"selectors", [](const Value& v,
                     DeviceTaintRule& r) { v.each([&](const Value&) { r.evaluable = false; }); }},
};
constexpr Field<DeviceTaintRule> kTaintRuleSpec[] = {
    {"deviceSelector",
     [](const Value& v, DeviceTaintRule& r) {
       r.selects = !v.is_null();
       read_fields(v, r, kDeviceSelector);
     }},
    {"taint", [](const Value& v, DeviceTaintRule& r) { r.taint = read_taint(v); }},
};
constexpr Field<DeviceTaintRule> kTaintRule[] = {
    {"metadata", [](const Value& v, DeviceTaintRule& r) { r.meta = read_meta(v).meta; }},
    {"spec", [](const Value& v, DeviceTaintRule& r) { read_fields(v, r, kTaintRuleSpec); }},
};

}  // namespace

ResourceSlice read_slice(const Value& object) { return read_object(object, kSlice); }

DeviceTaintRule read_taint_rule(const Value& object) { return read_object(object, kTaintRule); }

}  // namespace draudit
