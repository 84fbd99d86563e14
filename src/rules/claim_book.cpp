#include "rules/claim_book.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rules/common.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

bool is_pod(const Consumer& c) { return c.resource == "pods" && c.api_group.empty(); }

bool older_than(const Audit& audit, std::optional<Timestamp> since, std::int64_t seconds) {
  const auto& now = audit.options.now;
  if (!since || !now) return false;
  return Int128{now->nanoseconds} - since->nanoseconds > Int128{seconds} * 1'000'000'000;
}

}  // namespace

bool on_a_node(const Pod& pod) { return !pod.node.empty() && !has_ended(pod); }

const OwnerReference* maker_of(const ResourceClaim& claim) {
  const OwnerReference* out = nullptr;
  for (const OwnerReference& o : claim.owners) {
    if (o.kind != "Pod" && o.kind != "PodGroup") continue;
    if (out == nullptr || (o.controller && !out->controller)) out = &o;
  }
  return out;
}

bool same_pod(std::string_view uid, std::string_view name, const Pod& pod) {
  if (uid.empty() || pod.meta.uid.empty()) return name == pod.meta.name;
  return uid == pod.meta.uid;
}

bool made_for(const ResourceClaim& claim, const Pod& pod) {
  return std::any_of(claim.owners.begin(), claim.owners.end(), [&](const OwnerReference& o) {
    if (o.kind == "PodGroup") return o.name == pod.pod_group;
    return o.kind == "Pod" && same_pod(o.uid, o.name, pod);
  });
}

bool is_reserved_for(const ResourceClaim& claim, const Pod& pod) {
  return std::any_of(claim.reserved_for.begin(), claim.reserved_for.end(), [&](const Consumer& c) {
    if (is_pod(c)) return same_pod(c.uid, c.name, pod);
    return c.resource == "podgroups" && !pod.pod_group.empty() && c.name == pod.pod_group;
  });
}

ClaimBook::ClaimBook(const Audit& audit) : audit_(&audit), index_(*audit.snapshot, audit.options) {
  const Snapshot& snapshot = *audit.snapshot;
  records_.resize(snapshot.claims.size());
  for (std::size_t i = 0; i < records_.size(); ++i) records_[i].claim = &snapshot.claims[i];
  for (const Pod& p : snapshot.pods) {
    ended_seen_ = ended_seen_ || has_ended(p);
    if (!p.meta.uid.empty()) by_uid_.push_back(&p);
    if (namespaces_.empty() || namespaces_.back() != p.meta.ns) namespaces_.push_back(p.meta.ns);
  }
  std::sort(by_uid_.begin(), by_uid_.end(),
            [](const Pod* a, const Pod* b) { return a->meta.uid < b->meta.uid; });
  const auto record = [&](const ResourceClaim* claim) -> ClaimRecord& {
    return records_[static_cast<std::size_t>(claim - snapshot.claims.data())];
  };
  for (const Pod& p : snapshot.pods) {
    if (has_ended(p)) continue;
    for (const PodClaim& entry : p.claims) {
      const ClaimUse use = index_.resolve(p, entry);
      if (use.claim == nullptr) continue;
      std::vector<ClaimUser>& users = record(use.claim).users;
      if (!users.empty() && users.back().pod == &p) continue;  // named twice by one pod
      users.push_back({&p, use, entry.claim.empty()});
    }
    if (p.extended_claim.empty()) continue;
    const ResourceClaim* made = snapshot.claim(p.meta.ns, p.extended_claim);
    if (made != nullptr) {
      record(made).users.push_back({&p, {.name = p.extended_claim, .claim = made}, true});
    }
  }
  for (ClaimRecord& r : records_) {
    for (const Consumer& c : r.claim->reserved_for) {
      if (!is_pod(c)) {
        r.others.push_back(&c);
        continue;
      }
      const Pod* by_uid = c.uid.empty() ? nullptr : pod_of_uid(c.uid);
      const Pod* by_name = pod(r.claim->meta.ns, c.name);
      const Pod* found = by_uid;
      if (found == nullptr && by_name != nullptr && same_pod(c.uid, c.name, *by_name)) {
        found = by_name;
      }
      if (found != nullptr) {
        (has_ended(*found) ? r.ended : r.live).push_back(found);
      } else if (by_name != nullptr) {
        r.replaced.emplace_back(&c, by_name);
      } else {
        r.gone.push_back(&c);
      }
    }
    r.story = story_of(r);
  }
}

ClaimStory ClaimBook::story_of(const ClaimRecord& r) const {
  const ResourceClaim& claim = *r.claim;
  if (claim.meta.deleted) {
    const bool long_ago = older_than(*audit_, claim.meta.deleted, audit_->options.grace.deletion);
    return long_ago && claim.delete_protection ? ClaimStory::stuck : ClaimStory::leaving;
  }
  if (!claim.allocation) return ClaimStory::none;
  if (!r.replaced.empty()) return ClaimStory::replaced;
  if (!r.gone.empty()) return ClaimStory::gone;
  if (!r.ended.empty()) return ClaimStory::ended;
  if (!claim.reserved_for.empty() || !r.users.empty()) return ClaimStory::none;
  const OwnerReference* maker = maker_of(claim);
  if (maker == nullptr) return ClaimStory::unused;
  if (maker->kind == "PodGroup") {
    const Snapshot& s = *audit_->snapshot;
    if (!s.of(Kind::pod_group).known()) return ClaimStory::none;
    const bool there =
        std::any_of(s.pod_groups.begin(), s.pod_groups.end(), [&](const PodGroup& g) {
          return g.meta.ns == claim.meta.ns && g.meta.name == maker->name;
        });
    return there ? ClaimStory::none : ClaimStory::left;
  }
  const Pod* owner = maker->uid.empty() ? pod(claim.meta.ns, maker->name) : pod_of_uid(maker->uid);
  if (owner == nullptr) {
    const Pod* named = pod(claim.meta.ns, maker->name);
    if (named != nullptr && same_pod(maker->uid, maker->name, *named)) owner = named;
  }
  // A living owner is a pod that waits for a node, or one whose entry another rule looks at.
  return owner == nullptr || has_ended(*owner) ? ClaimStory::left : ClaimStory::none;
}

const ClaimRecord* ClaimBook::of(const ResourceClaim* claim) const {
  const std::vector<ResourceClaim>& claims = audit_->snapshot->claims;
  if (claim == nullptr || claims.empty()) return nullptr;
  return &records_.at(static_cast<std::size_t>(claim - claims.data()));
}

const Pod* ClaimBook::pod(std::string_view ns, std::string_view name) const {
  const auto& pods = audit_->snapshot->pods;
  const auto it = std::lower_bound(pods.begin(), pods.end(), std::pair{ns, name},
                                   [](const Pod& p, const auto& want) {
                                     return std::pair{p.meta.ns, p.meta.name} < want;
                                   });
  const bool found = it != pods.end() && it->meta.ns == ns && it->meta.name == name;
  return found ? &*it : nullptr;
}

const Pod* ClaimBook::pod_of_uid(std::string_view uid) const {
  if (uid.empty()) return nullptr;
  const auto it =
      std::lower_bound(by_uid_.begin(), by_uid_.end(), uid,
                       [](const Pod* p, std::string_view want) { return p->meta.uid < want; });
  return it == by_uid_.end() || (*it)->meta.uid != uid ? nullptr : *it;
}

bool ClaimBook::pods_unseen(std::string_view ns) const {
  if (audit_->snapshot->of(Kind::pod).known_complete) return false;
  return !std::binary_search(namespaces_.begin(), namespaces_.end(), ns);
}

Finding about_claim(const Rule& rule, const ResourceClaim& claim) {
  Finding out = about(rule, ref("ResourceClaim", claim.meta));
  return out;
}

void add_held_devices(Finding& finding, const ResourceClaim& claim) {
  if (!claim.allocation) return;
  for (const DeviceResult& r : claim.allocation->results) {
    if (r.admin_access) continue;
    finding.facts.push_back({"device", to_string(DeviceKey{r.driver, r.pool, r.device})});
  }
}

void add_consumers(Finding& finding, const ClaimRecord& record) {
  for (const auto& [c, pod] : record.replaced) {
    finding.facts.push_back(
        {"reserved for",
         fmt::format("{} of uid {}; the pod of that name has {}", c->name, c->uid, pod->meta.uid)});
  }
  for (const Consumer* c : record.gone) {
    finding.facts.push_back({"reserved for", fmt::format("{}, which is not there", c->name)});
  }
  for (const Pod* p : record.ended) {
    finding.facts.push_back({"reserved for", fmt::format("{}, which has ended", p->meta.name)});
  }
  for (const Pod* p : record.live) {
    finding.facts.push_back({"reserved for", fmt::format("{}, which lives", p->meta.name)});
  }
  for (const Consumer* c : record.others) {
    finding.facts.push_back({"reserved for", fmt::format("{} {}", c->resource, c->name)});
  }
}

void as_sure_as_pods(const Evidence& evidence, Finding& finding, const ClaimRecord& record) {
  const ResourceClaim& claim = *record.claim;
  as_sure_as_one_cluster(evidence, finding);
  if (evidence.claims.pods_unseen(claim.meta.ns)) {
    demote(finding, Certainty::possible,
           fmt::format("the input has no pod of namespace {}: perhaps it was not listed",
                       claim.meta.ns));
  }
  if (!evidence.audit.snapshot->problems.empty()) {
    demote(finding, Certainty::possible, "some of the input could not be read");
  }
  as_sure_as_age(evidence, finding, "ResourceClaim", claim.meta);
  if (younger(evidence, claim.allocation ? claim.allocation->at : std::nullopt,
              evidence.audit.options.grace.reservation)) {
    demote(finding, Certainty::possible, "it was allocated just before the dump");
  }
}

std::string pods_text(const std::vector<std::string>& pods) {
  if (pods.size() == 1) return "pod " + pods.front();
  return fmt::format("{} pods", pods.size());
}

}  // namespace draudit
