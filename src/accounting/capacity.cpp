#include "accounting/capacity.hpp"

#include <charconv>

#include "accounting/demand.hpp"

namespace draudit {
namespace {

std::optional<std::int64_t> label_number(const Node& node, std::string_view key) {
  const auto text = find(node.labels, key);
  if (!text) return std::nullopt;
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), n);
  if (error != std::errc{} || end != text->data() + text->size()) return std::nullopt;
  return n;
}

}  // namespace

std::optional<std::int64_t> gpu_count_label(const Node& node) {
  return label_number(node, "nvidia.com/gpu.count");
}

std::int64_t gpu_memory_mib(const Node& node) {
  constexpr std::int64_t kMiB = 1'048'576;
  const auto label = label_number(node, "nvidia.com/gpu.memory");
  if (!label) return 100;
  // The label is in MiB; a value this large can only be bytes.
  const std::int64_t mib = *label >= kMiB ? *label / kMiB : *label;
  return mib - mib % 100;
}

KaiCapacity kai_capacity(const Index& index, const Node& node, const Profile& profile) {
  KaiCapacity out;
  for (const ResourceAmount& a : node.allocatable) {
    if (a.resource == kNvidiaGpu || a.resource == kAmdGpu) {
      const std::int64_t value = a.amount.value();
      out.gpus += value;
      if (value != 0) out.parts.push_back({std::string{a.resource}, value});
    } else if (a.resource.starts_with(kMigPrefix)) {
      out.mig[a.resource] = a.amount.value();
    }
  }
  if (profile.suffix_capacity) {
    for (const ResourceAmount& a : node.allocatable) {
      if (!overwrites_gpu_slot(a.resource) || a.amount.milli() == 0) continue;
      out.gpus = a.amount.milli();
      out.parts = {{std::string{a.resource}, out.gpus}};
    }
  }
  if (profile.dra) {
    for (const ResourceSlice* slice : index.gpu_slices(node.meta.name)) {
      const auto devices = static_cast<Gpus>(slice->devices.size());
      if (devices == 0) continue;
      out.gpus += devices;
      CapacityPart* part = nullptr;
      for (CapacityPart& p : out.parts) {
        if (p.what == slice->driver) part = &p;
      }
      if (part == nullptr) part = &out.parts.emplace_back(CapacityPart{std::string{slice->driver}});
      part->gpus += devices;
    }
  }
  return out;
}

Capacity capacity_of(const Index& index, const Node& node, const Profile& profile, bool shows_gpus,
                     bool labels_in_use) {
  Capacity out;
  const auto& given = index.options().capacity;
  if (const auto it = given.find(node.meta.name); it != given.end()) {
    out.value = it->second;
    out.source = CapacitySource::flag;
    out.parts = {{"--capacity", it->second}};
    return out;
  }
  KaiCapacity kai = kai_capacity(index, node, profile);
  if (!profile.dra || index.snapshot().of(Kind::slice).known()) {
    out.value = kai.gpus;
    out.source = CapacitySource::slices_and_allocatable;
    out.parts = std::move(kai.parts);
    return out;
  }
  // Without slices: what device plugins offer, what GPU feature discovery says, or nothing.
  out.certainty = Certainty::likely;
  if (kai.gpus > 0) {
    out.value = kai.gpus;
    out.source = CapacitySource::allocatable;
    out.parts = std::move(kai.parts);
  } else if (const auto label = gpu_count_label(node); label.has_value() && *label > 0) {
    out.value = *label;
    out.source = CapacitySource::label;
    out.parts = {{"nvidia.com/gpu.count", *label}};
  } else if (labels_in_use && !shows_gpus) {
    // Other nodes carry the label, this one does not, and no pod holds a GPU here.
    out.value = 0;
    out.source = CapacitySource::label;
  } else {
    out.certainty = Certainty::possible;
  }
  return out;
}

}  // namespace draudit
