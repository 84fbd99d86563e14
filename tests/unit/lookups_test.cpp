// Corners of the look-ups that random states do not reach: objects that no API server would let
// pass, and what KAI makes of them all the same.
#include <doctest/doctest.h>

#include <string>

#include "draudit/accounting.hpp"
#include "draudit/input.hpp"
#include "support/memory_io.hpp"

namespace draudit {
namespace {

Snapshot snapshot_of(const std::string& items) {
  test::MemoryIo world;
  world.in.text = R"({"kind":"List","items":[)" + items + "]}";
  Io io = world.io();
  Snapshot s = read({.paths = {"-"}, .complete = true}, io);
  REQUIRE(s.problems.empty());
  return s;
}

std::string node(const std::string& allocatable) {
  return R"({"kind":"Node","apiVersion":"v1","metadata":{"name":"atlas","uid":"n"},)"
         R"("status":{"allocatable":{)" +
         allocatable + "}}}";
}

std::string pod(const std::string& name, const std::string& spec, const std::string& image = "x") {
  return R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":")" + name +
         R"(","namespace":"voice","uid":"u-)" + name +
         R"("},"spec":{"nodeName":"atlas","containers":[{"name":"main","image":")" + image +
         R"(","resources":{"requests":{"nvidia.com/gpu":"0"}}}])" + spec +
         R"(},"status":{"phase":"Running"}})";
}

Gpus corrected_used(const Snapshot& s) {
  const Audit a = audit(s, {});
  REQUIRE(a.nodes.size() == 1);
  return a.nodes.front().corrected.figures.used.most;
}

}  // namespace

TEST_CASE("a claim that a pod owns is not that of the pod it is reserved for first") {
  const auto state = [](const std::string& owners) {
    return snapshot_of(
        node(R"("nvidia.com/gpu":"4")") + "," + pod("a", "") + "," + pod("b", "") +
        R"(,{"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1","metadata":{"name":"c",)"
        R"("namespace":"voice","uid":"c")" +
        owners +
        R"(},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":)"
        R"("gpu.nvidia.com","allocationMode":"ExactCount","count":1}}]}},"status":{"reservedFor":)"
        R"([{"resource":"pods","name":"b","uid":"u-b"}]}})");
  };
  const auto charged = [](const Snapshot& s) {
    std::string out;
    const Audit a = audit(s, {});
    for (const Charge& c : a.nodes.front().naive.charges) {
      if (c.claim_gpus > 0) out += c.pod->meta.name;
    }
    return out;
  };
  const Snapshot without = state("");
  CHECK(charged(without) == "b");
  const Snapshot with =
      state(R"(,"ownerReferences":[{"kind":"Pod","name":"a","uid":"u-a","controller":true}])");
  CHECK(charged(with) == "a");
}

TEST_CASE("a slice for all nodes gives no capacity, even if it names one") {
  const auto slice = [](const std::string& scope) {
    return R"(,{"kind":"ResourceSlice","apiVersion":"resource.k8s.io/v1","metadata":{"name":"s"},)"
           R"("spec":{"driver":"gpu.nvidia.com","pool":{"name":"p","generation":1},)" +
           scope + R"("devices":[{"name":"gpu-0"}]}})";
  };
  const auto capacity = [](const Snapshot& s) {
    const Audit a = audit(s, {});
    return *a.nodes.front().capacity.value;
  };
  const Snapshot named = snapshot_of(node("") + slice(R"("nodeName":"atlas",)"));
  CHECK(capacity(named) == 1);
  const Snapshot all = snapshot_of(node("") + slice(R"("nodeName":"atlas","allNodes":true,)"));
  CHECK(capacity(all) == 0);
}

TEST_CASE("an explicit 0 keeps a sidecar's GPU from being added") {
  const std::string sidecar =
      R"(,"initContainers":[{"name":"side","restartPolicy":"Always","resources":{"requests":)"
      R"({"nvidia.com/gpu":"1"}}}])";
  const Snapshot s = snapshot_of(node(R"("nvidia.com/gpu":"4")") + "," + pod("a", sidecar));
  CHECK(corrected_used(s) == 0);
}

TEST_CASE("the running KAI version is read from the scheduler's image") {
  const auto version = [](const std::string& name, const std::string& image) {
    const Snapshot s = snapshot_of(node("") + "," + pod(name, "", image));
    return audit(s, {}).running.version;
  };
  CHECK(version("kai-scheduler-default-1",
                "ghcr.io/kai-scheduler/kai-scheduler/scheduler:v0.16.8") == "v0.16.8");
  CHECK(version("x", "mirror.example:5000/kai-scheduler/scheduler:0.17.1@sha256:00ff") ==
        "v0.17.1");
  CHECK(version("kai-scheduler-7", "harbor.example/infra/scheduler:v0.13.4") == "v0.13.4");
  CHECK(version("x", "harbor.example/infra/scheduler:v0.13.4") == "");  // somebody else's
  CHECK(version("kai-scheduler-7", "registry/kai-scheduler/scheduler@sha256:00ff") == "");
  CHECK(version("x", "ghcr.io/kai-scheduler/kai-scheduler/binder:v0.16.8") == "");
}

}  // namespace draudit

namespace draudit {

TEST_CASE("a claim of a pod's group is held by the pod, and KAI does not see it") {
  const auto state = [](const std::string& group, const std::string& entry) {
    return snapshot_of(
        node("") + "," +
        pod("a", R"(,"resourceClaims":[{"name":"gpu","resourceClaimTemplateName":"t"}],)"
                 R"("schedulingGroup":{"podGroupName":"g"})") +
        R"(,{"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1","metadata":{"name":"c",)"
        R"("namespace":"voice","uid":"c","annotations":{"resource.kubernetes.io/pod-claim-name":")" +
        entry + R"("},"ownerReferences":[{"kind":"PodGroup","name":")" + group +
        R"(","uid":"x","controller":true}]},"spec":{"devices":{"requests":[{"name":"r","exactly":)"
        R"({"deviceClassName":"gpu.nvidia.com","allocationMode":"ExactCount","count":1}}]}},)"
        R"("status":{"allocation":{"devices":{"results":[{"request":"r","driver":"gpu.nvidia.com",)"
        R"("pool":"atlas","device":"gpu-0"}]}},"reservedFor":[{"apiGroup":"scheduling.k8s.io",)"
        R"("resource":"podgroups","name":"g","uid":"x"}]}})");
  };
  const auto held = [](const Snapshot& s) {
    const Audit a = audit(s, {});
    CHECK(a.nodes.front().naive.figures.used.most == 0);
    return a.nodes.front().held.total();
  };
  CHECK(held(state("g", "gpu")) == 1);
  CHECK(held(state("h", "gpu")) == 0);
  CHECK(held(state("g", "nic")) == 0);
}

}  // namespace draudit
