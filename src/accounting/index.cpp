#include "accounting/index.hpp"

#include <algorithm>
#include <array>

namespace draudit {
namespace {

constexpr std::int64_t kStuckAfter = 120'000'000'000;  ///< KAI's default, in nanoseconds

bool in_shard(const Node& node, const AuditOptions& options) {
  if (options.node_pool_key.empty()) return true;
  const auto label = find(node.labels, options.node_pool_key);
  if (options.node_pool_value.empty()) return !label.has_value();
  return label == std::string_view{options.node_pool_value};
}

bool failed_for_good(const BindRequest& request) {
  return request.phase == "Failed" &&
         (!request.backoff_limit.has_value() || request.failed_attempts >= *request.backoff_limit);
}

template <class T>
void sort_by_name(std::vector<std::pair<std::string_view, const T*>>& v) {
  // Objects are sorted already: within one name, their order stays.
  std::stable_sort(v.begin(), v.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
}

template <class T>
auto range_of(const std::vector<std::pair<std::string_view, const T*>>& v, std::string_view name) {
  return std::equal_range(v.begin(), v.end(), std::pair<std::string_view, const T*>{name, nullptr},
                          [](const auto& a, const auto& b) { return a.first < b.first; });
}

template <class T>
std::vector<const T*> all_of(const std::vector<std::pair<std::string_view, const T*>>& v,
                             std::string_view name) {
  std::vector<const T*> out;
  if (name.empty()) return out;
  const auto [first, last] = range_of(v, name);
  for (auto it = first; it != last; ++it) out.push_back(it->second);
  return out;
}

void add_once(std::vector<const ResourceClaim*>& to, const ResourceClaim* claim) {
  if (claim == nullptr) return;
  for (const ResourceClaim* have : to) {
    // By uid, as KAI does it; a dump whose uids were stripped still has its objects.
    const bool same = claim->meta.uid.empty() ? have == claim : have->meta.uid == claim->meta.uid;
    if (same) return;
  }
  to.push_back(claim);
}

}  // namespace

bool contains_gpu(std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  for (std::size_t i = 0; i + 3 <= name.size(); ++i) {
    if (lower(name[i]) == 'g' && lower(name[i + 1]) == 'p' && lower(name[i + 2]) == 'u') {
      return true;
    }
  }
  return false;
}

Index::Index(const Snapshot& snapshot, const AuditOptions& options)
    : snapshot_(&snapshot), options_(&options) {
  for (const Node& node : snapshot.nodes) {
    if (in_shard(node, options)) nodes_.push_back(&node);
  }
  for (const BindRequest& request : snapshot.bind_requests) {
    if (!failed_for_good(request) && node(request.node) != nullptr) {
      bind_requests_.push_back(&request);
    }
  }
  std::stable_sort(bind_requests_.begin(), bind_requests_.end(),
                   [](const BindRequest* a, const BindRequest* b) {
                     return std::pair{a->meta.ns, a->pod} < std::pair{b->meta.ns, b->pod};
                   });
  for (const ResourceSlice& slice : snapshot.slices) {
    std::int64_t& newest = generations_[{slice.driver, slice.pool}];
    newest = std::max(newest, slice.generation);
    if (!slice.node.empty()) pool_nodes_.try_emplace({slice.driver, slice.pool}, slice.node);
    if (!contains_gpu(slice.driver)) continue;
    if (!slice.all_nodes && !slice.node.empty()) {
      slices_.emplace_back(slice.node, &slice);
    } else {
      for (const PublishedDevice& d : slice.devices) {
        elsewhere_.insert({slice.driver, slice.pool, d.name});
      }
    }
  }
  for (const ResourceClaim& claim : snapshot.claims) {
    names_.emplace_back(claim.meta.name, &claim);
    for (const OwnerReference& o : claim.owners) {
      // By name: a pod does not know its group's uid.
      if (o.kind == "PodGroup" && o.controller) groups_.emplace_back(o.name, &claim);
    }
    const auto owner = std::find_if(claim.owners.begin(), claim.owners.end(),
                                    [](const OwnerReference& o) { return o.kind == "Pod"; });
    bool first_pod = true;
    if (owner != claim.owners.end()) {
      owned_.emplace_back(owner->uid, &claim);
      related_.emplace_back(owner->uid, &claim);
      first_pod = false;  // an owner outdoes every reservation
    }
    for (const Consumer& consumer : claim.reserved_for) {
      if (consumer.resource != "pods") continue;
      reserved_.emplace_back(consumer.uid, &claim);
      if (first_pod) related_.emplace_back(consumer.uid, &claim);
      first_pod = false;
    }
  }
  sort_by_name(slices_);
  sort_by_name(related_);
  sort_by_name(reserved_);
  sort_by_name(owned_);
  sort_by_name(groups_);
  sort_by_name(names_);
}

const Node* Index::node(std::string_view name) const {
  const auto it = std::lower_bound(nodes_.begin(), nodes_.end(), name,
                                   [](const Node* n, auto want) { return n->meta.name < want; });
  return it == nodes_.end() || (*it)->meta.name != name ? nullptr : *it;
}

const BindRequest* Index::bind_request(const Pod& pod) const {
  const std::pair want{pod.meta.ns, pod.meta.name};
  const auto it = std::lower_bound(bind_requests_.begin(), bind_requests_.end(), want,
                                   [](const BindRequest* r, const auto& key) {
                                     return std::pair{r->meta.ns, r->pod} < key;
                                   });
  if (it == bind_requests_.end() || std::pair{(*it)->meta.ns, (*it)->pod} != want) return nullptr;
  return *it;
}

const Node* Index::node_of(const Pod& pod) const {
  if (!pod.node.empty()) return node(pod.node);
  const BindRequest* request = bind_request(pod);
  return request == nullptr ? nullptr : node(request->node);
}

PodStatus Index::status_of(const Pod& pod, const Profile& profile) const {
  switch (pod.phase) {
    case Phase::running: {
      if (!pod.meta.deleted) return PodStatus::running;
      if (!profile.stuck_in_releasing || !options_->now) return PodStatus::releasing;
      const Int128 waited = Int128{options_->now->nanoseconds} - pod.meta.deleted->nanoseconds;
      return waited > options_->stuck_after_nanoseconds.value_or(kStuckAfter)
                 ? PodStatus::stuck_in_releasing
                 : PodStatus::releasing;
    }
    case Phase::pending:
      if (pod.meta.deleted) return PodStatus::releasing;
      if (!pod.node.empty()) return PodStatus::bound;
      if (bind_request(pod) != nullptr) return PodStatus::binding;
      return pod.gated ? PodStatus::gated : PodStatus::pending;
    case Phase::succeeded: return PodStatus::succeeded;
    case Phase::failed: return PodStatus::failed;
    case Phase::unknown: return PodStatus::unknown;
  }
  return PodStatus::unknown;
}

std::vector<const ResourceSlice*> Index::gpu_slices(std::string_view node) const {
  return all_of(slices_, node);
}

std::int64_t Index::newest_generation(const ResourceSlice& slice) const {
  return generations_.at({slice.driver, slice.pool});
}

const Node* Index::node_of_device(const DeviceKey& key) const {
  const auto it = pool_nodes_.find({key.driver, key.pool});
  return snapshot_->node(it == pool_nodes_.end() ? key.pool : it->second);
}

bool Index::published_elsewhere(const DeviceKey& key) const { return elsewhere_.contains(key); }

std::vector<const ResourceClaim*> Index::related(const Pod& pod) const {
  return all_of(related_, pod.meta.uid);
}

std::vector<const ResourceClaim*> Index::claims_of(const Pod& pod) const {
  std::vector<const ResourceClaim*> out;
  for (const ResourceClaim* claim : related(pod)) add_once(out, claim);
  for (const PodClaim& entry : pod.claims) {
    if (!entry.claim.empty()) add_once(out, snapshot_->claim(pod.meta.ns, entry.claim));
  }
  return out;
}

std::vector<const ResourceClaim*> Index::reserved_for(const Pod& pod) const {
  return all_of(reserved_, pod.meta.uid);
}

std::vector<const ResourceClaim*> Index::owned_by(const Pod& pod) const {
  return all_of(owned_, pod.meta.uid);
}

std::vector<const ResourceClaim*> Index::owned_by_group(const Pod& pod) const {
  std::vector<const ResourceClaim*> out = all_of(groups_, pod.pod_group);
  out.erase(std::remove_if(out.begin(), out.end(),
                           [&](const ResourceClaim* c) { return c->meta.ns != pod.meta.ns; }),
            out.end());
  return out;
}

const ResourceClaim* Index::claim_anywhere(std::string_view name) const {
  const auto [first, last] = range_of(names_, name);
  return first == last ? nullptr : first->second;
}

ClaimUse Index::resolve(const Pod& pod, const PodClaim& entry) const {
  ClaimUse use{.entry = entry.name, .name = entry.claim};
  if (!entry.claim.empty()) {
    use.claim = snapshot_->claim(pod.meta.ns, entry.claim);
    if (use.claim == nullptr) {
      use.trouble = claim_anywhere(entry.claim) == nullptr ? ClaimTrouble::missing
                                                           : ClaimTrouble::other_namespace;
    }
  } else {
    use.name = entry.from_template;
    const auto status = std::find_if(pod.claim_statuses.begin(), pod.claim_statuses.end(),
                                     [&](const PodClaimStatus& s) { return s.name == entry.name; });
    if (status != pod.claim_statuses.end()) {
      if (status->claim.empty()) return use;  // the API says: no claim needed
      use.name = status->claim;
      use.claim = snapshot_->claim(pod.meta.ns, status->claim);
      if (use.claim == nullptr) use.trouble = ClaimTrouble::missing;
    } else {
      for (const ResourceClaim* claim : owned_by(pod)) {
        if (claim->pod_claim_name == entry.name) use.claim = claim;
      }
      for (const ResourceClaim* claim : owned_by_group(pod)) {
        if (use.claim == nullptr && claim->pod_claim_name == entry.name) use.claim = claim;
      }
      if (use.claim == nullptr) {
        use.trouble = ClaimTrouble::not_created;
      } else {
        use.name = use.claim->meta.name;
      }
    }
  }
  if (use.claim != nullptr && !use.claim->allocation) use.trouble = ClaimTrouble::unallocated;
  return use;
}

bool Index::is_no_gpu_driver(std::string_view driver) const {
  static constexpr std::array kParts = {
      std::string_view{"net"},    std::string_view{"sriov"}, std::string_view{"efa"},
      std::string_view{"rdma"},   std::string_view{"nic"},   std::string_view{"cpu"},
      std::string_view{"memory"}, std::string_view{"tpu"},   std::string_view{"compute-domain"},
      std::string_view{"qat"},    std::string_view{"dpdk"},
  };
  if (is_gpu_driver(driver)) return false;
  return std::any_of(kParts.begin(), kParts.end(), [driver](std::string_view part) {
    return driver.find(part) != std::string_view::npos;
  });
}

bool Index::is_gpu_driver(std::string_view driver) const {
  if (contains_gpu(driver)) return true;
  return std::find(options_->gpu_drivers.begin(), options_->gpu_drivers.end(), driver) !=
         options_->gpu_drivers.end();
}

}  // namespace draudit
