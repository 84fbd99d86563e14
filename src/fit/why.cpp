#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "accounting/index.hpp"
#include "draudit/fit.hpp"
#include "fit/filters.hpp"
#include "fit/fit.hpp"
#include "fit/message.hpp"

namespace draudit {
namespace {

/// "ns/group", or empty.
std::string group_of(const Pod& pod) {
  const auto name = find(pod.annotations, "pod-group-name");
  if (!name || name->empty()) return {};
  return fmt::format("{}/{}", pod.meta.ns, *name);
}

/// Nodes that take the pod but for their resources.
bool eligible(const NodeVerdict& n, const NodeFit& running) {
  return n.filters.empty() && running.refused.empty();
}

std::string named(const std::vector<const NodeVerdict*>& nodes) {
  constexpr std::size_t kNamed = 3;
  std::string out;
  for (std::size_t i = 0; i < nodes.size() && i < kNamed; ++i) {
    out += fmt::format("{}{}", i == 0 ? "" : ", ", nodes[i]->node->node->meta.name);
  }
  if (nodes.size() > kNamed) out += fmt::format(" and {} more", nodes.size() - kNamed);
  return out;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::blocked: return "blocked";
    case Verdict::would_misplace: return "would be misplaced";
    case Verdict::rightly_pending: return "rightly pending";
    case Verdict::pipelined: return "pipelined";
    case Verdict::binding: return "binding";
    case Verdict::fits: return "fits";
    case Verdict::undecidable: return "undecidable";
  }
  return "undecidable";
}

std::string_view to_string(Confirmation confirmation) {
  switch (confirmation) {
    case Confirmation::confirmed: return "confirmed";
    case Confirmation::contradicted: return "contradicted";
    case Confirmation::no_message: return "no message";
  }
  return "no message";
}

struct Waiting::Impl {
  explicit Impl(const Audit& of) : audit(&of), index(*of.snapshot, of.options) {
    for (const Pod& pod : of.snapshot->pods) {
      if (has_ended(pod)) continue;
      if (const std::string group = group_of(pod); !group.empty()) ++groups[group];
      if (!pod.node.empty()) continue;
      const PodStatus status = index.status_of(pod, *of.options.corrected);
      if (status == PodStatus::pending || status == PodStatus::gated ||
          status == PodStatus::binding) {
        pods.push_back(&pod);
      }
    }
    if (pods.empty()) return;
    for (const NodeAudit& node : of.nodes) {
      naive.push_back(node_state(index, node, node.naive));
      corrected.push_back(node_state(index, node, node.corrected));
    }
  }

  [[nodiscard]] bool fixed() const { return audit->runs_fix(); }
  /// The scheduler's messages are of the version that runs, not of one that was asked for.
  [[nodiscard]] bool imitates_running() const {
    return !audit->naive_chosen || audit->running.version.empty() ||
           audit->options.naive_version == audit->running.version;
  }
  [[nodiscard]] const NodeFit& running(const NodeVerdict& n) const {
    return fixed() ? n.corrected : n.naive;
  }
  /// Waiting pods of its group that name the same claim without an allocation, itself included.
  [[nodiscard]] std::int64_t sharers_of_unallocated(const Pod& pod) const {
    const std::string group = group_of(pod);
    std::int64_t most = 1;
    if (group.empty()) return most;
    for (const PodClaim& entry : pod.claims) {
      const ClaimUse use = index.resolve(pod, entry);
      if (use.claim == nullptr || use.claim->allocation) continue;
      most = std::max<std::int64_t>(
          most, std::count_if(pods.begin(), pods.end(), [&](const Pod* other) {
            return group_of(*other) == group &&
                   std::any_of(other->claims.begin(), other->claims.end(), [&](const PodClaim& e) {
                     return index.resolve(*other, e).claim == use.claim;
                   });
          }));
    }
    return most;
  }

  void judge(PodVerdict& out, const Wish& wish) const;
  [[nodiscard]] bool judge_gang(PodVerdict& out, const Wish& wish) const;

  const Audit* audit;
  Index index;
  std::map<std::string, std::int64_t> groups;  ///< living pods of each PodGroup
  std::vector<const Pod*> pods;
  std::vector<NodeState> naive;
  std::vector<NodeState> corrected;
};

/// Pods of a gang that share a claim that is not allocated yet: each needs an idle GPU of its own
/// until one of them is placed, in every version (F10).
bool Waiting::Impl::judge_gang(PodVerdict& out, const Wish& wish) const {
  const std::int64_t sharers = sharers_of_unallocated(*out.pod);
  if (sharers < 2 || wish.claim_gpus == 0) return false;
  const std::vector<NodeState>& states = fixed() ? corrected : naive;
  std::vector<const NodeVerdict*> room;
  for (std::size_t i = 0; i < out.nodes.size(); ++i) {
    NodeVerdict& n = out.nodes[i];
    if (!eligible(n, running(n))) continue;
    if (fits_together(states[i], wish, sharers)) return false;
    n.blocked = fits_unheld(states[i], wish, sharers).value_or(false);
    if (n.blocked) room.push_back(&n);
  }
  if (room.empty()) return false;
  out.verdict = Verdict::blocked;
  out.upgrade_places = false;
  out.why = fmt::format(
      "{} pods of its group share a claim that is not allocated yet, and KAI wants an idle GPU for "
      "each; {} has room for the devices of the claim. The version with the fix wants them too",
      sharers, named(room));
  return true;
}

void Waiting::Impl::judge(PodVerdict& out, const Wish& wish) const {
  std::vector<const NodeVerdict*> blocked;
  std::vector<const NodeVerdict*> takes;
  std::vector<const NodeVerdict*> fair;
  std::vector<const NodeVerdict*> frees;
  std::vector<const NodeVerdict*> unknown;
  for (const NodeVerdict& n : out.nodes) {
    const NodeFit& fit = running(n);
    if (!eligible(n, fit)) continue;
    if (n.corrected.refused.empty() && n.corrected.always_idle()) out.upgrade_places = true;
    if (!n.held) unknown.push_back(&n);
    if (fit.ever_idle()) takes.push_back(&n);
    if (fit.ever_idle() && n.held.value_or(true)) fair.push_back(&n);
    if (!fit.ever_idle() && fit.ever_releasing()) frees.push_back(&n);
    if (n.blocked) blocked.push_back(&n);
  }
  if (out.status == PodStatus::gated) {
    out.verdict = Verdict::rightly_pending;
    out.why = "it has scheduling gates: no scheduler looks at it yet";
  } else if (judge_gang(out, wish)) {
    return;
  } else if (!fair.empty()) {
    out.verdict = out.missing.empty() ? Verdict::fits : Verdict::undecidable;
    out.why = fmt::format("it fits on {}", named(fair));
    if (!out.missing.empty()) {
      out.why += fmt::format("; not known: {}", fmt::join(out.missing, ", "));
    }
  } else if (!takes.empty()) {
    out.verdict = Verdict::would_misplace;
    out.why = fmt::format("KAI finds room on {}, where every GPU is held", named(takes));
  } else if (!frees.empty()) {
    out.verdict = Verdict::pipelined;
    out.why = fmt::format("it waits on {} for what terminating pods hold", named(frees));
    for (const NodeVerdict* n : frees) {
      for (const DeviceUse& use : n->node->devices) {
        const auto ending = [](const Pod* pod) { return pod->meta.deleted.has_value(); };
        if (std::any_of(use.holders.begin(), use.holders.end(), ending) &&
            !std::all_of(use.holders.begin(), use.holders.end(), ending)) {
          out.why += fmt::format("; {} stays in use by pods that go on", to_string(use.key));
        }
      }
    }
  } else if (!blocked.empty()) {
    out.verdict = Verdict::blocked;
    const bool over = std::any_of(blocked.begin(), blocked.end(), [&](const NodeVerdict* n) {
      const Account& a = fixed() ? n->node->corrected : n->node->naive;
      return a.figures.idle.least < 0;
    });
    out.why =
        fmt::format("{} {} room for it; {}", named(blocked), blocked.size() == 1 ? "has" : "have",
                    over ? "KAI counts more GPUs in use there than there are, and so refuses "
                           "every pod"
                         : "KAI wants another idle GPU for a device that is counted already");
    out.why += out.upgrade_places ? ". The version with the fix places it"
                                  : ". The version with the fix does not place it either";
  } else if (!unknown.empty()) {
    out.verdict = Verdict::undecidable;
    out.missing.push_back(fmt::format("the GPUs of {}", named(unknown)));
    out.why = fmt::format("not known: {}", fmt::join(out.missing, ", "));
  } else {
    out.verdict = Verdict::rightly_pending;
    out.why = out.nodes.empty() ? "there is no node in its shard"
                                : "every node refuses it for a reason that holds";
  }
}

Waiting::Waiting(const Audit& audit) : impl_(std::make_unique<Impl>(audit)) {}
Waiting::~Waiting() = default;

const std::vector<const Pod*>& Waiting::pods() const { return impl_->pods; }

PodVerdict Waiting::verdict(const Pod& pod) const {
  const Impl& in = *impl_;
  PodVerdict out{.pod = &pod, .status = in.index.status_of(pod, *in.audit->options.corrected)};
  const auto group = in.groups.find(group_of(pod));
  const bool gang = group != in.groups.end() && group->second > 1;
  const Wish naive = wish_of(in.index, pod, *in.audit->options.naive, gang);
  const Wish corrected = wish_of(in.index, pod, *in.audit->options.corrected, gang);
  out.missing = unknowns_of(in.index, pod);
  for (std::size_t i = 0; i < in.naive.size(); ++i) {
    NodeVerdict n{.node = in.naive[i].node};
    n.naive = fit(in.naive[i], naive);
    n.corrected = fit(in.corrected[i], corrected);
    n.held = in.fixed() ? fits_unheld(in.corrected[i], corrected, 1)
                        : fits_unheld(in.naive[i], naive, 1);
    n.filters = filters_of(in.index, pod, *n.node->node);
    const NodeFit& running = in.running(n);
    n.blocked = eligible(n, running) && n.held.value_or(false) && !running.ever_idle() &&
                !running.ever_releasing();
    out.nodes.push_back(std::move(n));
  }
  if (out.status == PodStatus::binding) {
    const BindRequest* request = in.index.bind_request(pod);
    out.verdict = Verdict::binding;
    out.why = fmt::format("already placed: binding to {}", request ? request->node : "its node");
    return out;
  }
  in.judge(out, in.fixed() ? corrected : naive);
  if (in.imitates_running()) match_message(out, in.fixed());
  return out;
}

}  // namespace draudit
