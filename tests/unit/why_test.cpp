// draudit why: a state for each verdict and each reason, with its near miss.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/memory_io.hpp"

namespace draudit {
namespace {

using Json = nlohmann::json;

/// The cluster of the story: two pods share the claim on the one GPU of atlas, `web/probe` waits.
struct Story {
  Json node = {{"apiVersion", "v1"},
               {"kind", "Node"},
               {"metadata", {{"name", "atlas"}, {"labels", {{"zone", "a"}}}}},
               {"spec", Json::object()},
               {"status", {{"allocatable", {{"cpu", "8"}, {"memory", "8G"}, {"pods", "110"}}}}}};
  Json slice = {{"apiVersion", "resource.k8s.io/v1"},
                {"kind", "ResourceSlice"},
                {"metadata", {{"name", "s"}}},
                {"spec",
                 {{"driver", "gpu.nvidia.com"},
                  {"nodeName", "atlas"},
                  {"pool", {{"name", "atlas"}, {"generation", 1}, {"resourceSliceCount", 1}}},
                  {"devices", {{{"name", "gpu-0"}}}}}}};
  Json claim = {{"apiVersion", "resource.k8s.io/v1"},
                {"kind", "ResourceClaim"},
                {"metadata", {{"name", "gpu"}, {"namespace", "voice"}, {"uid", "c"}}},
                {"spec",
                 {{"devices",
                   {{"requests",
                     {{{"name", "r"},
                       {"exactly",
                        {{"deviceClassName", "gpu.nvidia.com"},
                         {"allocationMode", "ExactCount"},
                         {"count", 1}}}}}}}}}},
                {"status",
                 {{"allocation",
                   {{"devices",
                     {{"results",
                       {{{"request", "r"},
                         {"driver", "gpu.nvidia.com"},
                         {"pool", "atlas"},
                         {"device", "gpu-0"}}}}}}}},
                  {"reservedFor",
                   {{{"resource", "pods"}, {"name", "tts"}, {"uid", "u-tts"}},
                    {{"resource", "pods"}, {"name", "worker"}, {"uid", "u-worker"}}}}}}};
  Json tts = sharer("tts");
  Json worker = sharer("worker");
  Json probe = pod("web", "probe");

  static Json pod(const std::string& ns, const std::string& name) {
    return {{"apiVersion", "v1"},
            {"kind", "Pod"},
            {"metadata", {{"name", name}, {"namespace", ns}, {"uid", "u-" + name}}},
            {"spec",
             {{"schedulerName", "kai-scheduler"},
              {"containers", {{{"name", "c"}, {"resources", {{"requests", {{"cpu", "1"}}}}}}}}}},
            {"status", {{"phase", "Pending"}}}};
  }
  static Json sharer(const std::string& name) {
    Json out = pod("voice", name);
    out["spec"]["resourceClaims"] = {{{"name", "g"}, {"resourceClaimName", "gpu"}}};
    out["spec"]["nodeName"] = "atlas";
    out["status"]["phase"] = "Running";
    return out;
  }

  [[nodiscard]] std::string text() const {
    std::string out;
    for (const Json* object : {&node, &slice, &claim, &tts, &worker, &probe}) {
      if (!object->is_null()) out += object->dump();
    }
    return out;
  }

  [[nodiscard]] Json why(std::vector<std::string> args = {}) const {
    test::MemoryIo world;
    world.in.text = text();
    args.insert(args.begin(), {"why", "--all", "--format", "json", "--complete"});
    const int status = world.run(args);
    INFO(world.err.text);
    REQUIRE(status == 0);
    return Json::parse(world.out.text);
  }
  /// Of the one pod that waits.
  [[nodiscard]] Json waiting(std::vector<std::string> args = {}) const {
    const Json report = why(std::move(args));
    REQUIRE(report.at("pods").size() == 1);
    return report.at("pods").at(0);
  }
  [[nodiscard]] std::string verdict() const { return waiting().at("verdict"); }

  void request(const char* resource, const char* amount) {
    probe["spec"]["containers"][0]["resources"]["requests"][resource] = amount;
  }
};

TEST_CASE("why: the probe of the story is blocked, and only the miscount keeps it out") {
  Story s;
  const Json pod = s.waiting();
  CHECK(pod.at("verdict") == "blocked");
  CHECK(pod.at("upgrade_places") == true);
  CHECK(pod.at("confirmation") == "no message");
  const Json& node = pod.at("nodes").at(0);
  CHECK(node.at("blocked") == true);
  CHECK(node.at("held") == true);
  CHECK(node.at("versions").at("v0.17.0").at(0).at("details").at(0) ==
        "Node didn't have enough resources: GPUs, requested: 0, used: 2, capacity: 1");
  CHECK(node.at("versions").at("v0.17.1").at(0).at("idle") == true);
}

TEST_CASE("why: a second reason on the node, and the miscount is not to blame") {
  Story s;
  SUBCASE("cpu") { s.request("cpu", "7001m"); }
  SUBCASE("memory") { s.request("memory", "8000000001"); }
  SUBCASE("an extended resource that no node has") { s.request("example.com/nic", "1"); }
  SUBCASE("pods") { s.node["status"]["allocatable"]["pods"] = "2"; }
  SUBCASE("selector") { s.probe["spec"]["nodeSelector"] = {{"zone", "b"}}; }
  SUBCASE("required affinity") {
    s.probe["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
           ["nodeSelectorTerms"] = {
        {{"matchExpressions", {{{"key", "zone"}, {"operator", "NotIn"}, {"values", {"a"}}}}}}};
  }
  SUBCASE("cordon") { s.node["spec"]["unschedulable"] = true; }
  SUBCASE("taint") { s.node["spec"]["taints"] = {{{"key", "k"}, {"effect", "NoSchedule"}}}; }
  SUBCASE("GPUs that are really held") { s.request("nvidia.com/gpu", "1"); }
  const Json pod = s.waiting();
  CHECK(pod.at("verdict") == "rightly pending");
  CHECK(pod.at("nodes").at(0).at("blocked") == false);
}

TEST_CASE("why: near misses of those reasons leave the pod blocked") {
  Story s;
  SUBCASE("all the cpu") { s.request("cpu", "6"); }
  SUBCASE("all the memory") { s.request("memory", "8G"); }
  SUBCASE("the last slot") { s.node["status"]["allocatable"]["pods"] = "3"; }
  SUBCASE("selector") { s.probe["spec"]["nodeSelector"] = {{"zone", "a"}}; }
  SUBCASE("a taint that is tolerated") {
    s.node["spec"]["taints"] = {{{"key", "k"}, {"effect", "NoSchedule"}}};
    s.probe["spec"]["tolerations"] = {{{"key", "k"}, {"operator", "Exists"}}};
  }
  SUBCASE("a taint that only prefers") {
    s.node["spec"]["taints"] = {{{"key", "k"}, {"effect", "PreferNoSchedule"}}};
  }
  CHECK(s.verdict() == "blocked");
}

TEST_CASE("why: a sharer of a counted device is refused by stock KAI though nothing is over") {
  Story s;
  s.worker = nullptr;
  s.probe["metadata"]["namespace"] = "voice";
  s.probe["spec"]["resourceClaims"] = {{{"name", "g"}, {"resourceClaimName", "gpu"}}};
  const Json pod = s.waiting();
  CHECK(pod.at("verdict") == "blocked");
  CHECK(pod.at("upgrade_places") == true);
  CHECK(pod.at("message") == "no nodes with enough resources were found");
}

TEST_CASE("why: a pod that only under-counting lets in") {
  Story s;
  s.claim["spec"]["devices"]["requests"][0]["exactly"]["deviceClassName"] = "h100";
  s.request("nvidia.com/gpu", "1");
  CHECK(s.verdict() == "would be misplaced");
  // With a second GPU it is placed where there is room.
  s.slice["spec"]["devices"].push_back({{"name", "gpu-1"}});
  CHECK(s.verdict() == "fits");
}

TEST_CASE("why: what terminating pods hold is waited for") {
  Story s;
  s.worker["metadata"]["deletionTimestamp"] = "2026-12-01T05:00:00Z";
  s.worker["status"]["startTime"] = "2026-12-01T05:00:00Z";
  const Json pod = s.waiting({"--now", "2026-12-01T05:00:30Z"});
  CHECK(pod.at("verdict") == "pipelined");
  CHECK(pod.at("why").get<std::string>().find("stays in use by pods that go on") !=
        std::string::npos);
  CHECK(s.waiting({"--now", "2026-12-01T06:00:00Z"}).at("verdict") == "blocked");
}

TEST_CASE("why: gates, bindings and what is not in the snapshot") {
  Story s;
  SUBCASE("gated") {
    s.probe["spec"]["schedulingGates"] = {{{"name", "g"}}};
    CHECK(s.verdict() == "rightly pending");
  }
  SUBCASE("affinity between pods, on a node that is in order") {
    s.worker = nullptr;
    CHECK(s.verdict() == "fits");
    s.probe["spec"]["affinity"]["podAntiAffinity"]
           ["requiredDuringSchedulingIgnoredDuringExecution"] = {{{"topologyKey", "zone"}}};
    CHECK(s.verdict() == "undecidable");
  }
  SUBCASE("volumes") {
    s.worker = nullptr;
    s.probe["spec"]["volumes"] = {{{"name", "v"}, {"persistentVolumeClaim", {{"claimName", "v"}}}}};
    CHECK(s.verdict() == "undecidable");
  }
}

TEST_CASE("why: the scheduler's own message") {
  Story s;
  const auto say = [&s](const std::string& message) {
    s.probe["status"]["conditions"] = {{{"type", "PodScheduled"},
                                        {"status", "False"},
                                        {"reason", "Unschedulable"},
                                        {"message", message}}};
    return s.waiting().at("confirmation").get<std::string>();
  };
  const std::string reason = "no nodes with enough resources were found: 1 node(s) didn't have "
                             "enough resources: GPUs.";
  CHECK(say(reason) == "confirmed");
  CHECK(say("Node-Pool 'default': " + reason) == "confirmed");
  CHECK(say("Resources were not found for pod web/probe due to: " + reason + ".") == "confirmed");
  CHECK(say("\n<atlas>: Node didn't have enough resources: GPUs, requested: 0, used: 2, capacity: "
            "1.\nno nodes with enough resources were found.") == "confirmed");
  CHECK(say("no nodes with enough resources were found: 2 node(s) didn't have enough resources: "
            "GPUs.") == "contradicted");
  CHECK(say("") == "no message");
}

TEST_CASE("why: what if") {
  Story s;
  const Json pod = s.waiting({"--without-pod", "voice/worker"});
  CHECK(pod.at("verdict") == "fits");
  CHECK(pod.at("before") == "blocked");
  // No claim, no GPU: neither sharer is counted.
  CHECK(s.waiting({"--without-claim", "voice/gpu"}).at("verdict") == "fits");
  CHECK(s.waiting({"--kai-version", "v0.17.1"}).at("verdict") == "fits");

  const auto error = [&s](std::vector<std::string> args) {
    test::MemoryIo world;
    world.in.text = s.text();
    CHECK(world.run(args) == 2);
    return world.err.text;
  };
  CHECK(error({"why", "--all", "--without-pod", "voice/workr"}) ==
        "draudit: --without-pod: there is no voice/workr in the input; did you mean "
        "voice/worker?\n");
  CHECK(error({"why", "voice/tts", "-"}).find("waits for no node: it is on atlas") !=
        std::string::npos);
  CHECK(error({"why", "web/prob", "-"}).find("did you mean web/probe?") != std::string::npos);
  CHECK(error({"why"}).find("which pod?") != std::string::npos);
  CHECK(error({"why", "--all", "--format", "xml"}).find("text or json") != std::string::npos);
}

}  // namespace
}  // namespace draudit
