#include <fmt/format.h>

#include <map>

#include "rules/devices.hpp"
#include "rules/registry.hpp"

namespace draudit {
namespace {

// The kubelet passes on what the driver (or device plugin) says of the devices of running pods.
void check_device_unhealthy(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  std::map<std::string_view, std::vector<const Pod*>> nodes;
  for (const Pod& pod : evidence.audit.snapshot->pods) {
    if (pod.unhealthy.empty() || has_ended(pod)) {
      continue;
    }
    nodes[pod.node].push_back(&pod);
  }
  for (const auto& [name, pods] : nodes) {
    const Node* node = evidence.audit.snapshot->node(name);
    Finding f = about(rule, "Node", std::string{name},
                      node == nullptr ? pods.front()->meta.at : node->meta.at);
    f.node = name;
    std::map<std::string_view, std::size_t> devices;
    for (const Pod* pod : pods) {
      f.objects.push_back(ref("Pod", pod->meta));
      f.pods.push_back(full_name(pod->meta));
      for (const std::string_view device : pod->unhealthy) ++devices[device];
    }
    std::vector<std::string> names;
    for (const auto& [device, uses] : devices) {
      names.emplace_back(device);
      f.facts.push_back({"unhealthy", std::string{device}});
    }
    f.message = fmt::format("{}: {} that pods use {} unhealthy: {}", name,
                            count_of(static_cast<Gpus>(names.size()), "device"),
                            names.size() == 1 ? "is" : "are", listing(names));
    out.push_back(std::move(f));
  }
}

constexpr std::array kPods = {Kind::pod};

}  // namespace

const Rule kDeviceUnhealthy{"DEV014",
                            "device-unhealthy",
                            Severity::warning,
                            "The kubelet reports a device that a pod uses as unhealthy",
                            "drain the pods off the device and see the driver's log",
                            kPods,
                            check_device_unhealthy};

}  // namespace draudit
