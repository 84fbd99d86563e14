#include <algorithm>

#include "input/records.hpp"

namespace draudit {
namespace {

/// Labels and annotations by which KAI counts (kai-accounting.md §1); the rest is not kept.
bool wanted_label(std::string_view key) {
  return key == "app" || key == "runai-gpu-group" || key.starts_with("runai-gpu-group/");
}
bool wanted_annotation(std::string_view key) {
  return key == "gpu-fraction" || key == "gpu-memory" || key == "gpu-fraction-num-devices" ||
         key == "pod-group-name" || key.starts_with("nvidia.com/mig-");
}

template <class F>
std::vector<KeyValue> keep(std::vector<KeyValue> all, F wanted) {
  all.erase(
      std::remove_if(all.begin(), all.end(), [&](const KeyValue& kv) { return !wanted(kv.key); }),
      all.end());
  all.shrink_to_fit();
  return all;
}

Phase phase_of(std::string_view text) {
  if (text == "Running") return Phase::running;
  if (text == "Pending") return Phase::pending;
  if (text == "Succeeded") return Phase::succeeded;
  if (text == "Failed") return Phase::failed;
  return Phase::unknown;
}

struct RawContainer {
  Container container;
  std::string_view image;
  std::vector<ContainerClaim> claims;
};
constexpr Field<ContainerClaim> kContainerClaim[] = {
    {"name", [](const Value& v, ContainerClaim& c) { c.name = v.string(); }},
    {"request", [](const Value& v, ContainerClaim& c) { c.request = v.string(); }},
};

constexpr Field<RawContainer> kResources[] = {
    {"requests", [](const Value& v, RawContainer& c) { c.container.requests = read_amounts(v); }},
    {"claims",
     [](const Value& v, RawContainer& c) {
       v.each([&](const Value& e) { read_fields(e, c.claims.emplace_back(), kContainerClaim); });
     }},
};
constexpr Field<RawContainer> kContainer[] = {
    {"image", [](const Value& v, RawContainer& c) { c.image = v.string(); }},
    {"resources", [](const Value& v, RawContainer& c) { read_fields(v, c, kResources); }},
    {"restartPolicy",
     [](const Value& v, RawContainer& c) {
       if (v.string() == "Always") c.container.kind = ContainerKind::sidecar;
     }},
};

struct Mapping {
  std::string_view resource;
};
constexpr Field<Mapping> kMapping[] = {
    {"resourceName", [](const Value& v, Mapping& m) { m.resource = v.string(); }},
};
constexpr Field<Pod> kExtended[] = {
    {"resourceClaimName", [](const Value& v, Pod& p) { p.extended_claim = v.string(); }},
    {"requestMappings",
     [](const Value& v, Pod& p) {
       v.each([&](const Value& e) {
         Mapping m;
         read_fields(e, m, kMapping);
         p.extended_resources.push_back(m.resource);
       });
     }},
};

constexpr Field<Placement> kNodeAffinity[] = {
    {"requiredDuringSchedulingIgnoredDuringExecution",
     [](const Value& v, Placement& p) { p.required = read_node_selector(v); }},
};
constexpr Field<Placement> kPodAffinity[] = {
    {"requiredDuringSchedulingIgnoredDuringExecution",
     [](const Value& v, Placement& p) { v.each([&](const Value&) { p.pod_affinity = true; }); }},
};
constexpr Field<Placement> kAffinity[] = {
    {"nodeAffinity", [](const Value& v, Placement& p) { read_fields(v, p, kNodeAffinity); }},
    {"podAffinity", [](const Value& v, Placement& p) { read_fields(v, p, kPodAffinity); }},
    {"podAntiAffinity", [](const Value& v, Placement& p) { read_fields(v, p, kPodAffinity); }},
};
constexpr Field<Placement> kVolume[] = {
    {"persistentVolumeClaim",
     [](const Value& v, Placement& p) { p.volume_claims = p.volume_claims || !v.is_null(); }},
};

struct RawPod {
  Pod pod;
  Placement placement;
  std::vector<RawContainer> init;
  std::vector<RawContainer> regular;
};

void read_containers(const Value& v, std::vector<RawContainer>& into) {
  v.each([&](const Value& e) { read_fields(e, into.emplace_back(), kContainer); });
}

constexpr Field<Pod> kPodLevel[] = {
    {"requests", [](const Value& v, Pod& p) { p.pod_level = read_amounts(v); }},
};
constexpr Field<Pod> kSchedulingGroup[] = {
    {"podGroupName", [](const Value& v, Pod& p) { p.pod_group = v.string(); }},
};

constexpr Field<RawPod> kPodSpec[] = {
    {"nodeName", [](const Value& v, RawPod& p) { p.pod.node = v.string(); }},
    {"schedulerName", [](const Value& v, RawPod& p) { p.pod.scheduler = v.string(); }},
    {"schedulingGates",
     [](const Value& v, RawPod& p) { v.each([&](const Value&) { p.pod.gated = true; }); }},
    {"containers", [](const Value& v, RawPod& p) { read_containers(v, p.regular); }},
    {"initContainers", [](const Value& v, RawPod& p) { read_containers(v, p.init); }},
    {"resourceClaims", [](const Value& v, RawPod& p) { p.pod.claims = read_pod_claims(v); }},
    {"overhead", [](const Value& v, RawPod& p) { p.pod.overhead = read_amounts(v); }},
    {"resources", [](const Value& v, RawPod& p) { read_fields(v, p.pod, kPodLevel); }},
    {"schedulingGroup", [](const Value& v, RawPod& p) { read_fields(v, p.pod, kSchedulingGroup); }},
    {"nodeSelector", [](const Value& v, RawPod& p) { p.placement.node_selector = read_map(v); }},
    {"affinity", [](const Value& v, RawPod& p) { read_fields(v, p.placement, kAffinity); }},
    {"tolerations",
     [](const Value& v, RawPod& p) { p.placement.tolerations = read_tolerations(v); }},
    {"volumes",
     [](const Value& v, RawPod& p) {
       v.each([&](const Value& e) { read_fields(e, p.placement, kVolume); });
     }},
};

struct RawHealth {
  std::string_view id;
  std::string_view health;
};
constexpr Field<RawHealth> kHealth[] = {
    {"resourceID", [](const Value& v, RawHealth& h) { h.id = v.string(); }},
    {"health", [](const Value& v, RawHealth& h) { h.health = v.string(); }},
};
constexpr Field<Pod> kAllocatedResource[] = {
    {"resources",
     [](const Value& v, Pod& p) {
       v.each([&](const Value& e) {
         RawHealth h;
         read_fields(e, h, kHealth);
         if (h.health == "Unhealthy") p.unhealthy.push_back(h.id);
       });
     }},
};
constexpr Field<Pod> kTerminated[] = {
    {"finishedAt",
     [](const Value& v, Pod& p) {
       note_time(v);
       const auto t = v.timestamp();
       if (t && (!p.ended || *p.ended < *t)) p.ended = t;
     }},
};
constexpr Field<Pod> kContainerState[] = {
    {"terminated", [](const Value& v, Pod& p) { read_fields(v, p, kTerminated); }},
};
constexpr Field<Pod> kContainerStatus[] = {
    {"state", [](const Value& v, Pod& p) { read_fields(v, p, kContainerState); }},
    {"allocatedResourcesStatus",
     [](const Value& v, Pod& p) {
       v.each([&](const Value& e) { read_fields(e, p, kAllocatedResource); });
     }},
};
void read_container_statuses(const Value& v, RawPod& p) {
  v.each([&](const Value& e) { read_fields(e, p.pod, kContainerStatus); });
}

constexpr Field<RawPod> kPodStatus[] = {
    {"phase", [](const Value& v, RawPod& p) { p.pod.phase = phase_of(v.string()); }},
    {"conditions",
     [](const Value& v, RawPod& p) {
       note_condition_times(v);
       for (Condition& c : read_conditions(v)) {
         if (c.type == "PodScheduled") p.placement.scheduled = c;
       }
     }},
    {"startTime", [](const Value& v, RawPod&) { note_time(v); }},
    {"resourceClaimStatuses",
     [](const Value& v, RawPod& p) { p.pod.claim_statuses = read_claim_statuses(v); }},
    {"containerStatuses", read_container_statuses},
    {"extendedResourceClaimStatus",
     [](const Value& v, RawPod& p) { read_fields(v, p.pod, kExtended); }},
};

constexpr Field<RawPod> kPod[] = {
    {"metadata",
     [](const Value& v, RawPod& p) {
       ReadMeta m = read_meta(v);
       p.pod.meta = m.meta;
       p.pod.labels = keep(std::move(m.labels), wanted_label);
       p.pod.annotations = keep(std::move(m.annotations), wanted_annotation);
     }},
    {"spec", [](const Value& v, RawPod& p) { read_fields(v, p, kPodSpec); }},
    {"status", [](const Value& v, RawPod& p) { read_fields(v, p, kPodStatus); }},
};

}  // namespace

Pod read_pod(const Value& object) {
  RawPod raw;
  read_fields(object, raw, kPod);
  Pod& pod = raw.pod;
  pod.containers.reserve(raw.init.size() + raw.regular.size());
  const auto take_claims = [&pod](const RawContainer& c) {
    pod.container_claims.insert(pod.container_claims.end(), c.claims.begin(), c.claims.end());
  };
  for (RawContainer& c : raw.init) {
    take_claims(c);
    if (c.container.kind == ContainerKind::regular) c.container.kind = ContainerKind::init;
    pod.containers.push_back(std::move(c.container));
  }
  for (RawContainer& c : raw.regular) {
    take_claims(c);
    c.container.kind = ContainerKind::regular;  // restartPolicy means nothing here
    pod.containers.push_back(std::move(c.container));
    // The scheduler's own image tells which KAI version runs.
    if (c.image.find("/scheduler") != std::string_view::npos) pod.images.push_back(c.image);
  }
  const bool over = pod.phase == Phase::succeeded || pod.phase == Phase::failed;
  if (!over) pod.ended.reset();  // one container of several
  if (!over && pod.node.empty()) {
    pod.placement = std::make_shared<const Placement>(std::move(raw.placement));
  }
  return std::move(raw.pod);
}

}  // namespace draudit
