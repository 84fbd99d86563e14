// Fields of the objects, in the spelling of each API version.
#include <doctest/doctest.h>

#include "draudit/input.hpp"
#include "support/memory_io.hpp"

namespace draudit {
namespace {

Snapshot read_text(const std::string& text) {
  test::MemoryIo world;
  world.in.text = text;
  Io io = world.io();
  ReadOptions options;
  options.paths = {"-"};
  Snapshot s = read(options, io);
  for (const Problem& p : s.problems) FAIL_CHECK(p.field << ": " << p.message);
  return s;
}

const std::string kDeviceMembers =
    R"("attributes":{"uuid":{"string":"GPU-1"},"resource.kubernetes.io/pciBusID":{"string":"0000:01:00.0"},"cores":{"int":4}},)"
    R"("consumesCounters":[{"counterSet":"gpu-0","counters":{"slices":{"value":"2"}}}],)"
    R"("taints":[{"key":"lost","effect":"NoExecute","timeAdded":"2026-12-01T00:00:00Z"}],)"
    R"("allowMultipleAllocations":true,"nodeName":"atlas","bindsToNode":true)";

void check_device(const Snapshot& s) {
  REQUIRE(s.slices.size() == 1);
  REQUIRE(s.slices[0].devices.size() == 1);
  const PublishedDevice& d = s.slices[0].devices[0];
  CHECK(d.name == "gpu-0");
  CHECK(d.uuid == "GPU-1");
  CHECK(d.pci_bus_id == "0000:01:00.0");
  CHECK(d.shareable);
  CHECK(d.attributes == 4);
  REQUIRE(d.details);
  CHECK(find(d.details->capacity, "memory") == Quantity::parse("80Gi"));
  REQUIRE(d.details->consumes.size() == 1);
  CHECK(d.details->consumes[0].name == "gpu-0");
  CHECK(find(d.details->consumes[0].counters, "slices") == Quantity::of(2));
  REQUIRE(d.details->taints.size() == 1);
  CHECK(d.details->taints[0].effect == TaintEffect::no_execute);
  CHECK(d.details->taints[0].added == parse_timestamp("2026-12-01T00:00:00Z"));
  CHECK(d.details->node == "atlas");
  CHECK(d.details->binds_to_node);
}

std::string slice(std::string_view version, std::string_view device) {
  return R"({"apiVersion":"resource.k8s.io/)" + std::string{version} +
         R"(","kind":"ResourceSlice","metadata":{"name":"s"},"spec":{"driver":"gpu.example.com",)"
         R"("pool":{"name":"p","generation":1,"resourceSliceCount":1},"perDeviceNodeSelection":true,)"
         R"("sharedCounters":[{"name":"gpu-0","counters":{"slices":{"value":"7"}}}],"devices":[)" +
         std::string{device} + "]}}";
}

}  // namespace

TEST_CASE("a device of a slice: flat, in `basic`, and with capacities as plain texts") {
  SUBCASE("v1") {
    check_device(
        read_text(slice("v1", R"({"name":"gpu-0","capacity":{"memory":{"value":"80Gi"}},)" +
                                  kDeviceMembers + "}")));
  }
  SUBCASE("v1beta1") {
    check_device(read_text(
        slice("v1beta1", R"({"name":"gpu-0","basic":{"capacity":{"memory":{"value":"80Gi"}},)" +
                             kDeviceMembers + "}}")));
  }
  SUBCASE("v1alpha3") {
    check_device(
        read_text(slice("v1alpha3", R"({"name":"gpu-0","basic":{"capacity":{"memory":"80Gi"},)" +
                                        kDeviceMembers + "}}")));
  }
}

TEST_CASE("a plain device has no details") {
  const Snapshot s = read_text(slice(
      "v1",
      R"({"name":"gpu-0","capacity":{"memory":{"value":"80Gi"}},"taints":[],"nodeName":""})"));
  REQUIRE(s.slices.size() == 1);
  CHECK_FALSE(s.slices[0].devices[0].details);
  CHECK(s.slices[0].per_device_nodes);
  REQUIRE(s.slices[0].counter_sets.size() == 1);
  CHECK(find(s.slices[0].counter_sets[0].counters, "slices") == Quantity::of(7));
}

TEST_CASE("a claim: its allocation, who may use it, what its driver says") {
  const Snapshot s = read_text(
      R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"c","namespace":"voice",)"
      R"("finalizers":["resource.kubernetes.io/delete-protection"]},"spec":{"devices":{"constraints":[{},{}],)"
      R"("requests":[{"name":"a","firstAvailable":[{"name":"big","deviceClassName":"gpu","count":2,)"
      R"("selectors":[{}]}]},{"name":"b","exactly":{"deviceClassName":"gpu","selectors":[{}],)"
      R"("tolerations":[{"key":"lost","operator":"Exists","effect":"NoExecute","tolerationSeconds":30}]}}]}},)"
      R"("status":{"allocation":{"allocationTimestamp":"2026-12-01T00:00:00Z","nodeSelector":)"
      R"({"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["atlas"]}]}]},)"
      R"("devices":{"results":[{"request":"b","driver":"d","pool":"p","device":"gpu-0","shareID":"s",)"
      R"("consumedCapacity":{"memory":"10Gi"},"bindingConditions":["attached"],)"
      R"("bindingFailureConditions":["failed"],"adminAccess":null}]}},)"
      R"("devices":[{"driver":"d","pool":"p","device":"gpu-0","conditions":[{"type":"Ready","status":"False",)"
      R"("reason":"Lost","lastTransitionTime":"2026-12-01T00:00:01Z"}]},{"driver":"d","conditions":null}]}})");
  REQUIRE(s.claims.size() == 1);
  const ResourceClaim& c = s.claims[0];
  CHECK(c.delete_protection);
  CHECK(c.constraints == 2);
  REQUIRE(c.requests.size() == 2);
  CHECK(c.requests[0].first_available);
  REQUIRE(c.requests[0].alternatives.size() == 1);
  CHECK(c.requests[0].alternatives[0].count == 2);
  CHECK(c.requests[0].alternatives[0].selects);
  CHECK(c.requests[0].alternatives[0].mode == AllocationMode::exact_count);
  CHECK_FALSE(c.requests[0].selects);
  CHECK(c.requests[1].selects);
  REQUIRE(c.allocation);
  REQUIRE(c.allocation->node_selector);
  CHECK(c.allocation->node_selector->at(0).fields.at(0).values.at(0) == "atlas");
  CHECK(c.allocation->at == parse_timestamp("2026-12-01T00:00:00Z"));
  const DeviceResult& r = c.allocation->results.at(0);
  CHECK(find(r.consumed, "memory") == Quantity::parse("10Gi"));
  CHECK(r.binding_conditions == std::vector<std::string_view>{"attached"});
  CHECK(r.binding_failures == std::vector<std::string_view>{"failed"});
  // Copied from the request, where the result lacks them.
  REQUIRE(r.tolerations.size() == 1);
  CHECK(r.tolerations[0].seconds == 30);
  CHECK(r.tolerations[0].exists);
  REQUIRE(c.device_statuses.size() == 2);
  CHECK(c.device_statuses[0].conditions.at(0).reason == "Lost");
  CHECK(s.newest == parse_timestamp("2026-12-01T00:00:01Z"));
}

TEST_CASE("a claim of classic DRA names its controller, in the spec or in the allocation") {
  for (
      const std::string body :
      {R"("spec":{"controller":"old.example.com"},"status":{"deallocationRequested":true})",
       R"("status":{"deallocationRequested":true,"allocation":{"controller":"old.example.com"}})"}) {
    const Snapshot s = read_text(
        R"({"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"c"},)" +
        body + "}");
    REQUIRE(s.claims.size() == 1);
    CHECK(s.claims[0].controller == "old.example.com");
    CHECK(s.claims[0].deallocation_requested);
  }
}

TEST_CASE("a pod: claims of its containers, its group, its own requests, when it ended") {
  const std::string body =
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"tts","namespace":"voice"},"spec":{)"
      R"("overhead":{"cpu":"10m"},"resources":{"requests":{"cpu":"2"}},"schedulingGroup":{"podGroupName":"g"},)"
      R"("initContainers":[{"name":"i","resources":{"claims":[{"name":"gpu"}]}}],)"
      R"("containers":[{"name":"a","resources":{"claims":[{"name":"gpu","request":"r"}]}}]},"status":{)"
      R"("containerStatuses":[{"state":{"terminated":{"finishedAt":"2026-12-01T00:00:05Z"}},)"
      R"("allocatedResourcesStatus":[{"name":"claim:gpu","resources":[{"resourceID":"gpu-0","health":"Unhealthy"},)"
      R"({"resourceID":"gpu-1","health":"Healthy"}]}]}],"phase":")";
  const Snapshot s = read_text(body + "Succeeded\"}}");
  REQUIRE(s.pods.size() == 1);
  const Pod& p = s.pods[0];
  CHECK(find(p.overhead, "cpu") == Quantity::parse("10m"));
  CHECK(find(p.pod_level, "cpu") == Quantity::of(2));
  CHECK(p.pod_group == "g");
  REQUIRE(p.container_claims.size() == 2);
  CHECK(p.container_claims[1].request == "r");
  CHECK(p.unhealthy == std::vector<std::string_view>{"gpu-0"});
  CHECK(p.ended == parse_timestamp("2026-12-01T00:00:05Z"));
  CHECK_FALSE(read_text(body + "Running\"}}").pods.at(0).ended);
}

TEST_CASE("nodes, namespaces, pod groups and taint rules") {
  const Snapshot s = read_text(
      R"([{"apiVersion":"v1","kind":"Node","metadata":{"name":"atlas"},"spec":{"unschedulable":true,)"
      R"("taints":[{"key":"k","value":"v","effect":"NoSchedule"}]},"status":{"conditions":[)"
      R"({"type":"Ready","status":"Unknown"}]}},)"
      R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"ops","labels":)"
      R"({"resource.kubernetes.io/admin-access":"true"}}},)"
      R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"web"}},)"
      R"({"apiVersion":"scheduling.k8s.io/v1alpha2","kind":"PodGroup","metadata":{"name":"g","namespace":"voice"},)"
      R"("spec":{"resourceClaims":[{"name":"gpu","resourceClaimTemplateName":"t"}]},)"
      R"("status":{"resourceClaimStatuses":[{"name":"gpu","resourceClaimName":"g-gpu-1"}]}},)"
      R"({"apiVersion":"resource.k8s.io/v1alpha3","kind":"DeviceTaintRule","metadata":{"name":"all"},)"
      R"("spec":{"deviceSelector":{},"taint":{"key":"off","effect":"NoExecute"}}},)"
      R"({"apiVersion":"resource.k8s.io/v1alpha3","kind":"DeviceTaintRule","metadata":{"name":"by-class"},)"
      R"("spec":{"deviceSelector":{"deviceClassName":"gpu","driver":"d"},"taint":{"key":"off","effect":"Later"}}},)"
      R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceTaintRule","metadata":{"name":"none"},"spec":{"taint":{"key":"off"}}}])");
  CHECK(s.nodes.at(0).unschedulable);
  CHECK(s.nodes.at(0).not_ready);
  CHECK(s.nodes.at(0).taints.at(0).effect == TaintEffect::no_schedule);
  REQUIRE(s.namespaces.size() == 2);
  CHECK(s.namespaces[0].admin_access);
  CHECK_FALSE(s.namespaces[1].admin_access);
  CHECK(s.pod_groups.at(0).claims.at(0).from_template == "t");
  CHECK(s.pod_groups.at(0).claim_statuses.at(0).claim == "g-gpu-1");
  REQUIRE(s.taint_rules.size() == 3);
  CHECK(s.taint_rules[0].selects);
  CHECK(s.taint_rules[0].evaluable);
  CHECK(s.taint_rules[0].driver.empty());
  CHECK_FALSE(s.taint_rules[1].evaluable);
  CHECK(s.taint_rules[1].driver == "d");
  CHECK(s.taint_rules[1].taint.effect == TaintEffect::unknown);
  CHECK_FALSE(s.taint_rules[2].selects);
}

}  // namespace draudit
