#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "accounting/demand.hpp"
#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

using Amounts = std::map<std::string_view, Int128>;

bool by_gpu_rules(std::string_view r) {
  return r == kNvidiaGpu || r == kAmdGpu || r.starts_with(kMigPrefix) || overwrites_gpu_slot(r);
}

bool is_extended(std::string_view r) {
  return r.find('/') != std::string_view::npos &&
         r.find("kubernetes.io/") == std::string_view::npos;
}

void add(Amounts& to, const std::vector<ResourceAmount>& amounts) {
  for (const ResourceAmount& a : amounts) to[a.resource] += a.amount.nano();
}

void raise(Amounts& to, const Amounts& by) {
  for (const auto& [name, amount] : by) to[name] = std::max(to[name], amount);
}

// dra-objects.md §3: containers and sidecars side by side, init containers one after another.
Amounts needs_of(const Pod& pod) {
  Amounts steady;
  Amounts sidecars;
  Amounts init;
  for (const Container& c : pod.containers) {
    if (c.kind == ContainerKind::regular) {
      add(steady, c.requests);
      continue;
    }
    Amounts now = sidecars;
    add(now, c.requests);
    raise(init, now);
    if (c.kind == ContainerKind::sidecar) sidecars = std::move(now);
  }
  for (const auto& [name, amount] : sidecars) steady[name] += amount;
  raise(steady, init);
  for (const ResourceAmount& a : pod.pod_level) {
    const bool whole =
        a.resource == "cpu" || a.resource == "memory" || a.resource.starts_with("hugepages-");
    if (whole) steady[a.resource] = a.amount.nano();
  }
  add(steady, pod.overhead);
  return steady;
}

std::string amount_text(std::string_view resource, Int128 nano) {
  constexpr Int128 kNano = 1'000'000'000;
  const auto whole = static_cast<std::int64_t>(nano / kNano);
  if (resource == "memory" && whole >= (1 << 20)) return fmt::format("{}Mi", whole >> 20);
  const auto milli = static_cast<std::int64_t>(nano / 1'000'000);
  return milli % 1000 == 0 ? fmt::format("{}", milli / 1000) : fmt::format("{}m", milli);
}

void check_node_overbooked(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  struct Sum {
    Amounts needs;
    std::int64_t pods = 0;
    std::vector<const Pod*> of;
  };
  std::map<std::string_view, Sum> nodes;
  for (const Pod& p : evidence.audit.snapshot->pods) {
    if (!on_a_node(p)) continue;
    Sum& sum = nodes[p.node];
    ++sum.pods;
    sum.of.push_back(&p);
    for (const auto& [name, amount] : needs_of(p)) {
      const bool by_claim = std::find(p.extended_resources.begin(), p.extended_resources.end(),
                                      name) != p.extended_resources.end();
      if (!by_claim) sum.needs[name] += amount;
    }
  }
  for (const auto& [name, sum] : nodes) {
    const Node* node = evidence.audit.snapshot->node(name);
    if (node == nullptr || node->allocatable.empty()) continue;
    Finding f = about(rule, ref("Node", node->meta));
    bool unsure = false;
    for (const auto& [resource, amount] : sum.needs) {
      const auto offered = find(node->allocatable, resource);
      if (by_gpu_rules(resource) || !offered || amount <= offered->nano()) continue;
      f.facts.push_back(
          {"requests", fmt::format("{}: {} of {}", resource, amount_text(resource, amount),
                                   amount_text(resource, offered->nano()))});
      const auto capacity = find(node->capacity, resource);
      // Within capacity a device fell ill, or the plugin went; the pods had theirs before.
      const bool withdrawn = capacity && amount <= capacity->nano();
      if (is_extended(resource) && offered->nano() > 0 && !withdrawn) {
        f.severity = Severity::error;
      } else {
        unsure = true;
      }
    }
    if (const auto places = find(node->allocatable, "pods"); places && sum.pods > places->value()) {
      f.facts.push_back({"requests", fmt::format("pods: {} of {}", sum.pods, places->value())});
    }
    if (f.facts.empty()) continue;
    f.node = name;
    f.message =
        fmt::format("{}: its pods ask for more than it offers: {}", name, f.facts.front().text);
    as_sure_as_one_cluster(evidence, f);
    if (unsure && f.severity != Severity::error) {
      demote(f, Certainty::likely, "resizes in flight and changes of allocatable are not seen");
    }
    if (std::any_of(sum.of.begin(), sum.of.end(),
                    [&](const Pod* p) { return fresh(evidence, p->meta); })) {
      demote(f, Certainty::possible, "some of the pods are new, and lists differ in time");
    }
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kNodeOverbooked{"PLC004",
                           "node-overbooked",
                           Severity::warning,
                           "Pods on a node ask for more than it offers, GPUs aside",
                           "see who bound the pods; a node that shrank keeps its pods",
                           kPodsAndNodes,
                           check_node_overbooked};

}  // namespace draudit
