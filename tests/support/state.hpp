#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "draudit/accounting.hpp"
#include "draudit/input.hpp"
#include "support/memory_io.hpp"

/// Small clusters for unit tests, written as the JSON that a dump holds and read as one.
namespace draudit::test {

using Json = nlohmann::json;
using Jsons = std::vector<Json>;
using Names = std::vector<std::string>;

inline constexpr const char* kGpuDriver = "gpu.nvidia.com";

/// "ns/name" as metadata, with a uid made of it.
[[nodiscard]] inline Json metadata(const std::string& full) {
  const std::size_t slash = full.find('/');
  Json out = {{"name", full.substr(slash == std::string::npos ? 0 : slash + 1)},
              {"uid", "uid-" + full}};
  if (slash != std::string::npos) out["namespace"] = full.substr(0, slash);
  return out;
}

/// Each of these takes a JSON merge patch: what differs from the plain object.
[[nodiscard]] inline Json node(const std::string& name, std::int64_t plugin_gpus = 0,
                               const Json& patch = Json::object()) {
  Json out = {{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", metadata(name)}};
  out["status"]["allocatable"]["cpu"] = "8";
  if (plugin_gpus != 0) {
    out["status"]["allocatable"]["nvidia.com/gpu"] = std::to_string(plugin_gpus);
  }
  out.merge_patch(patch);
  return out;
}

/// Devices of a node; the pool is called like the node.
[[nodiscard]] inline Json slice(const std::string& on, const Names& devices,
                                const std::string& driver = kGpuDriver,
                                const Json& patch = Json::object()) {
  Json out = {{"apiVersion", "resource.k8s.io/v1"},
              {"kind", "ResourceSlice"},
              {"metadata", metadata(on + "-" + driver)}};
  Json& spec = out["spec"];
  spec["driver"] = driver;
  spec["nodeName"] = on;
  spec["pool"] = {{"name", on}, {"generation", 1}, {"resourceSliceCount", 1}};
  spec["devices"] = Json::array();
  for (const std::string& d : devices) spec["devices"].push_back({{"name", d}});
  out.merge_patch(patch);
  return out;
}

[[nodiscard]] inline Names numbered(const std::string& stem, int n) {
  Names out;
  for (int i = 0; i < n; ++i) out.push_back(stem + std::to_string(i));
  return out;
}

[[nodiscard]] inline Json request(const std::string& device_class = kGpuDriver,
                                  const std::string& mode = "ExactCount", std::int64_t count = 1,
                                  bool admin = false, const std::string& name = "gpu") {
  Json exactly = {{"deviceClassName", device_class}, {"allocationMode", mode}};
  if (mode != "All") exactly["count"] = count;
  if (admin) exactly["adminAccess"] = true;
  return {{"name", name}, {"exactly", exactly}};
}

[[nodiscard]] inline Json first_available(const std::string& device_class = kGpuDriver) {
  const Json alternative = {{"name", "a"},
                            {"deviceClassName", device_class},
                            {"allocationMode", "ExactCount"},
                            {"count", 1}};
  return {{"name", "gpu"}, {"firstAvailable", Json::array({alternative})}};
}

[[nodiscard]] inline Json result(const std::string& device, const std::string& driver = kGpuDriver,
                                 const std::string& pool = "n1", bool admin = false,
                                 const std::string& of = "gpu") {
  Json out = {{"request", of}, {"driver", driver}, {"pool", pool}, {"device", device}};
  if (admin) out["adminAccess"] = true;
  return out;
}

[[nodiscard]] inline Json allocation(const Jsons& results) {
  return {{"devices", {{"results", Json(results)}}}};
}

/// Not allocated, until `allocated()` gives it something.
[[nodiscard]] inline Json claim(const std::string& full, const Jsons& requests,
                                const Json& patch = Json::object()) {
  Json out = {{"apiVersion", "resource.k8s.io/v1"},
              {"kind", "ResourceClaim"},
              {"metadata", metadata(full)}};
  out["spec"]["devices"]["requests"] = Json(requests);
  out.merge_patch(patch);
  return out;
}

[[nodiscard]] inline Json allocated(Json of, const Jsons& results) {
  of["status"]["allocation"] = allocation(results);
  return of;
}

/// The common one: one GPU of NVIDIA's driver on n1.
[[nodiscard]] inline Json claim_of(const std::string& full, const std::string& device) {
  return allocated(claim(full, {request()}), {result(device)});
}

[[nodiscard]] inline Json reserved_for(Json of, const Names& pods,
                                       const std::string& resource = "pods") {
  for (const std::string& pod : pods) {
    of["status"]["reservedFor"].push_back(
        {{"resource", resource}, {"name", pod}, {"uid", "uid-" + pod}});
  }
  return of;
}

[[nodiscard]] inline Json owned_by(Json of, const std::string& pod,
                                   const std::string& kind = "Pod") {
  of["metadata"]["ownerReferences"].push_back(
      {{"kind", kind}, {"name", pod}, {"uid", "uid-" + pod}, {"controller", true}});
  return of;
}

/// Running on n1; its entries are called c0, c1, … and name `claims`.
[[nodiscard]] inline Json pod(const std::string& full, const Names& claims = {},
                              const Json& patch = Json::object()) {
  Json out = {{"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", metadata(full)}};
  out["spec"] = {{"nodeName", "n1"}, {"containers", Json::array({{{"name", "main"}}})}};
  for (std::size_t i = 0; i < claims.size(); ++i) {
    out["spec"]["resourceClaims"].push_back(
        {{"name", "c" + std::to_string(i)}, {"resourceClaimName", claims[i]}});
  }
  out["status"]["phase"] = "Running";
  out.merge_patch(patch);
  return out;
}

/// A patch for a pod: its one container asks for this.
[[nodiscard]] inline Json asks(std::int64_t amount, const std::string& of = "nvidia.com/gpu") {
  const Json container = {{"name", "main"},
                          {"resources", {{"requests", {{of, std::to_string(amount)}}}}}};
  return {{"spec", {{"containers", Json::array({container})}}}};
}

[[nodiscard]] inline Json labelled(const std::string& key, const std::string& value) {
  return {{"metadata", {{"labels", {{key, value}}}}}};
}

[[nodiscard]] inline Json annotated(const std::string& key, const std::string& value) {
  return {{"metadata", {{"annotations", {{key, value}}}}}};
}

/// A fraction of a GPU, of the group.
[[nodiscard]] inline Json fraction(const std::string& portion, const std::string& group) {
  Json out = annotated("gpu-fraction", portion);
  if (!group.empty()) out.merge_patch(labelled("runai-gpu-group", group));
  return out;
}

[[nodiscard]] inline Json pending(const Json& more = Json::object()) {
  Json out = {{"spec", {{"nodeName", nullptr}}}, {"status", {{"phase", "Pending"}}}};
  out.merge_patch(more);
  return out;
}

[[nodiscard]] inline Json phase(const std::string& name) { return {{"status", {{"phase", name}}}}; }

/// Terminating since (its grace period ended) then.
[[nodiscard]] inline Json deleted(const std::string& at) {
  return {{"metadata", {{"deletionTimestamp", at}}}};
}

[[nodiscard]] inline Json bind_request(const std::string& of_pod, const std::string& on = "n1",
                                       const Json& patch = Json::object()) {
  const std::size_t slash = of_pod.find('/');
  Json out = {{"apiVersion", "scheduling.run.ai/v1alpha2"},
              {"kind", "BindRequest"},
              {"metadata", metadata(of_pod)}};
  out["spec"] = {{"podName", of_pod.substr(slash + 1)}, {"selectedNode", on}};
  out.merge_patch(patch);
  return out;
}

[[nodiscard]] inline Json merged(Json a, const Json& b) {
  a.merge_patch(b);
  return a;
}

[[nodiscard]] inline Json list_of(const Jsons& objects) {
  return {{"apiVersion", "v1"}, {"kind", "List"}, {"items", Json(objects)}};
}

/// "used 2, idle -1, releasing 0, groups 0"
[[nodiscard]] inline std::string figures(const Account& a) {
  return "used " + to_string(a.figures.used) + ", idle " + to_string(a.figures.idle) +
         ", releasing " + to_string(a.figures.releasing) + ", groups " +
         to_string(a.figures.groups);
}

/// used after each step: "1 1 0"
[[nodiscard]] inline std::string course(const std::vector<Step>& steps) {
  std::string out;
  for (const Step& s : steps) out += (out.empty() ? "" : " ") + to_string(s.after.used);
  return out;
}

/// "shared-device 1/0…0"; empty where the cause plays no part.
[[nodiscard]] inline std::string share(const NodeAudit& of, Cause cause) {
  for (const CauseShare& s : of.causes) {
    if (s.cause == cause) {
      return to_string(s.naive) + "/" + to_string(Range{s.corrected_least, s.corrected_most});
    }
  }
  return "";
}

struct Given {
  std::string kai;        ///< naive version; empty: detected
  bool complete = true;   ///< --complete
  bool troubles = false;  ///< some claim is meant not to resolve
  std::string now = "2026-12-01T00:00:00Z";
  AuditOptions options;
};

[[nodiscard]] inline Snapshot read_objects(const Jsons& objects, bool complete = true) {
  MemoryIo world;
  world.files.contents["state.json"] = list_of(objects).dump(1);
  Io io = world.io();
  Snapshot out = read({.paths = {"state.json"}, .complete = complete}, io);
  for (const Problem& p : out.problems) FAIL(p.object << ": " << p.field << ": " << p.message);
  REQUIRE(out.duplicates == 0);
  REQUIRE(out.ignored.empty());
  REQUIRE(out.pods.size() + out.claims.size() + out.nodes.size() + out.slices.size() +
              out.device_classes.size() + out.bind_requests.size() + out.taint_rules.size() +
              out.namespaces.size() + out.pod_groups.size() ==
          objects.size());
  return out;
}

/// A state and its accounting. A fixture that is not read as it was meant fails the test, and so
/// does one whose claims do not resolve, unless that is what it is about.
class State {
 public:
  explicit State(const Jsons& objects, Given given = {})
      : snapshot(read_objects(objects, given.complete)),
        audit(draudit::audit(snapshot, options_of(given))) {
    REQUIRE(audit.claim_troubles.empty() == !given.troubles);
    for (const NodeAudit& n : audit.nodes) check_sums(n);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() = default;

  [[nodiscard]] const NodeAudit& on(const std::string& name = "n1") const {
    const NodeAudit* found = audit.node(name);
    REQUIRE(found != nullptr);
    return *found;
  }
  [[nodiscard]] const Account& naive() const { return on().naive; }
  [[nodiscard]] const Account& corrected() const { return on().corrected; }
  [[nodiscard]] std::string held() const { return to_string(on().held.total()); }
  [[nodiscard]] std::string share(Cause cause) const { return test::share(on(), cause); }
  [[nodiscard]] const Charge& charge(const std::string& name) const {
    for (const Charge& c : corrected().charges) {
      if (full_name(c.pod->meta) == name) return c;
    }
    FAIL("no charged pod " << name);
    return corrected().charges.front();
  }

  Snapshot snapshot;
  Audit audit;

 private:
  [[nodiscard]] static AuditOptions options_of(const Given& given) {
    AuditOptions out = given.options;
    out.now = parse_timestamp(given.now);
    REQUIRE(out.now.has_value());
    if (!given.kai.empty()) {
      out.naive = find_profile(given.kai);
      REQUIRE(out.naive != nullptr);
    }
    return out;
  }

  /// Whatever a state is about, its causes explain all of the difference.
  static void check_sums(const NodeAudit& n) {
    Gpus naive = 0;
    Gpus least = 0;
    Gpus most = 0;
    for (const CauseShare& s : n.causes) {
      if (info(s.cause).figure != CausedFigure::used) continue;
      naive += s.naive;
      least += s.corrected_least;
      most += s.corrected_most;
    }
    const Gpus held = n.held.total();
    CHECK(to_string(naive) == to_string(n.naive.figures.printed_used().most - held));
    CHECK(to_string(least) == to_string(n.corrected.figures.printed_used().least - held));
    CHECK(to_string(most) == to_string(n.corrected.figures.printed_used().most - held));
    CHECK(test::share(n, Cause::other).empty());
  }
};

/// Two sharers of a device; all of them and a third pod's claim, which is missing, called `name`.
[[nodiscard]] inline Jsons sharers_called(const std::string& name) {
  const std::string ns = "ns" + name;
  Json c = allocated(claim("x/c", {request()}), {result("d" + name, kGpuDriver, name)});
  c["metadata"] = {{"name", name}, {"namespace", ns}, {"uid", "c"}};
  Jsons out = {node("x"), slice("x", {"d" + name}), c};
  out[0]["metadata"]["name"] = name;
  out[1]["spec"]["nodeName"] = name;
  out[1]["spec"]["pool"]["name"] = name;
  for (const char* p : {"p", "q", "r"}) {
    Json one = pod("x/y", {"c"});
    one["metadata"] = {{"name", p + name}, {"namespace", ns}, {"uid", p + name}};
    one["spec"]["nodeName"] = name;
    one["spec"]["resourceClaims"][0]["resourceClaimName"] = *p == 'r' ? "gone" + name : name;
    out.push_back(one);
  }
  return out;
}

}  // namespace draudit::test
