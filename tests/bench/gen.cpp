// Writes a synthetic dump that looks like kubectl's: bench-gen PODS [indented|compact|ndjson|yaml]
//
// Thirty pods a node, as large as those of production: two containers with probes, environment,
// mounts, volumes, conditions and statuses. Four of ten pods share a claim with another one, three
// have one of their own. A node has 8 GPUs and 16 NICs; on one node of eight all that is shared
// are GPUs, so that KAI without the fix counts more than there are.
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "support/splitmix.hpp"

namespace {

using Json = nlohmann::ordered_json;

constexpr int kPodsANode = 30;
constexpr int kSharedClaims = 6;  // of two pods each
constexpr int kOwnClaims = 9;

enum class Shape { indented, compact, ndjson, yaml };

using Dice = draudit::test::SplitMix;

std::string hex(Dice& dice, int digits) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (int i = 0; i < digits; ++i) out += kDigits[dice.next() % kDigits.size()];
  return out;
}

std::string uid(Dice& dice) {
  return hex(dice, 8) + '-' + hex(dice, 4) + "-4" + hex(dice, 3) + "-a" + hex(dice, 3) + '-' +
         hex(dice, 12);
}

std::string padded(int n) {
  std::string s = std::to_string(n);
  return std::string(s.size() < 5 ? 5 - s.size() : 0, '0') + s;
}

std::string node_name(int node) { return "gpu-node-" + padded(node); }
std::string device_name(bool gpu, int i) { return (gpu ? "gpu-" : "nic-") + std::to_string(i); }
std::string driver(bool gpu) { return gpu ? "gpu.nvidia.com" : "nic.example.com"; }
bool all_gpus(int node) { return node % 8 == 0; }

Json meta(Dice& dice, const std::string& ns, const std::string& name) {
  Json m;
  m["creationTimestamp"] = "2026-11-30T08:15:42Z";
  m["name"] = name;
  if (!ns.empty()) m["namespace"] = ns;
  m["resourceVersion"] = std::to_string(100000000 + dice.next() % 900000000);
  m["uid"] = uid(dice);
  return m;
}

/// The claim behind a pod's place on its node: shared by two, its own, or none.
struct Use {
  int claim = -1;
  bool shared = false;
};
Use use_of(int place) {
  if (place < 2 * kSharedClaims) return {place / 2, true};
  if (place < 2 * kSharedClaims + kOwnClaims) return {place - kSharedClaims, false};
  return {};
}

struct Device {
  bool gpu = false;
  int index = 0;
};
Device device_of(int node, int claim) {
  const int gpus_shared = all_gpus(node) ? kSharedClaims : kSharedClaims / 2;
  if (claim < gpus_shared) return {true, claim};
  if (claim < kSharedClaims) return {false, claim};
  const int own = claim - kSharedClaims;
  if (own < 2) return {true, gpus_shared + own};
  return {false, kSharedClaims + own};
}

std::string pod_name(int node, int place) {
  return "inference-server-" + padded(node) + "-" + std::to_string(place);
}
std::string claim_name(int node, int claim) {
  return claim < kSharedClaims ? "shared-" + padded(node) + "-" + std::to_string(claim)
                               : pod_name(node, claim + kSharedClaims) + "-accelerator-x7k2p";
}

Json probe(int port) {
  return {{"failureThreshold", 3},
          {"httpGet", {{"path", "/v2/health/ready"}, {"port", port}, {"scheme", "HTTP"}}},
          {"initialDelaySeconds", 30},
          {"periodSeconds", 10},
          {"successThreshold", 1},
          {"timeoutSeconds", 5}};
}

Json container(Dice& dice, const std::string& name, bool claims, int variables) {
  Json env = Json::array();
  for (int i = 0; i < variables; ++i) {
    if (i % 4 == 3) {
      env.push_back({{"name", "SECRET_" + std::to_string(i)},
                     {"valueFrom",
                      {{"secretKeyRef",
                        {{"key", "token-" + std::to_string(i)},
                         {"name", "inference-credentials-" + std::to_string(i % 3)},
                         {"optional", false}}}}}});
    } else {
      env.push_back({{"name", "MODEL_OPTION_" + std::to_string(i)},
                     {"value", "--cache-\"size\"=" + std::to_string(dice.next() % 100000)}});
    }
  }
  Json mounts = Json::array();
  for (const std::string_view mount : {"models", "shm"}) {
    mounts.push_back({{"mountPath", "/var/lib/inference/" + std::string{mount}},
                      {"name", mount},
                      {"readOnly", mount != "cache"}});
  }
  mounts.push_back({{"mountPath", "/var/run/secrets/kubernetes.io/serviceaccount"},
                    {"name", "kube-api-access-" + hex(dice, 5)},
                    {"readOnly", true}});
  Json out = {{"args",
               {"--model-repository=/var/lib/inference/models", "--strict-readiness=true",
                "--http-port=8000", "--grpc-port=8001", "--metrics-port=8002", "--log-format=json",
                "--backend-config=python,shm-default-byte-size=8388608"}},
              {"command", {"/bin/sh", "-c", "exec tritonserver \"$@\" 2>&1\n", "--"}},
              {"env", env},
              {"image", "registry.example.com/inference/" + name + ":24.08.1-py3"},
              {"imagePullPolicy", "IfNotPresent"},
              {"name", name},
              {"ports", {{{"containerPort", 8000}, {"name", "http"}, {"protocol", "TCP"}}}},
              {"readinessProbe", probe(8000)},
              {"resources",
               {{"limits", {{"cpu", "8"}, {"memory", "64Gi"}}},
                {"requests", {{"cpu", "4"}, {"ephemeral-storage", "20Gi"}, {"memory", "48Gi"}}}}},
              {"securityContext",
               {{"allowPrivilegeEscalation", false},
                {"capabilities", {{"drop", {"ALL"}}}},
                {"runAsNonRoot", true},
                {"seccompProfile", {{"type", "RuntimeDefault"}}}}},
              {"terminationMessagePath", "/dev/termination-log"},
              {"terminationMessagePolicy", "File"},
              {"volumeMounts", mounts}};
  if (claims) out["resources"]["claims"] = {{{"name", "accelerator"}}};
  return out;
}

Json status_of(Dice& dice, const std::string& name) {
  return {{"containerID", "containerd://" + hex(dice, 64)},
          {"image", "registry.example.com/inference/" + name + ":24.08.1-py3"},
          {"imageID", "registry.example.com/inference/" + name + "@sha256:" + hex(dice, 64)},
          {"lastState", Json::object()},
          {"name", name},
          {"ready", true},
          {"restartCount", static_cast<int>(dice.next() % 3)},
          {"started", true},
          {"state", {{"running", {{"startedAt", "2026-11-30T08:16:21Z"}}}}}};
}

Json pod(int node, int place) {
  Dice dice(static_cast<std::uint64_t>(node) * 64 + static_cast<std::uint64_t>(place));
  const Use use = use_of(place);
  Json m = meta(dice, "serving", pod_name(node, place));
  m["annotations"] = {{"cni.example.com/network-status",
                       "[{\n    \"name\": \"k8s-pod-network\",\n    \"ips\": [\n        \"10.128." +
                           std::to_string(node % 250) + "." + std::to_string(place) +
                           "\"\n    ],\n    \"default\": true,\n    \"dns\": {}\n}]"},
                      {"kubernetes.io/config.seen", "2026-11-30T08:15:42.103947212Z"},
                      {"pod-group-name", "pg-inference-" + std::to_string(node)},
                      {"prometheus.io/path", "/metrics"},
                      {"prometheus.io/port", "8002"},
                      {"prometheus.io/scrape", "true"}};
  m["labels"] = {{"app.kubernetes.io/component", "server"},
                 {"app.kubernetes.io/instance", "inference-" + std::to_string(node % 40)},
                 {"app.kubernetes.io/managed-by", "Helm"},
                 {"app.kubernetes.io/name", "inference-server"},
                 {"app.kubernetes.io/version", "24.08.1"},
                 {"controller-revision-hash", "inference-server-" + hex(dice, 10)},
                 {"kai.scheduler/queue", "serving"}};
  m["ownerReferences"] = {{{"apiVersion", "apps/v1"},
                           {"blockOwnerDeletion", true},
                           {"controller", true},
                           {"kind", "ReplicaSet"},
                           {"name", "inference-server-" + hex(dice, 10)},
                           {"uid", uid(dice)}}};
  Json volumes = Json::array();
  for (const std::string_view volume : {"models"}) {
    volumes.push_back({{"name", volume},
                       {"persistentVolumeClaim",
                        {{"claimName", std::string{volume} + "-" + std::to_string(node)},
                         {"readOnly", volume == "models"}}}});
  }
  volumes.push_back({{"emptyDir", {{"medium", "Memory"}, {"sizeLimit", "16Gi"}}}, {"name", "shm"}});
  Json spec = {{"affinity",
                {{"nodeAffinity",
                  {{"requiredDuringSchedulingIgnoredDuringExecution",
                    {{"nodeSelectorTerms",
                      {{{"matchExpressions",
                         {{{"key", "nvidia.com/gpu.product"},
                           {"operator", "In"},
                           {"values", {"NVIDIA-H100-80GB-HBM3", "NVIDIA-H200"}}}}}}}}}}}}}},
               {"automountServiceAccountToken", true},
               {"containers",
                {container(dice, "tritonserver", use.claim >= 0, 5),
                 container(dice, "metrics-proxy", false, 1)}},
               {"dnsPolicy", "ClusterFirst"},
               {"enableServiceLinks", true},
               {"nodeName", node_name(node)},
               {"preemptionPolicy", "PreemptLowerPriority"},
               {"priority", 100},
               {"priorityClassName", "inference"},
               {"restartPolicy", "Always"},
               {"schedulerName", "kai-scheduler"},
               {"securityContext", {{"fsGroup", 1000}, {"runAsUser", 1000}}},
               {"serviceAccount", "inference"},
               {"serviceAccountName", "inference"},
               {"terminationGracePeriodSeconds", 60},
               {"tolerations",
                {{{"effect", "NoSchedule"}, {"key", "nvidia.com/gpu"}, {"operator", "Exists"}},
                 {{"effect", "NoExecute"},
                  {"key", "node.kubernetes.io/not-ready"},
                  {"operator", "Exists"},
                  {"tolerationSeconds", 300}},
                 {{"effect", "NoExecute"},
                  {"key", "node.kubernetes.io/unreachable"},
                  {"operator", "Exists"},
                  {"tolerationSeconds", 300}}}},
               {"volumes", volumes}};
  Json conditions = Json::array();
  for (const std::string_view type :
       {"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"}) {
    conditions.push_back({{"lastProbeTime", nullptr},
                          {"lastTransitionTime", "2026-11-30T08:16:22Z"},
                          {"observedGeneration", 1},
                          {"status", "True"},
                          {"type", type}});
  }
  const std::string ip = "10.128." + std::to_string(node % 250) + "." + std::to_string(place);
  Json status = {
      {"conditions", conditions},
      {"containerStatuses", {status_of(dice, "metrics-proxy"), status_of(dice, "tritonserver")}},
      {"hostIP", "10.0.4.7"},
      {"hostIPs", {{{"ip", "10.0.4.7"}}}},
      {"phase", "Running"},
      {"podIP", ip},
      {"podIPs", {{{"ip", ip}}}},
      {"qosClass", "Burstable"},
      {"startTime", "2026-11-30T08:15:43Z"}};
  if (use.claim >= 0 && use.shared) {
    spec["resourceClaims"] = {
        {{"name", "accelerator"}, {"resourceClaimName", claim_name(node, use.claim)}}};
  } else if (use.claim >= 0) {
    spec["resourceClaims"] = {
        {{"name", "accelerator"}, {"resourceClaimTemplateName", "one-accelerator"}}};
    status["resourceClaimStatuses"] = {
        {{"name", "accelerator"}, {"resourceClaimName", claim_name(node, use.claim)}}};
  }
  return {
      {"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", m}, {"spec", spec}, {"status", status}};
}

std::string pod_uid(int node, int place) {
  Dice dice(static_cast<std::uint64_t>(node) * 64 + static_cast<std::uint64_t>(place));
  return meta(dice, "serving", pod_name(node, place))["uid"];
}

Json claim(int node, int claim, int pods_here) {
  Dice dice(static_cast<std::uint64_t>(node) * 64 + static_cast<std::uint64_t>(claim) +
            (std::uint64_t{1} << 40U));
  const Device device = device_of(node, claim);
  Json m = meta(dice, "serving", claim_name(node, claim));
  m["finalizers"] = {"resource.kubernetes.io/delete-protection"};
  const bool shared = claim < kSharedClaims;
  const int first = shared ? 2 * claim : claim + kSharedClaims;
  Json reserved = Json::array();
  for (int p = first; p < first + (shared ? 2 : 1) && p < pods_here; ++p) {
    reserved.push_back(
        {{"name", pod_name(node, p)}, {"resource", "pods"}, {"uid", pod_uid(node, p)}});
  }
  if (!shared) {
    m["annotations"] = {{"resource.kubernetes.io/pod-claim-name", "accelerator"}};
    m["ownerReferences"] = {{{"apiVersion", "v1"},
                             {"blockOwnerDeletion", true},
                             {"controller", true},
                             {"kind", "Pod"},
                             {"name", pod_name(node, first)},
                             {"uid", pod_uid(node, first)}}};
  }
  return {{"apiVersion", "resource.k8s.io/v1"},
          {"kind", "ResourceClaim"},
          {"metadata", m},
          {"spec",
           {{"devices",
             {{"requests",
               {{{"exactly",
                  {{"allocationMode", "ExactCount"},
                   {"count", 1},
                   {"deviceClassName", driver(device.gpu)}}},
                 {"name", "accelerator"}}}}}}}},
          {"status",
           {{"allocation",
             {{"devices",
               {{"results",
                 {{{"device", device_name(device.gpu, device.index)},
                   {"driver", driver(device.gpu)},
                   {"pool", node_name(node)},
                   {"request", "accelerator"}}}}}},
              {"nodeSelector",
               {{"nodeSelectorTerms",
                 {{{"matchFields",
                    {{{"key", "metadata.name"},
                      {"operator", "In"},
                      {"values", {node_name(node)}}}}}}}}}}}},
            {"reservedFor", reserved}}}};
}

Json node(int n) {
  Dice dice(static_cast<std::uint64_t>(n) + (std::uint64_t{2} << 40U));
  Json m = meta(dice, {}, node_name(n));
  m["labels"] = {{"kubernetes.io/arch", "amd64"},
                 {"kubernetes.io/hostname", node_name(n)},
                 {"kubernetes.io/os", "linux"},
                 {"nvidia.com/gpu.count", "8"},
                 {"nvidia.com/gpu.memory", "81559"},
                 {"nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3"},
                 {"topology.kubernetes.io/zone", "zone-" + std::to_string(n % 3)}};
  Json images = Json::array();
  for (int i = 0; i < 10; ++i) {
    images.push_back({{"names",
                       {"registry.example.com/inference/tritonserver@sha256:" + hex(dice, 64),
                        "registry.example.com/inference/tritonserver:24." + std::to_string(i)}},
                      {"sizeBytes", 1000000 + static_cast<int>(dice.next() % 100000000)}});
  }
  const Json amounts = {{"cpu", "192"},
                        {"ephemeral-storage", "1888580292Ki"},
                        {"hugepages-2Mi", "0"},
                        {"memory", "2113417240Ki"},
                        {"pods", "110"}};
  Json conditions = Json::array();
  for (const std::string_view type : {"MemoryPressure", "DiskPressure", "PIDPressure", "Ready"}) {
    conditions.push_back({{"lastHeartbeatTime", "2026-12-01T05:12:58Z"},
                          {"lastTransitionTime", "2026-11-02T10:00:00Z"},
                          {"message", "kubelet is in the state that this type says"},
                          {"reason", "Kubelet" + std::string{type}},
                          {"status", type == "Ready" ? "True" : "False"},
                          {"type", type}});
  }
  return {{"apiVersion", "v1"},
          {"kind", "Node"},
          {"metadata", m},
          {"spec", {{"podCIDR", "10.128." + std::to_string(n % 250) + ".0/24"}}},
          {"status",
           {{"allocatable", amounts},
            {"capacity", amounts},
            {"conditions", conditions},
            {"images", images},
            {"nodeInfo",
             {{"architecture", "amd64"},
              {"containerRuntimeVersion", "containerd://2.1.4"},
              {"kernelVersion", "6.8.0-49-generic"},
              {"kubeletVersion", "v1.35.4"},
              {"osImage", "Ubuntu 24.04.1 LTS"}}}}}};
}

Json slice(int n, bool gpu) {
  Dice dice(static_cast<std::uint64_t>(n) + ((gpu ? std::uint64_t{3} : std::uint64_t{4}) << 40U));
  Json devices = Json::array();
  for (int i = 0; i < (gpu ? 8 : 16); ++i) {
    devices.push_back({{"attributes",
                        {{"architecture", {{"string", gpu ? "Hopper" : "ConnectX-7"}}},
                         {"driverVersion", {{"version", "580.82.7"}}},
                         {"index", {{"int", i}}},
                         {"resource.kubernetes.io/pciBusID",
                          {{"string", (gpu ? "0000:1" : "0000:a") + std::to_string(i) + ":00.0"}}},
                         {"type", {{"string", gpu ? "gpu" : "nic"}}},
                         {"uuid", {{"string", (gpu ? "GPU-" : "NIC-") + uid(dice)}}}}},
                       {"capacity", {{"memory", {{"value", gpu ? "81559Mi" : "0"}}}}},
                       {"name", device_name(gpu, i)}});
  }
  return {{"apiVersion", "resource.k8s.io/v1"},
          {"kind", "ResourceSlice"},
          {"metadata", meta(dice, {}, node_name(n) + (gpu ? "-gpu-8hx2k" : "-nic-p2lqm"))},
          {"spec",
           {{"devices", devices},
            {"driver", driver(gpu)},
            {"nodeName", node_name(n)},
            {"pool", {{"generation", 1}, {"name", node_name(n)}, {"resourceSliceCount", 1}}}}}};
}

/// YAML as kubectl writes it: block style, strings in quotes where they need them.
void yaml(const Json& value, int indent, std::string& out);

void yaml_scalar(const Json& value, std::string& out) {
  if (value.is_string()) {
    const std::string& s = value.get_ref<const std::string&>();
    const bool plain = !s.empty() &&
                       s.find_first_of(":#\"'\n{}[],&*?|<>=!%@`\\") == std::string::npos &&
                       (std::isalpha(static_cast<unsigned char>(s[0])) != 0 || s[0] == '/') &&
                       s != "true" && s != "false" && s != "null" && s.back() != ' ';
    out += plain ? s : value.dump();
  } else {
    out += value.dump();
  }
}

void yaml_entry(const Json& value, int indent, bool list, std::string& out) {
  if (value.is_structured() && !value.empty()) {
    out += '\n';
    yaml(value, value.is_array() || list ? indent : indent + 2, out);
  } else {
    out += ' ';
    yaml_scalar(value, out);
    out += '\n';
  }
}

void yaml(const Json& value, int indent, std::string& out) {
  const std::string space(static_cast<std::size_t>(indent), ' ');
  if (value.is_array()) {
    for (const Json& e : value) {
      std::string item;
      if (e.is_structured() && !e.empty()) {
        yaml(e, indent + 2, item);
        item[static_cast<std::size_t>(indent)] = '-';
      } else {
        item = space + '-';
        yaml_entry(e, indent, true, item);
      }
      out += item;
    }
    return;
  }
  for (const auto& [key, v] : value.items()) {
    out += space;
    yaml_scalar(key, out);
    out += ':';
    yaml_entry(v, indent, false, out);
  }
}

class Writer {
 public:
  explicit Writer(Shape shape) : shape_(shape) {
    if (shape_ == Shape::indented) out_ = "{\n    \"apiVersion\": \"v1\",\n    \"items\": [";
    if (shape_ == Shape::compact) out_ = R"({"apiVersion":"v1","items":[)";
    if (shape_ == Shape::yaml) out_ = "apiVersion: v1\nitems:\n";
  }
  void write(const Json& object) {
    switch (shape_) {
      case Shape::ndjson: out_ += object.dump() + '\n'; break;
      case Shape::compact: out_ += (first_ ? "" : ",") + object.dump(); break;
      case Shape::yaml: yaml(Json::array({object}), 0, out_); break;
      case Shape::indented: {
        out_ += first_ ? "\n        " : ",\n        ";
        for (const char c : object.dump(4)) {
          out_ += c;
          if (c == '\n') out_ += "        ";
        }
        break;
      }
    }
    first_ = false;
    constexpr std::size_t kFlush = std::size_t{1} << 20;
    if (out_.size() > kFlush) flush();
  }
  void end() {
    if (shape_ == Shape::indented) {
      out_ +=
          "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": "
          "\"\"\n    }\n}\n";
    }
    if (shape_ == Shape::compact)
      out_ += "],\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"\"}}\n";
    if (shape_ == Shape::yaml) out_ += "kind: List\nmetadata:\n  resourceVersion: \"\"\n";
    flush();
  }

 private:
  void flush() {
    if (std::fwrite(out_.data(), 1, out_.size(), stdout) != out_.size()) std::exit(1);
    out_.clear();
  }
  Shape shape_;
  std::string out_;
  bool first_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view count = argc > 1 ? argv[1] : "20000";
  const std::string_view shape = argc > 2 ? argv[2] : "indented";
  int pods = 0;
  std::from_chars(count.data(), count.data() + count.size(), pods);
  constexpr std::array kShapes = {
      std::pair{"indented", Shape::indented}, std::pair{"compact", Shape::compact},
      std::pair{"ndjson", Shape::ndjson}, std::pair{"yaml", Shape::yaml}};
  for (const auto& [name, value] : kShapes) {
    if (name != shape || pods <= 0) continue;
    Writer out(value);
    const int nodes = (pods + kPodsANode - 1) / kPodsANode;
    const auto here = [pods](int n) { return std::min(kPodsANode, pods - n * kPodsANode); };
    for (int n = 0; n < nodes; ++n) {
      for (int p = 0; p < here(n); ++p) out.write(pod(n, p));
    }
    for (int n = 0; n < nodes; ++n) {
      for (int c = 0; c < kSharedClaims + kOwnClaims; ++c) {
        const int first = c < kSharedClaims ? 2 * c : c + kSharedClaims;
        if (first < here(n)) out.write(claim(n, c, here(n)));
      }
    }
    for (int n = 0; n < nodes; ++n) out.write(node(n));
    for (int n = 0; n < nodes; ++n) {
      out.write(slice(n, true));
      out.write(slice(n, false));
    }
    out.end();
    return 0;
  }
  std::fputs("usage: bench-gen PODS [indented|compact|ndjson|yaml]\n", stderr);
  return 2;
}
