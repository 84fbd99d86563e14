#include "draudit/snapshot.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_set>

namespace draudit {

struct StringPool::Impl {
  std::unordered_set<std::string_view> known;
  std::vector<std::unique_ptr<char[]>> blocks;
  char* free = nullptr;
  std::size_t left = 0;
};

StringPool::StringPool() : impl_(std::make_unique<Impl>()) {}
StringPool::~StringPool() = default;

std::string_view StringPool::intern(std::string_view text) {
  if (text.empty()) return {};
  if (const auto it = impl_->known.find(text); it != impl_->known.end()) return *it;
  constexpr std::size_t kBlock = std::size_t{64} << 10;
  if (text.size() > impl_->left) {
    const std::size_t size = std::max(kBlock, text.size());
    impl_->blocks.push_back(std::make_unique_for_overwrite<char[]>(size));
    impl_->free = impl_->blocks.back().get();
    impl_->left = size;
  }
  std::memcpy(impl_->free, text.data(), text.size());
  const std::string_view kept{impl_->free, text.size()};
  impl_->free += text.size();
  impl_->left -= text.size();
  impl_->known.insert(kept);
  return kept;
}

const KindInfo& info(Kind kind) {
  static constexpr std::array<KindInfo, kKinds> kTable = {{
      {Kind::pod, "Pod", "pods", true},
      {Kind::claim, "ResourceClaim", "resourceclaims", true},
      {Kind::node, "Node", "nodes", false},
      {Kind::slice, "ResourceSlice", "resourceslices", false},
      {Kind::device_class, "DeviceClass", "deviceclasses", false},
      {Kind::bind_request, "BindRequest", "bindrequests.scheduling.run.ai", true},
      {Kind::taint_rule, "DeviceTaintRule", "devicetaintrules", false},
      {Kind::name_space, "Namespace", "namespaces", false},
      {Kind::pod_group, "PodGroup", "podgroups.scheduling.k8s.io", true},
  }};
  return kTable[static_cast<std::size_t>(kind)];
}

std::string_view to_string(EventType type) {
  switch (type) {
    case EventType::added: return "ADDED";
    case EventType::modified: return "MODIFIED";
    case EventType::deleted: return "DELETED";
    case EventType::bookmark: return "BOOKMARK";
    case EventType::error: return "ERROR";
  }
  return "ERROR";
}

const KindCoverage& Snapshot::of(Kind kind) const {
  static constexpr KindCoverage kNothing{};
  const auto it = coverage.find(kind);
  return it == coverage.end() ? kNothing : it->second;
}

const ResourceClaim* Snapshot::claim(std::string_view ns, std::string_view name) const {
  const auto it = std::lower_bound(
      claims.begin(), claims.end(), std::pair{ns, name},
      [](const ResourceClaim& c, const std::pair<std::string_view, std::string_view>& want) {
        return std::pair{c.meta.ns, c.meta.name} < want;
      });
  if (it == claims.end() || it->meta.ns != ns || it->meta.name != name) return nullptr;
  return &*it;
}

const Node* Snapshot::node(std::string_view name) const {
  const auto it =
      std::lower_bound(nodes.begin(), nodes.end(), name,
                       [](const Node& n, std::string_view want) { return n.meta.name < want; });
  return it == nodes.end() || it->meta.name != name ? nullptr : &*it;
}

std::optional<std::string_view> find(const std::vector<KeyValue>& in, std::string_view key) {
  const auto it = std::lower_bound(in.begin(), in.end(), key,
                                   [](const KeyValue& kv, auto want) { return kv.key < want; });
  if (it == in.end() || it->key != key) return std::nullopt;
  return it->value;
}

std::optional<Quantity> find(const std::vector<ResourceAmount>& in, std::string_view resource) {
  const auto it =
      std::lower_bound(in.begin(), in.end(), resource,
                       [](const ResourceAmount& a, auto want) { return a.resource < want; });
  if (it == in.end() || it->resource != resource) return std::nullopt;
  return it->amount;
}

bool has_ended(const Pod& pod) {
  return pod.phase == Phase::succeeded || pod.phase == Phase::failed;
}

std::string full_name(const Meta& meta) {
  if (meta.ns.empty()) return std::string{meta.name};
  std::string out{meta.ns};
  out += '/';
  out += meta.name;
  return out;
}

}  // namespace draudit
