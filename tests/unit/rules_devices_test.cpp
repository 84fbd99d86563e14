// The rules about devices, pools and taints: each fires, and keeps silent on a near miss for each
// trap that it knows.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "draudit/result.hpp"
#include "support/state.hpp"

using namespace draudit;
using namespace draudit::test;

namespace {

constexpr const char* kFabric = "fabric.example.com";

enum class Say : std::uint8_t { nothing, note, warning, error };

struct Row {
  const char* rule;
  const char* what;
  Say say;
  Jsons objects;
  Certainty certainty = Certainty::certain;
  Given given = {};
};

Jsons operator+(Jsons a, const Jsons& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Json made(Json object, const std::string& at) {
  object["metadata"]["creationTimestamp"] = at;
  return object;
}
constexpr const char* kJustNow = "2026-11-30T23:59:30Z";  // half a minute before the dump
constexpr const char* kMinutes = "2026-11-30T23:57:00Z";  // three minutes
constexpr const char* kLongAgo = "2026-11-30T08:00:00Z";

/// A claim with these results, reserved for the pod of its name, and that pod.
Jsons used(const std::string& full, const Jsons& results, const Json& pod_patch = Json::object()) {
  const std::string name = full.substr(full.find('/') + 1);
  Json c = allocated(claim(full, {request()}), results);
  c["status"]["reservedFor"] =
      Json::array({{{"resource", "pods"}, {"name", name}, {"uid", "uid-" + full}}});
  return {c, pod(full, {name}, pod_patch)};
}

Json merged_into(Json object, const Json& patch) {
  object.merge_patch(patch);
  return object;
}

Json share(const std::string& device, const std::string& id, const std::string& amount = "10",
           const std::string& capacity = "memory") {
  Json out = result(device);
  out["shareID"] = id;
  out["consumedCapacity"] = {{capacity, amount}};
  return out;
}

Json device(const std::string& name, const Json& members = Json::object()) {
  Json out = {{"name", name}};
  out.merge_patch(members);
  return out;
}
Json slice_with(const Jsons& devices, const Json& patch = Json::object(),
                const std::string& name = "n1-slice", const std::string& driver = kGpuDriver) {
  Json out = slice("n1", {}, driver, patch);
  out["metadata"]["name"] = name;
  out["metadata"]["uid"] = "uid-" + name;
  out["spec"]["devices"] = Json(devices);
  return out;
}
Json text(const std::string& key, const std::string& value) {
  return {{"attributes", {{key, {{"string", value}}}}}};
}
Json shareable(const std::string& name, const std::string& memory = "20") {
  return device(
      name, {{"allowMultipleAllocations", true}, {"capacity", {{"memory", {{"value", memory}}}}}});
}
Json eats(const std::string& name, const std::string& amount, const std::string& set = "s0",
          const std::string& counter = "memory") {
  return device(
      name,
      {{"consumesCounters",
        Json::array({{{"counterSet", set}, {"counters", {{counter, {{"value", amount}}}}}}})}});
}
Json sets(const std::string& amount, const Names& names = {"s0"}) {
  Json out = {{"spec", {{"sharedCounters", Json::array()}}}};
  for (const std::string& n : names) {
    out["spec"]["sharedCounters"].push_back(
        {{"name", n}, {"counters", {{"memory", {{"value", amount}}}}}});
  }
  return out;
}
Json in_pool(const std::string& pool, int generation = 1, int count = 1) {
  return {
      {"spec",
       {{"pool", {{"name", pool}, {"generation", generation}, {"resourceSliceCount", count}}}}}};
}
Json taint(const std::string& effect, const std::string& at = kLongAgo) {
  return {{"taints",
           Json::array(
               {{{"key", "broken"}, {"value", "yes"}, {"effect", effect}, {"timeAdded", at}}})}};
}
Json tolerating(Json row, const Json& toleration) {
  row["tolerations"] = Json::array({toleration});
  return row;
}
Json taint_rule(const Json& selector, const std::string& effect) {
  return {{"apiVersion", "resource.k8s.io/v1"},
          {"kind", "DeviceTaintRule"},
          {"metadata", metadata("rule")},
          {"spec", {{"deviceSelector", selector}, {"taint", {{"key", "k"}, {"effect", effect}}}}}};
}
Json status_of(const std::string& device, const std::string& type, const std::string& status,
               const std::string& at = kLongAgo, const std::string& driver = kGpuDriver) {
  const Json condition = {{"type", type}, {"status", status}, {"lastTransitionTime", at}};
  return {{"status",
           {{"devices", Json::array({{{"driver", driver},
                                      {"pool", "n1"},
                                      {"device", device},
                                      {"conditions", Json::array({condition})}}})}}}};
}
Json binding(const std::string& device) {
  Json out = result(device);
  out["bindingConditions"] = {"attached"};
  out["bindingFailureConditions"] = {"failed"};
  return out;
}
Jsons waiting(const std::string& allocated_at, const Json& status, bool bound = false) {
  Jsons out = used("a/c", {binding("d0")}, bound ? Json::object() : pending());
  out.front()["status"]["allocation"]["allocationTimestamp"] = allocated_at;
  out.front().merge_patch(status);
  return Jsons{node("n1"), slice("n1", {"d0"})} + out;
}

Given partial() {
  Given out;
  out.complete = false;
  return out;
}

const Json kAdminRow = result("d0", kGpuDriver, "n1", true);
const Jsons kNode = {node("n1"), slice("n1", {"d0", "d1"})};

std::vector<Row> device_rows() {
  const Json unready = status_of("d0", "Ready", "False");
  const Json no_status = Json::object();
  const Json exists = {{"key", "broken"}, {"operator", "Exists"}};
  Jsons several =
      used("a/x", {result("d0"), result("d1")}) + used("a/y", {result("d0"), result("d1")});
  const Json mig_parent = device("gpu-0", text("uuid", "U"));
  const Json mig_child = device("gpu-0-mig-1", text("parentUUID", "U"));
  const auto mig = [](const std::string& a, const std::string& b) {
    return used("a/x", {result(a)}) + used("a/y", {result(b)});
  };
  const auto bus = [](const std::string& name) {
    return device(name, text("resource.kubernetes.io/pciBusID", "0:1"));
  };
  const auto both_books = [&](std::int64_t offered, const Json& labels, const Jsons& devices) {
    return Jsons{node("n1", offered, labels), slice_with(devices)} + used("a/x", {result("d0")}) +
           Jsons{pod("a/plugin", {}, asks(1))};
  };
  return {
      // DEV001
      {"device-allocated-twice", "two claims", Say::error,
       kNode + used("a/x", {result("d0")}) + used("b/y", {result("d0")})},
      {"device-allocated-twice", "twice in one claim", Say::error,
       kNode + used("a/x", {result("d0"), result("d0")})},
      {"device-allocated-twice", "reserved for nobody: it holds all the same", Say::error,
       kNode + used("a/x", {result("d0")}) + Jsons{claim_of("a/z", "d0")}},
      {"device-allocated-twice", "several devices, one cause", Say::error, kNode + several},
      {"device-allocated-twice", "fresh claims of one list are no doubt", Say::error,
       kNode + Jsons{made(claim_of("a/x", "d0"), kJustNow), claim_of("a/y", "d0")}},
      {"device-allocated-twice", "one claim of two pods", Say::nothing,
       kNode + Jsons{claim_of("a/c", "d0"), pod("a/p", {"c"}), pod("a/q", {"c"})}},
      {"device-allocated-twice", "admin access beside it", Say::nothing,
       kNode + used("a/x", {result("d0")}) + used("a/y", {kAdminRow})},
      {"device-allocated-twice", "admin access by the request alone, as in 1.31", Say::nothing,
       kNode + used("a/x", {result("d0")}) +
           Jsons{allocated(claim("a/y", {request(kGpuDriver, "All", 0, true)}), {result("d0")})}},
      {"device-allocated-twice", "shares", Say::nothing,
       kNode + used("a/x", {share("d0", "1")}) + used("a/y", {share("d0", "2")})},
      {"device-allocated-twice", "the same name in another pool", Say::nothing,
       kNode + used("a/x", {result("d0")}) + used("a/y", {result("d0", kGpuDriver, "n2")})},
      {"device-allocated-twice", "the same name of another driver", Say::nothing,
       kNode + used("a/x", {result("d0")}) + used("a/y", {result("d0", "dra.net")})},
      // DEV002
      {"device-dedicated-and-shared", "one whole, one share", Say::error,
       kNode + used("a/x", {result("d0")}) + used("a/y", {share("d0", "1")})},
      {"device-dedicated-and-shared", "two shares", Say::nothing,
       kNode + used("a/x", {share("d0", "2")}) + used("a/y", {share("d0", "1")})},
      {"device-dedicated-and-shared", "admin access and a share", Say::nothing,
       kNode + used("a/x", {kAdminRow}) + used("a/y", {share("d0", "1")})},
      {"device-dedicated-and-shared", "two whole: the other rule says it", Say::nothing,
       kNode + used("a/x", {result("d0")}) + used("a/z", {result("d0")}) +
           used("a/y", {share("d0", "1")})},
      // DEV003
      {"share-id-twice", "in two claims", Say::error,
       kNode + used("a/x", {share("d0", "1")}) + used("a/y", {share("d0", "1")})},
      {"share-id-twice", "on two devices", Say::nothing,
       kNode + used("a/x", {share("d0", "1")}) + used("a/y", {share("d1", "1")})},
      {"share-id-twice", "two ids", Say::nothing,
       kNode + used("a/x", {share("d0", "1")}) + used("a/y", {share("d0", "2")})},
      // DEV004
      {"share-of-unshareable-device", "the slice allows none", Say::warning,
       kNode + used("a/x", {share("d0", "1")}) + used("a/y", {share("d1", "2")})},
      {"share-of-unshareable-device", "allowed", Say::nothing,
       Jsons{node("n1"), slice_with({shareable("d0")})} + used("a/x", {share("d0", "1")})},
      {"share-of-unshareable-device", "not published at all", Say::nothing,
       Jsons{node("n1"), slice_with({shareable("d1")})} + used("a/x", {share("d0", "1")})},
      {"share-of-unshareable-device", "the older generation did not allow it", Say::nothing,
       Jsons{node("n1"), slice_with({shareable("d0")}, in_pool("n1", 2)),
             slice_with({device("d0")}, in_pool("n1", 1), "old")} +
           used("a/x", {share("d0", "1")})},
      // DEV005
      {"counters-overdrawn", "the whole and a part", Say::error,
       Jsons{node("n1"), slice_with({eats("gpu-0", "80Gi"), eats("part", "10Gi")}, sets("80Gi"))} +
           mig("gpu-0", "part")},
      {"counters-overdrawn", "two parts that fit, written differently", Say::nothing,
       Jsons{node("n1"),
             slice_with({eats("a", "40960Mi"), eats("b", "42949672960")}, sets("80Gi"))} +
           mig("a", "b")},
      {"counters-overdrawn", "shares of one device consume once", Say::nothing,
       Jsons{node("n1"), slice_with({merged_into(shareable("d0"), eats("d0", "50"))}, sets("80"))} +
           used("a/x", {share("d0", "1")}) + used("a/y", {share("d0", "2")})},
      {"counters-overdrawn", "admin access consumes nothing", Say::nothing,
       Jsons{node("n1"), slice_with({eats("d0", "80"), eats("d1", "80")}, sets("80"))} +
           used("a/x", {kAdminRow}) + used("a/y", {result("d1")})},
      {"counters-overdrawn", "sets of one name in two pools", Say::nothing,
       Jsons{node("n1"), slice_with({eats("d0", "80")}, sets("80")),
             slice_with({eats("d1", "80")}, merged(sets("80"), in_pool("other")), "other")} +
           used("a/x", {result("d0")}) + used("a/y", {result("d1", kGpuDriver, "other")})},
      {"counters-overdrawn", "the set of an older generation was smaller", Say::nothing,
       Jsons{node("n1"), slice_with({eats("d0", "80")}, merged(sets("80"), in_pool("n1", 2))),
             slice_with({eats("d0", "80")}, sets("40"), "old")} +
           used("a/x", {result("d0")})},
      {"counters-overdrawn", "an incomplete pool: at least that much", Say::error,
       Jsons{node("n1"), slice_with({eats("gpu-0", "80Gi"), eats("part", "10Gi")},
                                    merged(sets("80Gi"), in_pool("n1", 1, 2)))} +
           mig("gpu-0", "part"),
       Certainty::likely},
      {"counters-overdrawn", "a set that is there twice says nothing", Say::nothing,
       Jsons{node("n1"),
             slice_with({eats("gpu-0", "80"), eats("part", "10")}, sets("80", {"s0", "s0"}))} +
           mig("gpu-0", "part")},
      // DEV006
      {"device-and-part-in-use", "by parentUUID", Say::error,
       Jsons{node("n1"), slice_with({mig_parent, mig_child})} + mig("gpu-0", "gpu-0-mig-1")},
      {"device-and-part-in-use", "one uuid under two names", Say::error,
       Jsons{node("n1"),
             slice_with({device("x", text("uuid", "U")), device("y", text("uuid", "U"))})} +
           mig("x", "y")},
      {"device-and-part-in-use", "by names", Say::warning,
       Jsons{node("n1"), slice("n1", {"gpu-0", "gpu-0-mig-1"})} + mig("gpu-0", "gpu-0-mig-1"),
       Certainty::likely},
      {"device-and-part-in-use", "by PCI address", Say::warning,
       Jsons{node("n1"), slice_with({bus("gpu-0"), bus("gpu-vfio-0")})} +
           mig("gpu-0", "gpu-vfio-0"),
       Certainty::likely},
      {"device-and-part-in-use", "an incomplete pool", Say::error,
       Jsons{node("n1"), slice_with({mig_parent, mig_child}, in_pool("n1", 1, 2))} +
           mig("gpu-0", "gpu-0-mig-1"),
       Certainty::likely},
      {"device-and-part-in-use", "only the part is in use", Say::nothing,
       Jsons{node("n1"), slice_with({mig_parent, mig_child})} +
           used("a/x", {result("gpu-0-mig-1")})},
      {"device-and-part-in-use", "the whole by admin access", Say::nothing,
       Jsons{node("n1"), slice_with({mig_parent, mig_child})} +
           used("a/x", {result("gpu-0-mig-1")}) +
           used("a/y", {result("gpu-0", kGpuDriver, "n1", true)})},
      {"device-and-part-in-use", "two parts of one GPU", Say::nothing,
       Jsons{node("n1"), slice("n1", {"gpu-0", "gpu-0-mig-1", "gpu-0-mig-2"})} +
           mig("gpu-0-mig-1", "gpu-0-mig-2")},
      {"device-and-part-in-use", "parts share the PCI address", Say::nothing,
       Jsons{node("n1"), slice_with({bus("gpu-0-mig-1"), bus("gpu-0-mig-2")})} +
           mig("gpu-0-mig-1", "gpu-0-mig-2")},
      {"device-and-part-in-use", "uuids outdo names", Say::nothing,
       Jsons{node("n1"), slice_with({mig_parent, device("gpu-0-mig-1", text("parentUUID", "V"))})} +
           mig("gpu-0", "gpu-0-mig-1")},
      {"device-and-part-in-use", "the counters decide", Say::nothing,
       Jsons{node("n1"), slice_with({merged_into(mig_parent, eats("gpu-0", "40")),
                                     merged_into(mig_child, eats("gpu-0-mig-1", "10"))},
                                    sets("80"))} +
           mig("gpu-0", "gpu-0-mig-1")},
      {"device-and-part-in-use", "a fake's uuid on two nodes", Say::nothing,
       Jsons{node("n1"), node("n2"), slice_with({device("x", text("uuid", "U"))}),
             slice_with({device("x", text("uuid", "U"))},
                        merged({{"spec", {{"nodeName", "n2"}}}}, in_pool("n2")), "other")} +
           used("a/x", {result("x")}) + used("a/y", {result("x", kGpuDriver, "n2")})},
      // DEV007
      {"gpus-in-two-books", "more uses than the label says", Say::error,
       both_books(1, labelled("nvidia.com/gpu.count", "1"), {device("d0")})},
      {"gpus-in-two-books", "more uses than either offers", Say::error,
       both_books(1, Json::object(), {device("d0")}), Certainty::likely},
      {"gpus-in-two-books", "they may be different GPUs", Say::warning,
       both_books(2, labelled("nvidia.com/gpu.count", "2"), {device("d0"), device("d1")}),
       Certainty::possible},
      {"gpus-in-two-books", "slots of shared GPUs", Say::warning,
       both_books(
           1,
           merged(labelled("nvidia.com/gpu.count", "1"), labelled("nvidia.com/gpu.replicas", "4")),
           {device("d0")}),
       Certainty::possible},
      {"gpus-in-two-books", "a label below what is offered", Say::nothing,
       Jsons{node("n1", 4, labelled("nvidia.com/gpu.count", "1")), slice("n1", {"d0"})} +
           Jsons{pod("a/plugin", {}, asks(1))}},
      {"gpus-in-two-books", "allocatable 0: the plugin is gone", Say::nothing,
       both_books(0, {{"status", {{"allocatable", {{"nvidia.com/gpu", "0"}}}}}}, {device("d0")})},
      {"gpus-in-two-books", "compute domains are no GPUs", Say::nothing,
       Jsons{node("n1", 1), slice("n1", {"channel-0"}, "compute-domain.nvidia.com")} +
           used("a/x", {result("channel-0", "compute-domain.nvidia.com")}) +
           Jsons{pod("a/plugin", {}, asks(1))}},
      {"gpus-in-two-books", "vfio devices are for other pods", Say::nothing,
       Jsons{node("n1", 1), slice("n1", {"gpu-vfio-0"})} + used("a/x", {result("gpu-vfio-0")}) +
           Jsons{pod("a/plugin", {}, asks(1))}},
      {"gpus-in-two-books", "another vendor's", Say::nothing,
       Jsons{node("n1", 1), slice("n1", {"d0"}, "gpu.amd.com")} +
           used("a/x", {result("d0", "gpu.amd.com")}) + Jsons{pod("a/plugin", {}, asks(1))}},
      {"gpus-in-two-books", "the plugin's pod has ended", Say::nothing,
       Jsons{node("n1", 1), slice("n1", {"d0"})} + used("a/x", {result("d0")}) +
           Jsons{pod("a/plugin", {}, merged(asks(1), phase("Succeeded")))}},
      {"gpus-in-two-books", "admin access only", Say::nothing,
       Jsons{node("n1", 1), slice("n1", {"d0"})} + used("a/x", {kAdminRow}) +
           Jsons{pod("a/plugin", {}, asks(1))}},
      // DEV008
      {"capacity-overdrawn", "three shares of 10 in 20", Say::error,
       Jsons{node("n1"), slice_with({shareable("d0")})} + used("a/x", {share("d0", "1")}) +
           used("a/y", {share("d0", "2")}) + used("a/z", {share("d0", "3")})},
      {"capacity-overdrawn", "two fit", Say::nothing,
       Jsons{node("n1"), slice_with({shareable("d0")})} + used("a/x", {share("d0", "1")}) +
           used("a/y", {share("d0", "2")})},
      {"capacity-overdrawn", "quantities written differently", Say::nothing,
       Jsons{node("n1"), slice_with({shareable("d0", "20Gi")})} +
           used("a/x", {share("d0", "1", "10240Mi")}) +
           used("a/y", {share("d0", "2", "10737418240")})},
      {"capacity-overdrawn", "with and without the driver's domain", Say::error,
       Jsons{node("n1"), slice_with({shareable("d0")})} + used("a/x", {share("d0", "1", "15")}) +
           used("a/y", {share("d0", "2", "15", "gpu.nvidia.com/memory")})},
      {"capacity-overdrawn", "a negative share", Say::error,
       Jsons{node("n1"), slice_with({shareable("d0")})} + used("a/x", {share("d0", "1", "-1")})},
      {"capacity-overdrawn", "a name that the device lacks", Say::nothing,
       Jsons{node("n1"), slice_with({shareable("d0")})} +
           used("a/x", {share("d0", "1", "50", "cores")})},
      {"capacity-overdrawn", "shares of nothing", Say::nothing,
       Jsons{node("n1"), slice_with({shareable("d0", "0")})} +
           used("a/x", {share("d0", "1", "0")}) + used("a/y", {share("d0", "2", "0")})},
      // DEV009
      {"device-repeated-in-claim", "twice by admin access", Say::warning,
       kNode + used("a/x", {kAdminRow, kAdminRow})},
      {"device-repeated-in-claim", "in two claims", Say::nothing,
       kNode + used("a/x", {kAdminRow}) + used("a/y", {kAdminRow})},
      {"device-repeated-in-claim", "without admin access: the other rule", Say::nothing,
       kNode + used("a/x", {result("d0"), result("d0")})},
      // DEV010
      {"device-not-ready", "Ready is False", Say::warning,
       kNode + Jsons{merged_into(claim_of("a/x", "d0"), unready)}},
      {"device-not-ready", "just now", Say::warning,
       kNode +
           Jsons{merged_into(claim_of("a/x", "d0"), status_of("d0", "Ready", "False", kJustNow))},
       Certainty::possible},
      {"device-not-ready", "Unknown", Say::nothing,
       kNode + Jsons{merged_into(claim_of("a/x", "d0"), status_of("d0", "Ready", "Unknown"))}},
      {"device-not-ready", "another condition", Say::nothing,
       kNode + Jsons{merged_into(claim_of("a/x", "d0"), status_of("d0", "Busy", "False"))}},
      // DEV011
      {"binding-failed", "its pod is bound", Say::error,
       waiting(kLongAgo, status_of("d0", "failed", "True"), true)},
      {"binding-failed", "its pod is not bound", Say::warning,
       waiting(kLongAgo, status_of("d0", "failed", "True"))},
      {"binding-failed", "just now", Say::warning,
       waiting(kLongAgo, status_of("d0", "failed", "True", kJustNow)), Certainty::possible},
      {"binding-failed", "False", Say::nothing,
       waiting(kLongAgo, status_of("d0", "failed", "False"))},
      {"binding-failed", "a condition that nobody asked for", Say::nothing,
       waiting(kLongAgo, status_of("d0", "gone", "True"))},
      // DEV012
      {"binding-overdue", "since this morning", Say::warning, waiting(kLongAgo, no_status),
       Certainty::likely},
      {"binding-overdue", "for three minutes", Say::nothing, waiting(kMinutes, no_status)},
      {"binding-overdue", "met", Say::nothing,
       waiting(kLongAgo, status_of("d0", "attached", "True"))},
      {"binding-overdue", "bound", Say::nothing, waiting(kLongAgo, no_status, true)},
      {"binding-overdue", "failed: the other rule says it", Say::nothing,
       waiting(kLongAgo, status_of("d0", "failed", "True"))},
      // DEV013
      {"status-of-other-device", "not given to it", Say::error,
       kNode + Jsons{merged_into(claim_of("a/x", "d0"), status_of("d1", "Ready", "True"))}},
      {"status-of-other-device", "given to it", Say::nothing,
       kNode + Jsons{merged_into(claim_of("a/x", "d0"), status_of("d0", "Ready", "True"))}},
      // DEV014
      {"device-unhealthy", "Unhealthy", Say::warning,
       kNode + Jsons{pod("a/p", {}, Json::parse(R"({"status":{"containerStatuses":[{"name":"main",
         "allocatedResourcesStatus":[{"name":"claim:c","resources":[{"resourceID":"x",
         "health":"Unhealthy"}]}]}]}})"))}},
      {"device-unhealthy", "Unknown", Say::nothing,
       kNode + Jsons{pod("a/p", {}, Json::parse(R"({"status":{"containerStatuses":[{"name":"main",
         "allocatedResourcesStatus":[{"name":"claim:c","resources":[{"resourceID":"x",
         "health":"Unknown"}]}]}]}})"))}},
      {"device-unhealthy", "ended", Say::nothing,
       kNode + Jsons{pod("a/p", {}, Json::parse(R"({"status":{"phase":"Failed",
         "containerStatuses":[{"name":"main","allocatedResourcesStatus":[{"name":"claim:c",
         "resources":[{"resourceID":"x","health":"Unhealthy"}]}]}]}})"))}},
  };
}

std::vector<Row> slice_rows() {
  const Json kOther = slice("n1", {"x"}, kFabric);
  const auto held = [](const std::string& device) { return result(device, kFabric); };
  const auto fabric = [](const std::string& name, const Json& patch, const Names& devices = {"x"}) {
    Jsons out;
    for (const std::string& d : devices) out.push_back(device(d));
    return slice_with(out, patch, name, kFabric);
  };
  const auto on = [](const std::string& name) -> Json { return {{"spec", {{"nodeName", name}}}}; };
  const Json pinned_elsewhere = Json::parse(R"({"status":{"allocation":{"nodeSelector":{
    "nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In",
    "values":["gone"]}]}]}}}})");
  Jsons big;
  for (const std::string& d : numbered("d", 129)) big.push_back(device(d));
  Jsons many(big.begin(), big.begin() + 100);
  Jsons tainted = many;
  tainted.front() = device("d0", taint("None"));
  return {
      // SLC001
      {"device-unpublished", "left out", Say::warning,
       Jsons{node("n1"), kOther} + used("a/c", {held("y")})},
      {"device-unpublished", "no slice of the pool", Say::warning,
       Jsons{node("n1"), slice("n1", {"d0"})} + used("a/c", {held("y")})},
      {"device-unpublished", "dranet does so by design", Say::note,
       Jsons{node("n1"), slice("n1", {"x"}, "dra.net")} + used("a/c", {result("y", "dra.net")})},
      {"device-unpublished", "a claim of half a minute", Say::warning,
       Jsons{node("n1"), kOther, made(allocated(claim("a/c", {request()}), {held("y")}), kJustNow)},
       Certainty::possible},
      {"device-unpublished", "beside an older generation that had it", Say::warning,
       Jsons{node("n1"), fabric("new", in_pool("n1", 2)), fabric("old", in_pool("n1", 1), {"y"})} +
           used("a/c", {held("y")}),
       Certainty::likely},
      {"device-unpublished", "published", Say::nothing,
       Jsons{node("n1"), kOther} + used("a/c", {held("x")})},
      {"device-unpublished", "a GPU: device-withdrawn says it", Say::nothing,
       Jsons{node("n1"), slice("n1", {"d0"})} + used("a/c", {result("d1")})},
      {"device-unpublished", "no GPU of the node: slices-missing says it", Say::nothing,
       Jsons{node("n1")} + used("a/c", {result("d1")})},
      {"device-unpublished", "the pool is not whole", Say::nothing,
       Jsons{node("n1"), fabric("s", in_pool("n1", 1, 2))} + used("a/c", {held("y")})},
      {"device-unpublished", "its node is gone", Say::nothing,
       Jsons{node("n1"), kOther,
             merged_into(allocated(claim("a/c", {request()}), {result("y", kFabric, "gone")}),
                         pinned_elsewhere)}},
      {"device-unpublished", "its pods' node is missing", Say::nothing,
       Jsons{node("n1"), kOther} +
           used("a/c", {result("y", kFabric, "n2")}, {{"spec", {{"nodeName", "n2"}}}})},
      {"device-unpublished", "classic DRA", Say::nothing,
       Jsons{node("n1"), kOther,
             merged_into(allocated(claim("a/c", {request()}), {held("y")}),
                         {{"spec", {{"controller", "c.example.com"}}}})}},
      // SLC002
      {"pool-incomplete",
       "one of two",
       Say::warning,
       {node("n1"), pod("a/p"), fabric("s", in_pool("n1", 1, 2))}},
      {"pool-incomplete",
       "two of one, on one node",
       Say::warning,
       {node("n1"), pod("a/p"), fabric("s", in_pool("n1")), fabric("t", in_pool("n1"), {"y"})}},
      {"pool-incomplete",
       "made three minutes ago",
       Say::note,
       {node("n1"), pod("a/p"), made(fabric("s", in_pool("n1", 1, 2)), kMinutes)},
       Certainty::possible},
      {"pool-incomplete",
       "an older generation is there",
       Say::warning,
       {node("n1"), pod("a/p"), fabric("s", in_pool("n1", 2, 2)), fabric("o", in_pool("n1"))},
       Certainty::likely},
      {"pool-incomplete",
       "the older generation is not whole any more",
       Say::nothing,
       {node("n1"), pod("a/p"), fabric("s", in_pool("n1", 2)), fabric("o", in_pool("n1", 1, 2))}},
      {"pool-incomplete",
       "counts disagree: the other rule",
       Say::nothing,
       {node("n1"), pod("a/p"), fabric("s", in_pool("n1", 1, 3)),
        fabric("t", in_pool("n1", 1, 2), {"y"})}},
      {"pool-incomplete",
       "no count at all",
       Say::nothing,
       {node("n1"), pod("a/p"), fabric("s", in_pool("n1", 1, 0)),
        fabric("t", in_pool("n1", 1, 0), {"y"})}},
      // SLC003
      {"stale-generation",
       "this morning's",
       Say::warning,
       {node("n1"), pod("a/p"), fabric("s", in_pool("n1", 2)),
        made(fabric("o", in_pool("n1")), kLongAgo)},
       Certainty::likely},
      {"stale-generation",
       "of unknown age",
       Say::note,
       {node("n1"), pod("a/p"), fabric("s", in_pool("n1", 2)), fabric("o", in_pool("n1"))},
       Certainty::possible},
      {"stale-generation",
       "the newer one is three minutes old",
       Say::note,
       {node("n1"), pod("a/p"), made(fabric("s", in_pool("n1", 2)), kMinutes),
        made(fabric("o", in_pool("n1")), kLongAgo)},
       Certainty::possible},
      {"stale-generation",
       "KAI counts it: the other rule",
       Say::nothing,
       {node("n1"), pod("a/p"), slice_with({device("d1")}, in_pool("n1", 2)),
        slice_with({device("d0")}, in_pool("n1"), "o")}},
      {"stale-generation",
       "generations of two pools",
       Say::nothing,
       {node("n1"), pod("a/p"), fabric("s", in_pool("n1", 2)), fabric("o", in_pool("p2"))}},
      // SLC004
      {"slice-counts-disagree",
       "2 and 3",
       Say::warning,
       {node("n1"), pod("a/p"), fabric("s", in_pool("n1", 1, 2)),
        fabric("t", in_pool("n1", 1, 3), {"y"})}},
      {"slice-counts-disagree",
       "of two generations",
       Say::nothing,
       {node("n1"), pod("a/p"), fabric("s", in_pool("n1", 2, 1)),
        fabric("t", in_pool("n1", 1, 3), {"y"})}},
      // SLC005
      {"pool-invalid",
       "a device twice",
       Say::error,
       {node("n1"), pod("a/p"), fabric("s", in_pool("n1"), {"x", "x"})}},
      {"pool-invalid",
       "a device in two slices",
       Say::error,
       {node("n1"), pod("a/p"), fabric("s", in_pool("n1", 1, 2)),
        fabric("t", in_pool("n1", 1, 2))}},
      {"pool-invalid",
       "a set twice",
       Say::error,
       {node("n1"), pod("a/p"), slice_with({}, sets("8", {"s0", "s0"}))}},
      {"pool-invalid",
       "an unknown set",
       Say::error,
       {node("n1"), pod("a/p"), slice_with({eats("d0", "1", "s9")}, sets("8"))}},
      {"pool-invalid",
       "an unknown counter",
       Say::error,
       {node("n1"), pod("a/p"), slice_with({eats("d0", "1", "s0", "cores")}, sets("8"))}},
      {"pool-invalid",
       "the set is in another slice",
       Say::nothing,
       {node("n1"), pod("a/p"), slice_with({eats("d0", "1")}, in_pool("n1", 1, 2)),
        slice_with({}, merged(sets("8"), in_pool("n1", 1, 2)), "t")}},
      {"pool-invalid",
       "the set may be in the slice that is missing",
       Say::nothing,
       {node("n1"), pod("a/p"), slice_with({eats("d0", "1")}, in_pool("n1", 1, 2))}},
      {"pool-invalid",
       "once in each of two generations",
       Say::nothing,
       {node("n1"), pod("a/p"), fabric("s", in_pool("n1", 2)), fabric("t", in_pool("n1"))}},
      {"pool-invalid",
       "once in each of two pools",
       Say::nothing,
       {node("n1"), pod("a/p"), fabric("s", in_pool("n1")), fabric("t", in_pool("p2"))}},
      // SLC006
      {"pool-of-two-publishers",
       "two nodes, each with all of it",
       Say::warning,
       {node("n1"), node("n2"), pod("a/p"), fabric("s", in_pool("f")),
        fabric("t", merged(in_pool("f"), on("n2")), {"y"})},
       Certainty::likely},
      {"pool-of-two-publishers",
       "a pool of two nodes",
       Say::nothing,
       {node("n1"), node("n2"), pod("a/p"), fabric("s", in_pool("f", 1, 2)),
        fabric("t", merged(in_pool("f", 1, 2), on("n2")), {"y"})}},
      {"pool-of-two-publishers",
       "it moved to another node",
       Say::nothing,
       {node("n1"), node("n2"), pod("a/p"), fabric("s", in_pool("f", 1)),
        fabric("t", merged(in_pool("f", 2), on("n2")), {"y"})}},
      // SLC007
      {"slice-above-limits",
       "129 devices",
       Say::warning,
       {node("n1"), pod("a/p"), slice_with(big)},
       Certainty::likely},
      {"slice-above-limits",
       "100 devices, one tainted: legal before 1.35",
       Say::warning,
       {node("n1"), pod("a/p"), slice_with(tainted)},
       Certainty::possible},
      {"slice-above-limits",
       "100 plain devices",
       Say::nothing,
       {node("n1"), pod("a/p"), slice_with(many)}},
      // SLC008
      {"driver-not-seen",
       "on one node of three",
       Say::note,
       {node("n1"), node("n2"), node("n3"), slice("n1", {"d0"}), slice("n2", {"d0"}),
        slice("n3", {"d0"}), pod("k/nvidia-dra-driver-1"),
        pod("k/nvidia-dra-driver-2", {}, on("n2"))},
       Certainty::possible},
      {"driver-not-seen",
       "on none: it has another name",
       Say::nothing,
       {node("n1"), slice("n1", {"d0"}), pod("k/some-plugin")}},
      {"driver-not-seen",
       "on all",
       Say::nothing,
       {node("n1"), node("n2"), slice("n1", {"d0"}), slice("n2", {"d0"}),
        pod("k/nvidia-dra-driver-1"), pod("k/nvidia-dra-driver-2", {}, on("n2"))}},
      {"driver-not-seen",
       "another vendor's driver",
       Say::nothing,
       {node("n1"), slice("n1", {"d0"}), pod("k/intel-dra-driver-1", {}, on("n2")), node("n2")}},
      // SLC009
      {"slice-without-node",
       "gone",
       Say::warning,
       {node("n1"), pod("a/p"), slice("n2", {"d0"}), slice("n2", {"x"}, kFabric)}},
      {"slice-without-node",
       "made half a minute ago",
       Say::warning,
       {node("n1"), pod("a/p"), made(slice("n2", {"d0"}), kJustNow)},
       Certainty::possible},
      {"slice-without-node",
       "there",
       Say::nothing,
       {node("n1"), node("n2"), pod("a/p"), slice("n2", {"d0"})}},
      {"slice-without-node",
       "tied to no node",
       Say::nothing,
       {node("n1"), pod("a/p"),
        slice("n2", {"d0"}, kGpuDriver, {{"spec", {{"nodeName", nullptr}, {"allNodes", true}}}})}},
      {"slice-without-node",
       "pods live there: node-missing says it",
       Say::nothing,
       {node("n1"), slice("n2", {"d0"}), pod("a/p", {}, on("n2"))}},
  };
}

std::vector<Row> taint_rows() {
  const Json exists = {{"key", "broken"}, {"operator", "Exists"}};
  const auto with = [](const std::string& effect, const std::string& at = kLongAgo) {
    return Jsons{node("n1"), slice_with({device("d0", taint(effect, at)), device("d1")})};
  };
  const Jsons in_use = used("a/c", {result("d0")});
  const auto after = [](const std::string& at) {
    Jsons out = used("a/c", {result("d0")});
    out.front()["status"]["allocation"]["allocationTimestamp"] = at;
    return out;
  };
  const Json all = Json::object();
  const Jsons plain = {node("n1"), slice("n1", {"d0", "d1"})};
  return {
      {"noexecute-taint-in-use", "not evicted", Say::error, with("NoExecute") + in_use},
      {"noexecute-taint-in-use", "tainted half a minute ago", Say::error,
       with("NoExecute", kJustNow) + in_use, Certainty::possible},
      {"noexecute-taint-in-use", "by a rule, which may be off", Say::error,
       plain + in_use + Jsons{taint_rule({{"device", "d0"}}, "NoExecute")}, Certainty::likely},
      {"noexecute-taint-in-use", "admin access tolerates nothing by itself", Say::error,
       with("NoExecute") + used("a/c", {kAdminRow})},
      {"noexecute-taint-in-use", "tolerated", Say::nothing,
       with("NoExecute") + used("a/c", {tolerating(result("d0"), exists)})},
      {"noexecute-taint-in-use", "everything tolerated", Say::nothing,
       with("NoExecute") + used("a/c", {tolerating(result("d0"), {{"operator", "Exists"}})})},
      {"noexecute-taint-in-use", "another value is tolerated", Say::error,
       with("NoExecute") +
           used("a/c", {tolerating(result("d0"), {{"key", "broken"}, {"value", "no"}})})},
      {"noexecute-taint-in-use", "tolerated for an hour, which has passed", Say::error,
       with("NoExecute") +
           used("a/c", {tolerating(result("d0"), merged(exists, {{"tolerationSeconds", 3600}}))})},
      {"noexecute-taint-in-use", "tolerated for a day, which has not", Say::nothing,
       with("NoExecute") +
           used("a/c", {tolerating(result("d0"), merged(exists, {{"tolerationSeconds", 86400}}))})},
      {"noexecute-taint-in-use", "effect None", Say::nothing, with("None") + in_use},
      {"noexecute-taint-in-use", "an effect of the future", Say::nothing,
       with("NoFuture") + in_use},
      {"noexecute-taint-in-use", "another device is in use", Say::nothing,
       with("NoExecute") + used("a/c", {result("d1")})},
      {"noexecute-taint-in-use", "the pod is being deleted", Say::nothing,
       with("NoExecute") + used("a/c", {result("d0")}, deleted("2026-12-01T00:00:00Z"))},
      {"noexecute-taint-in-use", "the pod has ended", Say::nothing,
       with("NoExecute") + used("a/c", {result("d0")}, phase("Failed"))},
      {"noexecute-taint-in-use", "a rule for another pool", Say::nothing,
       plain + in_use + Jsons{taint_rule({{"pool", "n2"}}, "NoExecute")}},
      {"noschedule-taint-in-use", "was there before", Say::note, with("NoSchedule") + in_use},
      {"noschedule-taint-in-use", "given out afterwards", Say::warning,
       with("NoSchedule") + after("2026-11-30T12:00:00Z")},
      {"noschedule-taint-in-use", "given out before", Say::note,
       with("NoSchedule") + after("2026-11-30T07:00:00Z")},
      {"noschedule-taint-in-use", "by a rule", Say::note,
       plain + in_use + Jsons{taint_rule({{"driver", kGpuDriver}}, "NoSchedule")},
       Certainty::likely},
      {"noschedule-taint-in-use", "tolerated", Say::nothing,
       with("NoSchedule") + used("a/c", {tolerating(result("d0"), exists)})},
      {"noschedule-taint-in-use", "idle", Say::nothing,
       with("NoSchedule") + Jsons{claim_of("a/c", "d0")}},
      {"noschedule-taint-in-use", "PreferNoSchedule is no device taint", Say::nothing,
       with("PreferNoSchedule") + in_use},
      {"taint-rule-not-evaluated", "by class", Say::note,
       plain + Jsons{pod("a/p"), taint_rule({{"deviceClassName", "x"}}, "NoSchedule")}},
      {"taint-rule-not-evaluated", "by driver", Say::nothing,
       plain + Jsons{pod("a/p"), taint_rule({{"driver", "x"}}, "NoSchedule")}},
      {"taint-rule-for-all", "an empty selector", Say::warning,
       plain + Jsons{pod("a/p"), taint_rule(all, "NoExecute")}, Certainty::likely},
      {"taint-rule-for-all", "no selector", Say::nothing,
       plain + Jsons{pod("a/p"), taint_rule(nullptr, "NoExecute")}},
      {"taint-rule-for-all", "tried out with None", Say::nothing,
       plain + Jsons{pod("a/p"), taint_rule(all, "None")}},
      {"taint-rule-for-all", "one device", Say::nothing,
       plain + Jsons{pod("a/p"), taint_rule({{"device", "d0"}}, "NoExecute")}},
      {"taint-rule-for-all", "by class: not evaluated", Say::nothing,
       plain + Jsons{pod("a/p"), taint_rule({{"deviceClassName", "x"}}, "NoExecute")}},
  };
}

std::vector<Row> rows() {
  std::vector<Row> out = device_rows();
  for (const auto& more : {slice_rows(), taint_rows()}) {
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

bool is_ours(const Rule& rule) {
  return rule.id.starts_with("DEV") || rule.id.starts_with("SLC") || rule.id.starts_with("TNT");
}

/// A fixture is as it is meant, whatever else is wrong with it.
struct Checked {
  explicit Checked(const Row& row) : snapshot(read_objects(row.objects, row.given.complete)) {
    AuditOptions options = row.given.options;
    options.now = parse_timestamp(row.given.now);
    audit = draudit::audit(snapshot, options);
    run = check(audit);
  }
  Checked(const Checked&) = delete;
  Checked& operator=(const Checked&) = delete;
  ~Checked() = default;

  [[nodiscard]] std::vector<const Finding*> of(std::string_view rule) const {
    std::vector<const Finding*> out;
    for (const Finding& f : run.findings) {
      if (f.rule->name == rule) out.push_back(&f);
    }
    return out;
  }

  Snapshot snapshot;
  Audit audit;
  RuleRun run;
};

const Row& row_of(const std::vector<Row>& all, std::string_view rule, std::string_view what) {
  const auto it = std::find_if(all.begin(), all.end(),
                               [&](const Row& r) { return r.rule == rule && r.what == what; });
  REQUIRE(it != all.end());
  return *it;
}

}  // namespace

TEST_CASE("devices: each rule fires as it should, and is silent on each near miss") {
  for (const Row& row : rows()) {
    CAPTURE(row.rule);
    CAPTURE(row.what);
    const Checked c(row);
    for (const NotCheckable& n : c.run.not_checkable) CHECK(n.rule->name != row.rule);
    const auto found = c.of(row.rule);
    CHECK(found.size() == (row.say == Say::nothing ? 0 : 1));
    if (found.empty() || row.say == Say::nothing) continue;
    const Finding& f = *found.front();
    CAPTURE(f.message);
    CHECK(static_cast<int>(f.severity) + 1 == static_cast<int>(row.say));
    CHECK(to_string(f.certainty) == to_string(row.certainty));
    CHECK((f.certainty == Certainty::certain) == f.why_not_certain.empty());
    CHECK_FALSE(f.mend.empty());
    CHECK(f.subject.at.line > 0);
    CHECK(f.message.starts_with(f.subject.name));
  }
}

TEST_CASE("devices: every rule of these families has a state and a near miss") {
  std::map<std::string_view, std::set<bool>> seen;
  for (const Row& row : rows()) {
    REQUIRE(find_rule(row.rule) != nullptr);
    seen[row.rule].insert(row.say != Say::nothing);
  }
  for (const Rule* rule : draudit::rules()) {
    if (!is_ours(*rule)) continue;
    CAPTURE(std::string{rule->name});
    CHECK(seen[rule->name].size() == 2);
  }
}

TEST_CASE("devices: fingerprints don't change with uids, order or place") {
  for (const Row& row : rows()) {
    if (row.say == Say::nothing) continue;
    CAPTURE(row.what);
    const Checked before(row);
    Row other = row;
    std::reverse(other.objects.begin(), other.objects.end());
    for (Json& o : other.objects) {
      std::string all = o.dump();
      for (std::size_t at = all.find("\"uid-"); at != std::string::npos;
           at = all.find("\"uid-", at + 1)) {
        all.replace(at, 5, "\"was-");
      }
      o = Json::parse(all);
    }
    const Checked after(other);
    REQUIRE(after.of(row.rule).size() == before.of(row.rule).size());
    CHECK(after.of(row.rule).front()->fingerprint == before.of(row.rule).front()->fingerprint);
    CHECK(after.of(row.rule).front()->message == before.of(row.rule).front()->message);
  }
}

TEST_CASE("devices: one cause is one finding, with everybody whom it concerns") {
  const std::vector<Row> all = rows();
  const Checked twice(row_of(all, "device-allocated-twice", "several devices, one cause"));
  const Finding& f = *twice.of("device-allocated-twice").front();
  CHECK(f.pods == Names{"a/x", "a/y"});
  CHECK(f.objects.size() == 2);
  CHECK(f.facts.size() == 2);
  CHECK(f.node == "n1");
  CHECK(f.message ==
        "gpu.nvidia.com/n1/d0 and 1 more device of the pool: given to 2 claims, to each for itself "
        "alone");

  Jsons objects = {node("n1"), slice("n1", numbered("d", 20), kFabric, in_pool("n1", 1, 2))};
  for (int i = 0; i < 20; ++i) {
    const std::string n = std::to_string(i);
    objects = objects + used("a/p" + n, {result("gone" + n, kFabric)});
  }
  const Checked pool({"pool-incomplete", "", Say::warning, objects});
  CHECK(pool.of("pool-incomplete").size() == 1);
  CHECK(pool.of("device-unpublished").empty());
  objects.at(1) = slice("n1", numbered("d", 20), kFabric);
  const Checked gone({"device-unpublished", "", Say::warning, objects});
  REQUIRE(gone.of("device-unpublished").size() == 1);
  CHECK(gone.of("device-unpublished").front()->pods.size() == 20);
  CHECK(gone.of("device-unpublished").front()->message ==
        "fabric.example.com/n1: gone0, gone1 and 18 more are allocated, and no slice of generation "
        "1 has them");
}

TEST_CASE("devices: a mixed state is said in full, each thing by its own rule") {
  const Json broken = device("d2", taint("NoExecute"));
  Jsons objects = {node("n1"), slice_with({device("d0"), device("d1"), broken})};
  objects = objects + used("a/x", {result("d0")}) + used("a/y", {result("d0")}) +
            used("a/z", {result("d2")}) + used("a/n", {result("nic", kFabric)}) +
            used("a/m", {result("d0", kGpuDriver, "n1", true)});
  const Checked c({"", "", Say::nothing, objects});
  std::multiset<std::string> names;
  for (const Finding& f : c.run.findings) {
    if (is_ours(*f.rule)) names.insert(std::string{f.rule->name});
  }
  CHECK(names == std::multiset<std::string>{"device-allocated-twice", "device-unpublished",
                                            "noexecute-taint-in-use"});
}

TEST_CASE("devices: without slices, claims or taint rules the rules about them are not checkable") {
  const Checked c({"", "", Say::nothing, {node("n1"), pod("a/p")}, Certainty::certain, partial()});
  std::set<std::string_view> names;
  for (const NotCheckable& n : c.run.not_checkable) names.insert(n.rule->name);
  for (const Rule* rule : draudit::rules()) {
    if (is_ours(*rule) && rule->name != "device-unhealthy") CHECK(names.contains(rule->name));
  }
}

TEST_CASE("devices: two clusters in one input leave nothing certain that rests on names") {
  Row row = row_of(rows(), "device-allocated-twice", "two claims");
  MemoryIo world;
  world.files.contents["one.json"] = list_of(row.objects).dump(1);
  Json twin = node("n1");
  twin["metadata"]["uid"] = "another";
  world.files.contents["two.json"] = list_of({twin}).dump(1);
  Io io = world.io();
  const Snapshot s = read({.paths = {"one.json", "two.json"}, .complete = true}, io);
  CHECK(s.mixed_clusters);
  const Audit audit = draudit::audit(s, {});
  const RuleRun run = check(audit);
  const auto f = std::find_if(run.findings.begin(), run.findings.end(), [](const Finding& x) {
    return x.rule->name == "device-allocated-twice";
  });
  REQUIRE(f != run.findings.end());
  CHECK(f->certainty == Certainty::possible);
  CHECK(f->why_not_certain.find("two clusters") != std::string::npos);
}
