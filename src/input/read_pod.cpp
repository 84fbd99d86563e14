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
};

constexpr Field<RawContainer> kResources[] = {
    {"requests", [](const Value& v, RawContainer& c) { c.container.requests = read_amounts(v); }},
};
constexpr Field<RawContainer> kContainer[] = {
    {"image", [](const Value& v, RawContainer& c) { c.image = v.string(); }},
    {"resources", [](const Value& v, RawContainer& c) { read_fields(v, c, kResources); }},
    {"restartPolicy",
     [](const Value& v, RawContainer& c) {
       if (v.string() == "Always") c.container.kind = ContainerKind::sidecar;
     }},
};

// v1.30 and older nest the two names in `source`.
constexpr Field<PodClaim> kClaimSource[] = {
    {"resourceClaimName", [](const Value& v, PodClaim& c) { c.claim = v.string(); }},
    {"resourceClaimTemplateName",
     [](const Value& v, PodClaim& c) { c.from_template = v.string(); }},
};
constexpr Field<PodClaim> kPodClaim[] = {
    {"name", [](const Value& v, PodClaim& c) { c.name = v.string(); }},
    {"resourceClaimName", [](const Value& v, PodClaim& c) { c.claim = v.string(); }},
    {"resourceClaimTemplateName",
     [](const Value& v, PodClaim& c) { c.from_template = v.string(); }},
    {"source", [](const Value& v, PodClaim& c) { read_fields(v, c, kClaimSource); }},
};
constexpr Field<PodClaimStatus> kClaimStatus[] = {
    {"name", [](const Value& v, PodClaimStatus& c) { c.name = v.string(); }},
    {"resourceClaimName", [](const Value& v, PodClaimStatus& c) { c.claim = v.string(); }},
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

struct RawPod {
  Pod pod;
  std::vector<RawContainer> init;
  std::vector<RawContainer> regular;
};

void read_containers(const Value& v, std::vector<RawContainer>& into) {
  v.each([&](const Value& e) { read_fields(e, into.emplace_back(), kContainer); });
}

constexpr Field<RawPod> kSpec[] = {
    {"nodeName", [](const Value& v, RawPod& p) { p.pod.node = v.string(); }},
    {"schedulerName", [](const Value& v, RawPod& p) { p.pod.scheduler = v.string(); }},
    {"schedulingGates",
     [](const Value& v, RawPod& p) { v.each([&](const Value&) { p.pod.gated = true; }); }},
    {"containers", [](const Value& v, RawPod& p) { read_containers(v, p.regular); }},
    {"initContainers", [](const Value& v, RawPod& p) { read_containers(v, p.init); }},
    {"resourceClaims",
     [](const Value& v, RawPod& p) {
       v.each([&](const Value& e) { read_fields(e, p.pod.claims.emplace_back(), kPodClaim); });
     }},
};

constexpr Field<RawPod> kStatus[] = {
    {"phase", [](const Value& v, RawPod& p) { p.pod.phase = phase_of(v.string()); }},
    {"conditions", [](const Value& v, RawPod&) { note_condition_times(v); }},
    {"startTime", [](const Value& v, RawPod&) { note_time(v); }},
    {"resourceClaimStatuses",
     [](const Value& v, RawPod& p) {
       v.each([&](const Value& e) {
         read_fields(e, p.pod.claim_statuses.emplace_back(), kClaimStatus);
       });
     }},
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
    {"spec", [](const Value& v, RawPod& p) { read_fields(v, p, kSpec); }},
    {"status", [](const Value& v, RawPod& p) { read_fields(v, p, kStatus); }},
};

}  // namespace

Pod read_pod(const Value& object) {
  RawPod raw;
  read_fields(object, raw, kPod);
  Pod& pod = raw.pod;
  pod.containers.reserve(raw.init.size() + raw.regular.size());
  for (RawContainer& c : raw.init) {
    if (c.container.kind == ContainerKind::regular) c.container.kind = ContainerKind::init;
    pod.containers.push_back(std::move(c.container));
  }
  for (RawContainer& c : raw.regular) {
    c.container.kind = ContainerKind::regular;  // restartPolicy means nothing here
    pod.containers.push_back(std::move(c.container));
    // The scheduler's own image tells which KAI version runs.
    if (c.image.find("/scheduler") != std::string_view::npos) pod.images.push_back(c.image);
  }
  return std::move(raw.pod);
}

}  // namespace draudit
