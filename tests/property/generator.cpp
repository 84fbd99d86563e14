#include "generator.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "support/splitmix.hpp"

namespace draudit::gen {
namespace {

using nlohmann::json;

/// Draw into a variable before a function call that draws twice: the order in which a compiler
/// evaluates arguments is its own.
class Random : public test::SplitMix {
 public:
  using SplitMix::SplitMix;

  /// 0 … n-1
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }

  bool chance(std::size_t percent) { return below(100) < percent; }

  std::string pick(std::initializer_list<const char*> words) {
    return words.begin()[below(words.size())];
  }

  std::size_t pick(std::initializer_list<std::size_t> numbers) {
    return numbers.begin()[below(numbers.size())];
  }

  /// An index, each as likely as its weight.
  std::size_t weighted(std::initializer_list<std::size_t> weights) {
    std::size_t total = 0;
    for (const std::size_t weight : weights) total += weight;
    std::size_t at = below(total);
    std::size_t index = 0;
    for (const std::size_t weight : weights) {
      if (at < weight) return index;
      at -= weight;
      ++index;
    }
    return 0;
  }

  std::string hex(std::size_t digits) {
    std::string result;
    for (std::size_t i = 0; i < digits; ++i) result += "0123456789abcdef"[below(16)];
    return result;
  }

  std::string uuid() {
    std::string result = hex(8);
    result += '-';
    result += hex(4);
    result += "-4";
    result += hex(3);
    result += '-';
    result += "89ab"[below(4)];
    result += hex(3);
    result += '-';
    result += hex(12);
    return result;
  }
};

json make_list(json items) {
  return {{"apiVersion", "v1"},
          {"kind", "List"},
          {"metadata", {{"resourceVersion", ""}}},
          {"items", std::move(items)}};
}

struct Device {
  std::string driver;
  std::string pool;
  std::string name;
};

struct NodeDraft {
  std::string name;
  bool suffixed = false;  ///< has a "…gpu" resource, see random_state()
  bool mig = false;
  std::string driver = "gpu.nvidia.com";
  std::string plugin = "nvidia.com/gpu";
  std::vector<Device> devices;  ///< what claims can hold, published or not
  std::vector<std::size_t> shared_claims;
};

struct PodDraft {
  json object;
  std::vector<std::pair<std::string, std::size_t>> claims;  ///< the pod's own name, claim
  std::vector<std::string> groups;                          ///< for the BindRequest
};

class Maker {
 public:
  Maker(std::uint64_t seed, const Options& options) : random_(seed), options_(options) {}

  json make() {
    // One API version for a whole dump: v1beta1 has requests without `exactly`.
    const std::size_t shape = options_.plain ? 0 : random_.weighted({85, 7, 8});
    api_ = shape == 0 ? "resource.k8s.io/v1"
                      : (shape == 1 ? "resource.k8s.io/v1beta2" : "resource.k8s.io/v1beta1");
    flat_ = shape == 2;
    const std::size_t count = 1 + random_.below(std::max<std::size_t>(options_.nodes, 1));
    for (std::size_t i = 0; i < count; ++i) drafts_.push_back(make_node(i));
    if (!options_.plain) make_network_slices();
    for (NodeDraft& node : drafts_) make_shared_claims(node);
    for (NodeDraft& node : drafts_) {
      // The fuller of two draws: pods that do not meet show little.
      const std::size_t once = random_.below(options_.pods_per_node + 1);
      const std::size_t twice = random_.below(options_.pods_per_node + 1);
      for (std::size_t i = 0; i < std::max(once, twice); ++i) make_pod(node);
    }
    make_classes();
    json items = json::array();
    for (json* kind : {&pods_, &claims_, &nodes_, &slices_, &classes_, &bind_requests_}) {
      for (json& object : *kind) items.push_back(std::move(object));
    }
    return make_list(std::move(items));
  }

 private:
  // -------------------------------------------------------------------------- small parts

  json metadata(const std::string& name, const std::string& space = {}) {
    const std::size_t day = 10 + random_.below(18);
    const std::size_t hour = 10 + random_.below(14);
    const std::string uid = random_.uuid();
    json result = {{"name", name},
                   {"uid", uid},
                   {"creationTimestamp",
                    "2026-11-" + std::to_string(day) + "T" + std::to_string(hour) + ":00:00Z"}};
    if (!space.empty()) result["namespace"] = space;
    return result;
  }

  std::string fresh(const std::string& stem) { return stem + "-" + std::to_string(serial_++); }

  std::string namespace_name() { return random_.pick({"voice", "train", "vllm"}); }

  /// The same number in one of the ways in which a quantity can be written.
  std::string spelled(std::size_t n) {
    const std::string plain = std::to_string(n);
    if (options_.plain || n == 0) return plain;
    switch (random_.weighted({80, 6, 4, 3, 3, 4})) {
      case 1: return plain + "000m";
      case 2: return plain + "e0";
      case 3: return plain + ".0";
      case 4: return "0.00" + plain + "k";
      case 5: return plain + "000000u";
      default: return plain;
    }
  }

  json published(const std::string& name) {
    json device = {{"name", name}};
    if (flat_) {
      device["basic"] = {{"attributes", {{"type", {{"string", "gpu"}}}}}};
    } else if (random_.chance(30)) {
      device["attributes"] = {{"type", {{"string", "gpu"}}}};
    }
    return device;
  }

  json& add_slice(const std::string& name, const std::string& driver, const std::string& pool,
                  std::size_t generation, std::size_t slices, json devices) {
    json slice = {{"apiVersion", api_}, {"kind", "ResourceSlice"}, {"metadata", metadata(name)}};
    slice["spec"] = {
        {"driver", driver},
        {"pool", {{"name", pool}, {"generation", generation}, {"resourceSliceCount", slices}}},
        {"devices", std::move(devices)}};
    slices_.push_back(std::move(slice));
    return slices_.back();
  }

  // -------------------------------------------------------------------------- nodes and slices

  NodeDraft make_node(std::size_t index) {
    NodeDraft node;
    node.name = "node-" + std::to_string(index);
    json labels = {{"kubernetes.io/hostname", node.name}};
    json allocatable = {{"cpu", "64"}, {"memory", "256Gi"}, {"pods", "110"}};
    // Device plugin, DRA, both (§3.4), or neither.
    const std::size_t kind =
        options_.plain ? random_.weighted({30, 50, 20, 0}) : random_.weighted({27, 45, 18, 10});
    std::size_t whole = 0;
    if (kind == 0 || kind == 2) {
      whole = random_.pick({1, 2, 4, 8});
      if (random_.chance(20)) node.plugin = "amd.com/gpu";
      allocatable[node.plugin] = spelled(whole);
      if (node.plugin == "nvidia.com/gpu" && random_.chance(8)) allocatable["amd.com/gpu"] = "2";
    }
    if (!options_.plain) decorate_node(node, kind, whole, labels, allocatable);
    json capacity = allocatable;
    // A GPU that its plugin holds for unhealthy leaves allocatable, not capacity (F13).
    if (whole > 0 && random_.chance(15)) capacity[node.plugin] = std::to_string(whole + 1);
    json object = {{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", metadata(node.name)}};
    object["metadata"]["labels"] = std::move(labels);
    object["status"] = {{"allocatable", std::move(allocatable)},
                        {"capacity", std::move(capacity)},
                        {"conditions", {{{"type", "Ready"}, {"status", "True"}}}}};
    nodes_.push_back(std::move(object));
    if (kind == 1 || kind == 2) {
      make_slices(node);
    } else if (!options_.plain) {
      // Devices that no slice offers: the driver is away (F14).
      for (std::size_t i = 0; i < 3; ++i) {
        node.devices.push_back({node.driver, node.name, "gpu-" + std::to_string(i)});
      }
    }
    return node;
  }

  void decorate_node(NodeDraft& node, std::size_t kind, std::size_t whole, json& labels,
                     json& allocatable) {
    if (random_.chance(7)) {  // F22
      node.suffixed = true;
      const std::string name = random_.pick({"metax-tech.com/gpu", "mthreads.com/vgpu"});
      allocatable[name] = spelled(random_.pick({1, 4, 8}));
      return;
    }
    if (kind != 1 && random_.chance(30)) {
      node.mig = true;
      allocatable["nvidia.com/mig-1g.10gb"] = random_.chance(75) ? spelled(7) : "0";
      if (random_.chance(40)) allocatable["nvidia.com/mig-3g.40gb"] = "2";
      if (random_.chance(70)) {
        labels["nvidia.com/mig.strategy"] = random_.pick({"mixed", "single"});
      }
      if (random_.chance(15)) {
        labels["node-role.kubernetes.io/mig-enabled"] = random_.pick({"true", "false"});
      }
    }
    if (random_.chance(45)) {  // F20 where it is above allocatable
      const std::size_t count = random_.chance(50) ? whole : random_.pick({1, 2, 4, 8});
      labels["nvidia.com/gpu.count"] = std::to_string(count);
      if (random_.chance(6)) labels["nvidia.com/gpu.count"] = "many";
    }
    if (random_.chance(60)) {
      labels["nvidia.com/gpu.memory"] =
          random_.pick({"81559", "40960", "15360", "4096", "4295000001", "x"});
    }
  }

  void make_slices(NodeDraft& node) {
    const std::size_t count = random_.pick({1, 1, 2, 4, 8});
    if (options_.plain) {
      node.driver = random_.pick({"gpu.nvidia.com", "gpu.nvidia.com", "gpu.amd.com"});
    } else {
      node.driver =
          random_.pick({"gpu.nvidia.com", "gpu.nvidia.com", "gpu.nvidia.com", "gpu.nvidia.com",
                        "gpu.amd.com", "gpu.intel.com", "GPU.example.com", "accel.example.com"});
    }
    const std::string pool = random_.chance(70) ? node.name : fresh("pool");
    for (std::size_t i = 0; i < count; ++i) {
      node.devices.push_back({node.driver, pool, "gpu-" + std::to_string(i)});
    }
    if (!options_.plain && random_.chance(8)) return;  // F14: held, but not published
    std::size_t offered = count;
    if (!options_.plain && count > 1 && random_.chance(12)) --offered;  // F13: withdrawn
    const std::size_t generation = options_.plain ? 1 : 1 + random_.below(3);
    // A pool of two slices needs both to be whole.
    const std::size_t first = offered > 1 && random_.chance(30) ? offered / 2 : offered;
    const std::size_t slices = first == offered ? 1 : 2;
    for (std::size_t part = 0; part < slices; ++part) {
      json devices = json::array();
      const std::size_t from = part == 0 ? 0 : first;
      const std::size_t to = part == 0 ? first : offered;
      for (std::size_t i = from; i < to; ++i) devices.push_back(published(node.devices[i].name));
      json& slice = add_slice(fresh(node.name + "-slice"), node.driver, pool, generation, slices,
                              std::move(devices));
      slice["spec"]["nodeName"] = node.name;
    }
    if (!options_.plain) make_odd_slices(node, pool, generation);
  }

  void make_odd_slices(NodeDraft& node, const std::string& pool, std::size_t generation) {
    if (generation > 1 && random_.chance(30)) {  // F15: the last generation is still there
      json devices = json::array();
      devices.push_back(published("gpu-0"));
      if (random_.chance(50)) devices.push_back(published("gpu-1"));
      json& slice = add_slice(fresh(node.name + "-old"), node.driver, pool, generation - 1, 1,
                              std::move(devices));
      slice["spec"]["nodeName"] = node.name;
    }
    if (random_.chance(12)) {  // F6, F15: partitions next to the whole GPU
      json devices = json::array();
      const std::size_t partitions = 1 + random_.below(4);
      for (std::size_t i = 0; i < partitions; ++i) {
        const std::string name = "gpu-0-mig-1g10gb-" + std::to_string(i);
        devices.push_back(published(name));
        node.devices.push_back({node.driver, pool, name});
      }
      json& slice = add_slice(fresh(node.name + "-mig"), node.driver, pool, generation, 2,
                              std::move(devices));
      slice["spec"]["nodeName"] = node.name;
    }
    if (random_.chance(20)) {  // another driver, whose devices are no GPUs
      const std::string driver = random_.pick({"dra.net", "compute-domain.nvidia.com"});
      json devices = json::array();
      devices.push_back(published("dev-0"));
      devices.push_back(published("dev-1"));
      json& slice =
          add_slice(fresh(node.name + "-net"), driver, node.name, 1, 1, std::move(devices));
      slice["spec"]["nodeName"] = node.name;
      if (random_.chance(50)) slice["spec"]["allNodes"] = false;
    }
    if (random_.chance(6)) {  // only counters
      json& slice = add_slice(fresh(node.name + "-counters"), node.driver, pool, generation, 2,
                              json::array());
      slice["spec"]["nodeName"] = node.name;
      slice["spec"].erase("devices");
      slice["spec"]["sharedCounters"] = {{{"name", "gpu-0"}}};
    }
  }

  /// F15: devices that every node can reach and that KAI counts for none.
  void make_network_slices() {
    if (!random_.chance(12)) return;
    const std::string driver = random_.pick({"gpu.nvidia.com", "gpu.intel.com", "dra.net"});
    json devices = json::array();
    for (std::size_t i = 0; i < 2; ++i) {
      devices.push_back(published("net-" + std::to_string(i)));
      for (NodeDraft& node : drafts_) {
        node.devices.push_back({driver, "fabric", "net-" + std::to_string(i)});
      }
    }
    json& slice = add_slice(fresh("fabric"), driver, "fabric", 1, 1, std::move(devices));
    if (random_.chance(60)) {
      slice["spec"]["allNodes"] = true;
    } else {
      slice["spec"]["nodeSelector"] = {{"nodeSelectorTerms",
                                        {{{"matchExpressions",
                                           {{{"key", "kubernetes.io/hostname"},
                                             {"operator", "In"},
                                             {"values", json::array({drafts_.front().name})}}}}}}}};
    }
  }

  void make_classes() {
    for (const char* name : {"gpu.nvidia.com", "gpu.amd.com", "shared-gpu", "gpu-direct-nic",
                             "nogpu", "h100", "mig.nvidia.com"}) {
      json object = {{"apiVersion", api_}, {"kind", "DeviceClass"}, {"metadata", metadata(name)}};
      object["spec"] = {{"selectors", {{{"cel", {{"expression", "true"}}}}}}};
      if (std::string_view(name) == "gpu.nvidia.com" && random_.chance(30)) {
        object["spec"]["extendedResourceName"] = "nvidia.com/gpu";
      }
      classes_.push_back(std::move(object));
    }
  }

  // -------------------------------------------------------------------------- claims

  json request(const std::string& name, const std::string& device_class, const std::string& mode,
               std::size_t count) {
    json exact = {{"deviceClassName", device_class}, {"allocationMode", mode}};
    if (count > 0) exact["count"] = count;
    if (!flat_) return {{"name", name}, {"exactly", std::move(exact)}};
    exact["name"] = name;
    return exact;
  }

  json& request_body(json& request) {
    return request.contains("exactly") ? request["exactly"] : request;
  }

  /// `count` devices of a driver on the node, in a row from a random one; unpublished ones where
  /// the node has too few.
  std::vector<Device> take(const NodeDraft& node, const std::string& driver, std::size_t count) {
    std::vector<Device> known;
    for (const Device& device : node.devices) {
      if (device.driver == driver) known.push_back(device);
    }
    std::vector<Device> result;
    const std::size_t start = random_.below(known.size() + 1);
    for (std::size_t i = 0; i < count; ++i) {
      if (i < known.size()) {
        result.push_back(known[(start + i) % known.size()]);
      } else {
        result.push_back({driver, node.name, "lost-" + std::to_string(i)});
      }
    }
    return result;
  }

  static json result(const std::string& request, const Device& device) {
    return {{"request", request},
            {"driver", device.driver},
            {"pool", device.pool},
            {"device", device.name}};
  }

  void allocate(json& claim, const NodeDraft& node, json results) {
    claim["status"]["allocation"] = {{"devices", {{"results", std::move(results)}}},
                                     {"nodeSelector",
                                      {{"nodeSelectorTerms",
                                        {{{"matchFields",
                                           {{{"key", "metadata.name"},
                                             {"operator", "In"},
                                             {"values", json::array({node.name})}}}}}}}}}};
  }

  std::size_t add_claim(const std::string& name, const std::string& space) {
    json claim = {{"apiVersion", api_},
                  {"kind", "ResourceClaim"},
                  {"metadata", metadata(name, space)},
                  {"status", json::object()}};
    claim["spec"] = {{"devices", {{"requests", json::array()}}}};
    claims_.push_back(std::move(claim));
    return claims_.size() - 1;
  }

  std::string matching_class(const NodeDraft& node) {
    if (node.driver == "gpu.amd.com") return "gpu.amd.com";
    return random_.chance(30) ? "shared-gpu" : "gpu.nvidia.com";
  }

  /// A claim that asks for devices and, mostly, holds them.
  std::size_t make_claim(const NodeDraft& node, const std::string& name, const std::string& space) {
    const std::size_t index = add_claim(name, space);
    json& claim = claims_[index];
    json& requests = claim["spec"]["devices"]["requests"];
    json results = json::array();
    std::size_t count = random_.pick({1, 1, 1, 2});
    const std::size_t kind = options_.plain ? 0 : random_.weighted({46, 10, 12, 9, 6, 6, 7, 4});
    std::string device_class = matching_class(node);
    std::string driver = node.driver;
    if (options_.plain) {
      const auto offers =
          std::count_if(node.devices.begin(), node.devices.end(),
                        [&driver](const Device& device) { return device.driver == driver; });
      count = std::min(count, static_cast<std::size_t>(std::max<std::ptrdiff_t>(offers, 1)));
    }
    switch (kind) {
      case 1:  // F2: all devices, counted as one
      case 2:  // F1: a monitor's view of all devices
        requests.push_back(request("all", device_class, "All", 0));
        if (kind == 2) request_body(requests.back())["adminAccess"] = true;
        for (const Device& device : take(node, driver, 2 + random_.below(4))) {
          results.push_back(result("all", device));
          if (kind == 2) results.back()["adminAccess"] = true;
        }
        break;
      case 3: {  // F7
        json first = {{"name", "big"},
                      {"deviceClassName", device_class},
                      {"allocationMode", "ExactCount"},
                      {"count", 1}};
        json second = first;
        second["name"] = "small";
        requests.push_back({{"name", "any"}, {"firstAvailable", {first, second}}});
        const std::string chosen = random_.chance(50) ? "any/big" : "any/small";
        for (const Device& device : take(node, driver, 1))
          results.push_back(result(chosen, device));
        break;
      }
      case 4:  // F5: named after GPUs, but none
        device_class = "gpu-direct-nic";
        driver = "dra.net";
        break;
      case 5:  // F4: GPUs of a driver that is not named after them
        device_class = "shared-gpu";
        driver = "accel.example.com";
        break;
      case 6:  // F6: GPUs of a class that is not named after them
        device_class = random_.pick({"h100", "mig.nvidia.com"});
        break;
      case 7:  // two requests, one of them for a GPU
        requests.push_back(request("nic", "h100", "ExactCount", 1));
        for (const Device& device : take(node, "dra.net", 1)) {
          results.push_back(result("nic", device));
        }
        break;
      default: break;
    }
    if (requests.empty() || kind == 7) {
      requests.push_back(request("gpu", device_class, "ExactCount", count));
      std::size_t held = count;
      if (!options_.plain && random_.chance(5)) held = 1 + random_.below(3);
      for (const Device& device : take(node, driver, held)) {
        results.push_back(result("gpu", device));
        if (!options_.plain && random_.chance(5)) results.back()["shareID"] = random_.uuid();
      }
      if (!options_.plain && random_.chance(4)) request_body(requests.back()).erase("count");
      if (!options_.plain && random_.chance(2)) {
        request_body(requests.back())["allocationMode"] = "Some";
      }
    }
    if (options_.plain || random_.chance(90)) allocate(claim, node, std::move(results));
    return index;
  }

  void make_shared_claims(NodeDraft& node) {
    if (options_.plain && node.devices.empty()) return;
    const std::size_t count = random_.below(4);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string space = namespace_name();
      node.shared_claims.push_back(make_claim(node, fresh("claim"), space));
    }
  }

  // -------------------------------------------------------------------------- pods

  json& container(PodDraft& pod) { return pod.object["spec"]["containers"][0]; }

  static json limited(const std::string& name, const std::string& amount) {
    return {{"requests", {{"cpu", "1"}, {name, amount}}}, {"limits", {{name, amount}}}};
  }

  PodDraft start_pod(const std::string& name, const std::string& space) {
    PodDraft pod;
    pod.object = {{"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", metadata(name, space)}};
    pod.object["metadata"]["labels"] = json::object();
    pod.object["metadata"]["annotations"] = {{"pod-group-name", "pg-" + name}};
    const bool other = random_.chance(10);
    pod.object["spec"] = {{"schedulerName", other ? "default-scheduler" : "kai-scheduler"},
                          {"containers",
                           {{{"name", "main"},
                             {"image", "registry.example/app:1"},
                             {"resources", {{"requests", {{"cpu", "1"}, {"memory", "1Gi"}}}}}}}}};
    pod.object["status"] = {{"phase", "Running"}};
    return pod;
  }

  /// Names a claim, also in the container, as the API server would have it.
  json& name_claim(PodDraft& pod, const std::string& local) {
    pod.object["spec"]["resourceClaims"].push_back({{"name", local}});
    container(pod)["resources"]["claims"].push_back({{"name", local}});
    return pod.object["spec"]["resourceClaims"].back();
  }

  void reserve(std::size_t claim, const PodDraft& pod) {
    const json& meta = pod.object["metadata"];
    json& reserved = claims_[claim]["status"]["reservedFor"];
    for (const json& consumer : reserved) {
      if (consumer["uid"] == meta["uid"]) return;
    }
    reserved.push_back({{"resource", "pods"}, {"name", meta["name"]}, {"uid", meta["uid"]}});
  }

  void use_shared(PodDraft& pod, std::size_t claim) {
    const std::string local = "c" + std::to_string(pod.claims.size());
    name_claim(pod, local)["resourceClaimName"] = claims_[claim]["metadata"]["name"];
    pod.claims.emplace_back(local, claim);
  }

  void use_generated(PodDraft& pod, const NodeDraft& node) {
    const std::string local = "t" + std::to_string(pod.claims.size());
    const std::string space = pod.object["metadata"]["namespace"].get<std::string>();
    const std::string name = fresh("generated");
    const std::size_t claim = make_claim(node, name, space);
    json& entry = name_claim(pod, local);
    entry["resourceClaimTemplateName"] = "template";
    if (options_.plain || random_.chance(92)) {
      pod.object["status"]["resourceClaimStatuses"].push_back(
          {{"name", local}, {"resourceClaimName", name}});
    }
    if (options_.plain || random_.chance(88)) own(claim, pod);  // else F24
    pod.claims.emplace_back(local, claim);
  }

  void own(std::size_t claim, const PodDraft& pod) {
    const json& meta = pod.object["metadata"];
    claims_[claim]["metadata"]["ownerReferences"].push_back({{"apiVersion", "v1"},
                                                             {"kind", "Pod"},
                                                             {"name", meta["name"]},
                                                             {"uid", meta["uid"]},
                                                             {"controller", true}});
  }

  void use_plugin(PodDraft& pod, const NodeDraft& node) {
    const std::string name = node.plugin;
    json& resources = container(pod)["resources"];
    std::size_t count = random_.pick({1, 1, 2, 3});
    // A literal zero next to the other vendor's GPUs would leave the sum to chance.
    const bool alone = !resources["requests"].contains("nvidia.com/gpu");
    if (!options_.plain && alone && random_.chance(4)) count = 0;
    const std::string amount = spelled(count);
    resources["requests"][name] = amount;
    resources["limits"][name] = amount;
    if (random_.chance(12)) {
      const std::string more = spelled(1);
      pod.object["spec"]["containers"].push_back({{"name", "second"},
                                                  {"image", "registry.example/app:1"},
                                                  {"resources", limited(name, more)}});
    }
    if (random_.chance(20)) {  // s10: sidecars and init containers, in any order
      const std::size_t extra = 1 + random_.below(3);
      for (std::size_t i = 0; i < extra; ++i) {
        const std::size_t wanted = random_.pick({1, 1, 2, 4});
        const std::string more = spelled(wanted);
        json init = {{"name", "init-" + std::to_string(i)},
                     {"image", "registry.example/app:1"},
                     {"resources", limited(name, more)}};
        if (random_.chance(50)) init["restartPolicy"] = "Always";
        pod.object["spec"]["initContainers"].push_back(std::move(init));
      }
    }
    if (random_.chance(5)) {
      pod.object["spec"]["overhead"] = {{"cpu", "100m"}, {name, "1"}};
    }
  }

  void use_fraction(PodDraft& pod, const NodeDraft& node) {
    if (node.suffixed) return;
    json& labels = pod.object["metadata"]["labels"];
    json& annotations = pod.object["metadata"]["annotations"];
    const std::size_t kind = random_.weighted({50, 25, 25});
    if (kind == 0 || random_.chance(5)) {
      annotations["gpu-fraction"] =
          random_.pick({"0.5", "0.5", "0.25", "0.3", "0.4", "1", "5e-1", "1.5", "half"});
    }
    if (kind == 1 || random_.chance(5)) {
      annotations["gpu-memory"] = random_.pick({"4000", "2000", "20000", "0", "-1", "4Gi"});
    }
    if (kind == 2) {
      if (random_.chance(60)) annotations["gpu-fraction"] = random_.pick({"0.5", "0.25"});
      if (!annotations.contains("gpu-fraction")) annotations["gpu-memory"] = "4000";
      annotations["gpu-fraction-num-devices"] = random_.pick({"2", "2", "3", "two"});
    }
    // Few groups, so that pods meet in them.
    const std::size_t first = random_.below(3);
    const std::size_t groups = kind == 2 ? 2 : 1;
    for (std::size_t i = 0; i < groups; ++i) {
      pod.groups.push_back("group-" + std::to_string((first + i) % 4));
    }
    // The binder gives a pod on several devices no plain label: only its BindRequest tells.
    if (kind != 2 || random_.chance(30)) labels["runai-gpu-group"] = pod.groups[0];
    if (kind == 2) {
      for (const std::string& group : pod.groups) labels["runai-gpu-group/" + group] = group;
    }
    if (random_.chance(8)) labels.erase("runai-gpu-group");
  }

  void use_mig(PodDraft& pod) {
    const std::string name = random_.pick({"nvidia.com/mig-1g.10gb", "nvidia.com/mig-1g.10gb",
                                           "nvidia.com/mig-3g.40gb", "nvidia.com/mig-1g.5gb"});
    if (random_.chance(25)) {
      pod.object["metadata"]["annotations"][name] = random_.pick({"1", "2", "one"});
      return;
    }
    const std::size_t count = random_.pick({1, 1, 2});
    const std::string amount = spelled(count);
    container(pod)["resources"]["requests"][name] = amount;
    container(pod)["resources"]["limits"][name] = amount;
  }

  /// §5.5: a claim that the scheduler made for an extended resource.
  void use_extended(PodDraft& pod, const NodeDraft& node) {
    const std::string space = pod.object["metadata"]["namespace"].get<std::string>();
    const std::string name = fresh("extended");
    const std::size_t index = add_claim(name, space);
    json& claim = claims_[index];
    claim["metadata"]["annotations"] = {
        {"resource.kubernetes.io/extended-resource-claim", random_.chance(90) ? "true" : "false"}};
    claim["spec"]["devices"]["requests"].push_back(
        request("container-0-request-0", "gpu.nvidia.com", "ExactCount", 1));
    json results = json::array();
    for (const Device& device : take(node, node.driver, 1)) {
      results.push_back(result("container-0-request-0", device));
    }
    allocate(claim, node, std::move(results));
    own(index, pod);
    reserve(index, pod);
    const std::string resource =
        random_.chance(70) ? "nvidia.com/gpu" : "deviceclass.resource.kubernetes.io/gpu.nvidia.com";
    container(pod)["resources"]["requests"][resource] = "1";
    container(pod)["resources"]["limits"][resource] = "1";
    pod.object["status"]["extendedResourceClaimStatus"] = {{"resourceClaimName", name}};
  }

  void use_missing(PodDraft& pod, const NodeDraft& node, std::size_t claim) {
    const std::string gone = fresh("missing");
    if (random_.chance(65)) {  // F12
      name_claim(pod, "gone")["resourceClaimName"] = gone;
      use_shared(pod, claim);
    } else {
      use_shared(pod, claim);
      json& entry = name_claim(pod, "gone");
      entry[random_.chance(50) ? "resourceClaimName" : "resourceClaimTemplateName"] = gone;
      if (random_.chance(40)) use_generated(pod, node);
    }
  }

  void make_pod(NodeDraft& node) {
    const std::size_t reservations = random_.below(100);
    if (reservations < 7) {
      make_reservation_pod(node);
      return;
    }
    std::string space = namespace_name();
    const bool has_claim = !node.shared_claims.empty();
    const std::size_t shared =
        has_claim ? node.shared_claims[random_.below(node.shared_claims.size())] : 0;
    std::size_t trait = options_.plain ? random_.weighted({8, 30, 45, 17, 0, 0, 0, 0, 0, 0, 0})
                                       : random_.weighted({6, 17, 28, 11, 4, 6, 4, 14, 6, 4, 2});
    const bool by_name = trait == 2 || trait == 4 || trait == 5 || trait == 6;
    if (by_name && !has_claim) trait = 1;
    if (options_.plain && trait == 3 && node.devices.empty()) trait = 1;
    if (by_name && has_claim && trait != 6) {
      space = claims_[shared]["metadata"]["namespace"].get<std::string>();
    }
    PodDraft pod = start_pod(fresh(random_.pick({"tts", "worker", "job", "infer"})), space);
    use_trait(pod, node, trait, shared);
    if (!options_.plain && random_.chance(18)) {  // F16, and other company
      const std::size_t second = random_.weighted({0, 35, 0, 25, 0, 0, 0, 20, 20, 0, 0});
      if (second != trait) use_trait(pod, node, second, shared);
    }
    if (!options_.plain && random_.chance(3)) {  // F21
      pod.object["metadata"]["labels"]["app"] = "kai-resource-reservation";
    }
    place(pod, node);
  }

  void use_trait(PodDraft& pod, NodeDraft& node, std::size_t trait, std::size_t shared) {
    switch (trait) {
      case 1: use_plugin(pod, node); break;
      case 2: {
        use_shared(pod, shared);
        // A second claim of the same namespace, where there is one.
        const std::size_t other = node.shared_claims[random_.below(node.shared_claims.size())];
        if (random_.chance(20) && other != shared &&
            claims_[other]["metadata"]["namespace"] == pod.object["metadata"]["namespace"]) {
          use_shared(pod, other);
        }
        break;
      }
      case 3: use_generated(pod, node); break;
      case 4:  // F3
        use_shared(pod, shared);
        use_shared(pod, shared);
        break;
      case 5: use_missing(pod, node, shared); break;
      case 6:  // maybe in another namespace, where it is missing
        use_shared(pod, shared);
        break;
      case 7: use_fraction(pod, node); break;
      case 8: use_mig(pod); break;
      case 9: use_extended(pod, node); break;
      case 10: {  // F22
        const std::string name = random_.pick({"metax-tech.com/gpu", "mthreads.com/vgpu"});
        container(pod)["resources"]["requests"][name] = spelled(1);
        break;
      }
      default: break;
    }
  }

  void make_reservation_pod(NodeDraft& node) {
    const std::string name = "gpu-reservation-" + random_.hex(16);
    PodDraft pod = start_pod(name, "kai-resource-reservation");
    pod.object["metadata"]["labels"] = {{"app", "kai-resource-reservation"},
                                        {"runai-gpu-group", "group-" + random_.hex(1)}};
    pod.object["metadata"]["annotations"] = {{"run.ai/reserve_for_gpu_index", "0"}};
    container(pod)["resources"] = limited("nvidia.com/gpu", "1");
    if (!options_.plain && !node.suffixed && random_.chance(10)) {
      pod.object["metadata"]["annotations"]["gpu-fraction"] = "0.5";
    }
    if (!options_.plain && !node.shared_claims.empty() && random_.chance(15)) {
      const std::size_t claim = node.shared_claims[0];
      pod.object["metadata"]["namespace"] = claims_[claim]["metadata"]["namespace"];
      use_shared(pod, claim);
    }
    place(pod, node);
  }

  // -------------------------------------------------------------------------- status

  static std::string ago(std::size_t seconds) {
    if (seconds == 0) return "2026-12-01T00:00:00Z";
    const std::size_t left = 3600 - seconds;
    const auto two = [](std::size_t n) {
      std::string digits = std::to_string(n);
      if (digits.size() < 2) digits.insert(digits.begin(), '0');
      return digits;
    };
    return "2026-11-30T23:" + two(left / 60) + ":" + two(left % 60) + "Z";
  }

  /// Gives the pod a status (§4) and a place, and puts it into the cluster.
  void place(PodDraft& pod, NodeDraft& node) {
    json& meta = pod.object["metadata"];
    json& spec = pod.object["spec"];
    json& status = pod.object["status"];
    const std::size_t kind =
        random_.weighted({54, 6, 3, 5, 7, 9, 3, 2, 2, 3, 2, 1, 2, options_.plain ? 0U : 1U});
    bool bound = true;
    bool alive = true;
    bool selected = false;
    switch (kind) {
      case 1:  // Releasing
        meta["deletionTimestamp"] = ago(random_.pick({0, 1, 60, 119}));
        if (random_.chance(20)) meta["deletionTimestamp"] = "2026-12-01T00:00:30Z";
        break;
      case 2: meta["deletionTimestamp"] = ago(random_.pick({120, 121})); break;   // the threshold
      case 3: meta["deletionTimestamp"] = ago(random_.pick({300, 1200})); break;  // stuck
      case 4: status["phase"] = "Pending"; break;                                 // Bound
      case 5:                                                                     // Binding
        status["phase"] = "Pending";
        bound = false;
        selected = true;
        break;
      case 6:  // Releasing before it ran, on a node or on none
        status["phase"] = "Pending";
        meta["deletionTimestamp"] = ago(random_.pick({10, 600}));
        bound = random_.chance(60);
        selected = !bound && random_.chance(50);
        break;
      case 7:  // Gated
        status["phase"] = "Pending";
        spec["schedulingGates"] = {{{"name", "example.com/wait"}}};
        bound = false;
        alive = false;
        break;
      case 8:  // Pending
        status["phase"] = "Pending";
        bound = false;
        alive = false;
        break;
      case 9:
        status["phase"] = "Succeeded";
        if (random_.chance(20)) meta["deletionTimestamp"] = ago(30);
        alive = random_.chance(20);
        break;
      case 10:
        status["phase"] = "Failed";
        alive = random_.chance(20);
        break;
      case 11: status["phase"] = "Unknown"; break;  // F19
      case 12:                                      // a node that is gone
        bound = false;
        spec["nodeName"] = "gone";
        break;
      case 13: status.erase("phase"); break;
      default: break;
    }
    if (bound) spec["nodeName"] = node.name;
    if (alive) {
      for (const auto& [local, claim] : pod.claims) {
        if (options_.plain || random_.chance(93)) reserve(claim, pod);
      }
    }
    request_binding(pod, node, bound, selected);
    pods_.push_back(std::move(pod.object));
  }

  void request_binding(const PodDraft& pod, const NodeDraft& node, bool bound, bool selected) {
    // Kept for the life of its pod, so many a running pod has one.
    const bool leftover =
        bound && (random_.chance(15) || (!pod.groups.empty() && random_.chance(50)));
    const bool given_up = !bound && !selected && random_.chance(30);
    if (!selected && !leftover && !given_up) return;
    const json& meta = pod.object["metadata"];
    const std::string name = meta["name"].get<std::string>();
    json object = {{"apiVersion", "scheduling.run.ai/v1alpha2"},
                   {"kind", "BindRequest"},
                   {"metadata", metadata(name, meta["namespace"].get<std::string>())}};
    object["metadata"]["ownerReferences"] = {
        {{"apiVersion", "v1"}, {"kind", "Pod"}, {"name", name}, {"uid", meta["uid"]}}};
    json& spec = object["spec"];
    spec = {{"podName", name},
            {"selectedNode", node.name},
            {"receivedResourceType", pod.groups.empty() ? "Regular" : "Fraction"}};
    if (!options_.plain && random_.chance(5)) spec["selectedNode"] = "gone";
    if (!options_.plain && !options_.node_local && random_.chance(6)) {
      spec["selectedNode"] = drafts_[random_.below(drafts_.size())].name;
    }
    if (!pod.groups.empty() && random_.chance(80)) spec["selectedGPUGroups"] = pod.groups;
    for (const auto& [local, claim] : pod.claims) {
      json update = {{"name", local}};
      const json& held = claims_[claim]["status"];
      if (held.contains("allocation")) update["allocation"] = held["allocation"];
      if (!options_.plain) disagree(update, node);
      spec["resourceClaimAllocations"].push_back(std::move(update));
    }
    if (given_up || (!options_.plain && random_.chance(10))) {
      const std::size_t attempts = random_.below(4);
      object["status"] = {{"phase", "Failed"}};
      if (attempts > 0) object["status"]["failedAttempts"] = attempts;
      if (!options_.plain && random_.chance(50)) spec["backoffLimit"] = 2;  // not given up yet?
    } else {
      const std::string phase = random_.pick({"Succeeded", "Succeeded", "Pending", ""});
      if (!phase.empty()) object["status"] = {{"phase", phase}};
    }
    bind_requests_.push_back(std::move(object));
  }

  /// F11: what the BindRequest says of a claim need not be what the claim says.
  void disagree(json& update, const NodeDraft& node) {
    const std::size_t kind = random_.weighted({65, 20, 8, 7});
    if (kind == 1) {
      const std::string driver = node.driver;
      json results = json::array();
      for (const Device& device : take(node, driver, 1)) results.push_back(result("gpu", device));
      update["allocation"] = {{"devices", {{"results", std::move(results)}}}};
    } else if (kind == 2) {
      update.erase("allocation");
    } else if (kind == 3) {
      update["allocation"] = nullptr;
    }
  }

  Random random_;
  Options options_;
  std::string api_;
  bool flat_ = false;
  std::size_t serial_ = 0;
  std::vector<NodeDraft> drafts_;
  json pods_ = json::array();
  json claims_ = json::array();
  json nodes_ = json::array();
  json slices_ = json::array();
  json classes_ = json::array();
  json bind_requests_ = json::array();
};

// ---------------------------------------------------------------------------- renaming

class Renamer {
 public:
  explicit Renamer(std::uint64_t seed) : random_(seed) {}

  void rename(json& object) {
    uids(object);
    const std::string kind = object.value("kind", "");
    if (!object.contains("metadata") || !object["metadata"].is_object()) return;
    json& meta = object["metadata"];
    name(meta, "namespace", "namespace");
    if (meta.contains("ownerReferences")) {
      for (json& owner : meta["ownerReferences"]) {
        if (owner.value("kind", "") == "Pod") name(owner, "name", "pod");
        if (owner.value("kind", "") == "Node") name(owner, "name", "node");
      }
    }
    if (kind == "Pod") pod(object);
    if (kind == "ResourceClaim") claim(object);
    if (kind == "ResourceSlice") slice(object);
    if (kind == "BindRequest") bind_request(object);
    if (kind == "Node") {
      name(meta, "name", "node");
      if (meta.contains("labels")) name(meta["labels"], "kubernetes.io/hostname", "node");
    }
  }

 private:
  using Names = std::map<std::string, std::string>;

  static bool means_something(const std::string& kind, const std::string& old) {
    return old.empty() || (kind == "namespace" &&
                           (old == "kai-resource-reservation" || old == "kai-scale-adjust"));
  }

  std::string renamed(const std::string& kind, const std::string& old) {
    if (means_something(kind, old)) return old;
    Names& names = names_[kind];
    const auto found = names.find(old);
    if (found != names.end()) return found->second;
    constexpr std::string_view kReservation = "gpu-reservation-";
    std::string fresh;
    do {
      if (kind == "uid") {
        fresh = random_.uuid();
      } else if (kind == "pod" && old.rfind(kReservation, 0) == 0) {
        fresh = std::string(kReservation) + random_.hex(16);
      } else {
        fresh.clear();
        const std::size_t length = 4 + random_.below(8);
        for (std::size_t i = 0; i < length; ++i) {
          fresh += "abcdefghijklmnopqrstuvwxyz"[random_.below(26)];
        }
      }
    } while (!taken_.insert(fresh).second);
    names[old] = fresh;
    return fresh;
  }

  void name(json& object, const char* field, const std::string& kind) {
    if (!object.is_object()) return;
    const auto found = object.find(field);
    if (found == object.end() || !found->is_string()) return;
    *found = renamed(kind, found->get<std::string>());
  }

  void uids(json& value) {
    if (value.is_object()) name(value, "uid", "uid");
    if (value.is_object() || value.is_array()) {
      for (json& part : value) uids(part);
    }
  }

  void node_selector(json& selector) {
    if (!selector.is_object() || !selector.contains("nodeSelectorTerms")) return;
    for (json& term : selector["nodeSelectorTerms"]) {
      for (const char* list : {"matchFields", "matchExpressions"}) {
        if (!term.contains(list)) continue;
        for (json& match : term[list]) {
          const std::string key = match.value("key", "");
          if (key != "metadata.name" && key != "kubernetes.io/hostname") continue;
          for (json& value : match["values"]) value = renamed("node", value.get<std::string>());
        }
      }
    }
  }

  void allocation(json& object) {
    if (!object.is_object()) return;
    if (object.contains("nodeSelector")) node_selector(object["nodeSelector"]);
    if (!object.contains("devices") || !object["devices"].contains("results")) return;
    for (json& result : object["devices"]["results"]) {
      name(result, "pool", "pool");
      name(result, "device", "device");
    }
  }

  void pod(json& object) {
    name(object["metadata"], "name", "pod");
    json& spec = object["spec"];
    name(spec, "nodeName", "node");
    if (spec.contains("resourceClaims")) {
      for (json& entry : spec["resourceClaims"]) name(entry, "resourceClaimName", "claim");
    }
    if (!object.contains("status")) return;
    json& status = object["status"];
    if (status.contains("resourceClaimStatuses")) {
      for (json& entry : status["resourceClaimStatuses"]) {
        name(entry, "resourceClaimName", "claim");
      }
    }
    if (status.contains("extendedResourceClaimStatus")) {
      name(status["extendedResourceClaimStatus"], "resourceClaimName", "claim");
    }
  }

  void claim(json& object) {
    name(object["metadata"], "name", "claim");
    if (!object.contains("status")) return;
    json& status = object["status"];
    if (status.contains("allocation")) allocation(status["allocation"]);
    if (!status.contains("reservedFor")) return;
    for (json& consumer : status["reservedFor"]) {
      if (consumer.value("resource", "") == "pods") name(consumer, "name", "pod");
    }
  }

  void slice(json& object) {
    name(object["metadata"], "name", "slice");
    json& spec = object["spec"];
    name(spec, "nodeName", "node");
    if (spec.contains("nodeSelector")) node_selector(spec["nodeSelector"]);
    if (spec.contains("pool")) name(spec["pool"], "name", "pool");
    if (!spec.contains("devices")) return;
    for (json& device : spec["devices"]) {
      name(device, "name", "device");
      name(device, "nodeName", "node");
    }
  }

  void bind_request(json& object) {
    name(object["metadata"], "name", "pod");
    json& spec = object["spec"];
    name(spec, "podName", "pod");
    name(spec, "selectedNode", "node");
    if (!spec.contains("resourceClaimAllocations")) return;
    for (json& update : spec["resourceClaimAllocations"]) {
      if (update.contains("allocation")) allocation(update["allocation"]);
    }
  }

  Random random_;
  std::map<std::string, Names> names_;
  std::set<std::string> taken_;
};

std::string at(const json& object, const char* part, const char* field) {
  if (!object.contains(part) || !object[part].contains(field)) return {};
  const json& value = object[part][field];
  return value.is_string() ? value.get<std::string>() : std::string();
}

}  // namespace

json random_state(std::uint64_t seed, const Options& options) {
  return Maker(seed, options).make();
}

namespace {

/// Adds to a state what only the rules about devices look at.
class Decorator {
 public:
  Decorator(json& list, std::uint64_t seed) : random_(seed ^ 0xdeadU), items_(list["items"]) {}

  void decorate() {
    json more = json::array();
    for (json& item : items_) {
      if (item["kind"] == "ResourceSlice") slice(item, more);
    }
    for (json& item : items_) {
      if (item["kind"] == "ResourceClaim") claim(item, more);
    }
    for (json& item : more) items_.push_back(std::move(item));
  }

 private:
  void slice(json& object, json& more) {
    json& spec = object["spec"];
    json& pool = spec["pool"];
    const bool wrapped = object["apiVersion"] == "resource.k8s.io/v1beta1";
    const auto members = [wrapped](json& device) -> json& {
      return wrapped ? device["basic"] : device;
    };
    if (random_.chance(12)) pool["resourceSliceCount"] = pool["resourceSliceCount"].get<int>() + 1;
    if (!spec.contains("devices") || spec["devices"].empty()) return;
    json& devices = spec["devices"];
    const bool counted = random_.chance(30);
    const bool shareable = random_.chance(30);
    if (counted) {
      spec["sharedCounters"] = {
          {{"name", "s"}, {"counters", {{"memory", {{"value", random_.pick({"10", "1000"})}}}}}}};
    }
    for (json& device : devices) {
      json& in = members(device);
      if (counted) {
        in["consumesCounters"] = {{{"counterSet", random_.chance(95) ? "s" : "t"},
                                   {"counters", {{"memory", {{"value", "6"}}}}}}};
      }
      if (shareable) {
        in["allowMultipleAllocations"] = true;
        in["capacity"] = {{"memory", {{"value", "10"}}}};
      }
      if (random_.chance(10)) {
        const std::string effect = random_.pick({"NoExecute", "NoSchedule", "None"});
        in["taints"] = {
            {{"key", "broken"}, {"effect", effect}, {"timeAdded", "2026-11-29T00:00:00Z"}}};
      }
    }
    if (random_.chance(6)) {
      const json twice = devices.front();
      devices.push_back(twice);
    }
    if (random_.chance(15)) {
      json older = object;
      older["metadata"]["name"] = object["metadata"]["name"].get<std::string>() + "-older";
      older["metadata"]["uid"] = random_.uuid();
      pool["generation"] = pool["generation"].get<int>() + 1;
      if (random_.chance(50)) devices.erase(devices.size() - 1);
      more.push_back(std::move(older));
    }
  }

  void claim(json& object, json& more) {
    if (!object.contains("status") || !object["status"].contains("allocation")) return;
    json& allocation = object["status"]["allocation"];
    if (allocation.is_null() || !allocation["devices"].contains("results")) return;
    const bool shares = random_.chance(25);
    for (json& row : allocation["devices"]["results"]) {
      if (!shares || row.value("adminAccess", json(false)) == true) continue;
      row["shareID"] = random_.pick({"one", "two", "three"});
      row["consumedCapacity"] = {{"memory", random_.pick({"3", "6"})}};
    }
    if (!random_.chance(10)) return;
    json twin = object;
    twin["metadata"]["name"] = object["metadata"]["name"].get<std::string>() + "-twin";
    twin["metadata"]["uid"] = random_.uuid();
    twin["metadata"].erase("ownerReferences");
    twin["metadata"].erase("annotations");
    twin["status"].erase("reservedFor");
    if (shares && random_.chance(50)) {
      for (json& row : twin["status"]["allocation"]["devices"]["results"]) row.erase("shareID");
    }
    more.push_back(std::move(twin));
  }

  Random random_;
  json& items_;
};

}  // namespace

json random_dra_state(std::uint64_t seed, const Options& options) {
  json list = random_state(seed, options);
  Decorator(list, seed).decorate();
  return list;
}

json rename_everything(const json& list, std::uint64_t seed) {
  json result = list;
  Renamer renamer(seed);
  for (json& object : result["items"]) renamer.rename(object);
  return result;
}

std::vector<json> split_by_node(const json& list) {
  // Where a pod without a node of its own is headed.
  std::map<std::string, std::string> selected;
  for (const json& object : list["items"]) {
    if (object["kind"] != "BindRequest") continue;
    const std::string key =
        at(object, "metadata", "namespace") + "/" + at(object, "spec", "podName");
    selected[key] = at(object, "spec", "selectedNode");
  }
  const auto concerns = [&selected](const json& object, const std::string& node) {
    const std::string kind = object["kind"].get<std::string>();
    const std::string name = at(object, "metadata", "name");
    if (kind == "Node") return name == node;
    if (kind == "BindRequest") return at(object, "spec", "selectedNode") == node;
    if (kind == "ResourceSlice") {
      const std::string only = at(object, "spec", "nodeName");
      return only.empty() || only == node;
    }
    if (kind == "Pod") {
      const std::string bound = at(object, "spec", "nodeName");
      if (!bound.empty()) return bound == node;
      const auto found = selected.find(at(object, "metadata", "namespace") + "/" + name);
      return found != selected.end() && found->second == node;
    }
    return true;
  };
  std::vector<json> parts;
  for (const json& object : list["items"]) {
    if (object["kind"] != "Node") continue;
    const std::string node = at(object, "metadata", "name");
    json items = json::array();
    for (const json& candidate : list["items"]) {
      if (concerns(candidate, node)) items.push_back(candidate);
    }
    parts.push_back(make_list(std::move(items)));
  }
  return parts;
}

}  // namespace draudit::gen
