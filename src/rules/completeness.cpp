#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "draudit/result.hpp"

namespace draudit {
namespace {

using Names = std::set<std::string_view>;

template <class T>
Names namespaces_of(const std::vector<T>& objects) {
  Names out;
  for (const T& o : objects) {
    if (!o.meta.ns.empty()) out.insert(o.meta.ns);
  }
  return out;
}

/// "a, b, c and 4 more"
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    out += fmt::format("{}{}", i == 0 ? "" : ", ", names[i]);
  }
  if (names.size() > kShown) out += fmt::format(" and {} more", names.size() - kShown);
  return out;
}

std::string_view plural(std::size_t n) { return n == 1 ? "namespace" : "namespaces"; }

Names namespaces_of_kind(const Snapshot& s, Kind kind) {
  switch (kind) {
    case Kind::pod: return namespaces_of(s.pods);
    case Kind::claim: return namespaces_of(s.claims);
    case Kind::bind_request: return namespaces_of(s.bind_requests);
    case Kind::pod_group: return namespaces_of(s.pod_groups);
    case Kind::node:
    case Kind::slice:
    case Kind::device_class:
    case Kind::taint_rule:
    case Kind::name_space: break;  // of the cluster
  }
  return {};
}

}  // namespace

Completeness completeness_of(const Snapshot& s) {
  Completeness out;
  for (std::size_t i = 0; i < kKinds; ++i) {
    const auto kind = static_cast<Kind>(i);
    const Names names = namespaces_of_kind(s, kind);
    KindSeen seen{.kind = kind, .objects = s.of(kind).objects, .known = s.of(kind).known()};
    seen.namespaces.assign(names.begin(), names.end());
    if (const auto it = s.newest_of.find(kind); it != s.newest_of.end()) seen.newest = it->second;
    out.kinds.push_back(std::move(seen));
  }
  for (const Pod& p : s.pods) {
    out.ended_pods += has_ended(p) ? 1U : 0U;
  }
  const Names pods = namespaces_of(s.pods);
  const Names claims = namespaces_of(s.claims);
  Names uids;
  for (const Pod& p : s.pods) uids.insert(p.meta.uid);
  Names lacking;
  for (const ResourceClaim& c : s.claims) {
    // A pod that is there, in whatever namespace, is a matter for the rules.
    const bool for_pods = std::any_of(
        c.reserved_for.begin(), c.reserved_for.end(),
        [&uids](const Consumer& u) { return u.resource == "pods" && !uids.contains(u.uid); });
    if (for_pods && !pods.contains(c.meta.ns)) lacking.insert(c.meta.ns);
  }
  for (const BindRequest& b : s.bind_requests) {
    if (!pods.contains(b.meta.ns)) lacking.insert(b.meta.ns);
  }
  if (s.of(Kind::pod).known()) {
    out.namespaces_without_pods.assign(lacking.begin(), lacking.end());
    // Who says that the dump is whole knows why: --complete marks every kind.
    const bool vouched = std::all_of(out.kinds.begin(), out.kinds.end(), [&s](const KindSeen& k) {
      return s.of(k.kind).known_complete;
    });
    if (pods.size() == 1 && !lacking.empty() && !vouched) {
      out.pods_of_one_namespace = *pods.begin();
    }
  }
  if (s.of(Kind::claim).known()) {
    lacking.clear();
    for (const Pod& p : s.pods) {
      if (!p.claims.empty() && !claims.contains(p.meta.ns)) lacking.insert(p.meta.ns);
    }
    out.namespaces_without_claims.assign(lacking.begin(), lacking.end());
  }

  if (!out.pods_of_one_namespace.empty()) {
    out.gaps.push_back(fmt::format(
        "all pods are of the namespace {}, and claims of {} are reserved for others: figures are "
        "too low where those run (take the dump with -A)",
        out.pods_of_one_namespace, some_of(out.namespaces_without_pods)));
  } else if (!out.namespaces_without_pods.empty()) {
    out.gaps.push_back(fmt::format(
        "no pod of the {} {}, though something there is reserved for pods: they have gone, or were "
        "not dumped (take the dump with -A)",
        plural(out.namespaces_without_pods.size()), some_of(out.namespaces_without_pods)));
  }
  if (pods.size() == 1 && out.pods_of_one_namespace.empty() && s.namespaces_seen.size() > 2) {
    out.gaps.push_back(fmt::format(
        "all pods are of the namespace {}, though {} other namespaces have objects (take the dump "
        "with -A)",
        *pods.begin(), s.namespaces_seen.size() - 1));
  }
  if (out.namespaces_without_claims.size() > 1) {
    // Of one alone the rules speak: its claims may be in the wrong namespace.
    out.gaps.push_back(fmt::format(
        "no claim of the namespaces {}, though pods there name claims (take the dump with -A)",
        some_of(out.namespaces_without_claims)));
  }
  constexpr std::size_t kManyPods = 500;
  if (s.pods.size() >= kManyPods && out.ended_pods == 0) {
    out.gaps.push_back(fmt::format(
        "none of the {} pods has ended: those that have were perhaps filtered out, and claims that "
        "they left behind look as if nobody knew their pods",
        s.pods.size()));
  }
  for (const auto& [reason, skipped] : s.skipped_files) {
    out.gaps.push_back(skipped.files == 1
                           ? fmt::format("{} was not read: {}", skipped.first, reason)
                           : fmt::format("{} files were not read: {} ({} and others)",
                                         skipped.files, reason, skipped.first));
  }
  for (const SkippedText& t : s.skipped) {
    out.gaps.push_back(
        fmt::format("{}:{}: {} of text {} passed over{}{}", s.files[t.file].name, t.line,
                    t.lines == 1 ? "1 line" : fmt::format("{} lines", t.lines),
                    t.lines == 1 ? "was" : "were", t.said.empty() ? "" : ", with: ", t.said));
  }
  return out;
}

}  // namespace draudit
