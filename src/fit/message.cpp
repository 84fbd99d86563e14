#include "fit/message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace draudit {
namespace {

constexpr std::string_view kBase = "no nodes with enough resources were found";

struct Said {
  std::vector<std::string> reasons;
  std::vector<std::string> details;
};

/// KAI tries resources first; the other tests run where those would do.
std::optional<Said> said_of(const NodeVerdict& node, const NodeFit& fit, bool last_outcome) {
  if (fit.outcomes.empty()) return std::nullopt;
  const FitOutcome& outcome = last_outcome ? fit.outcomes.back() : fit.outcomes.front();
  if (!outcome.idle_or_releasing) return Said{outcome.reasons, outcome.details};
  if (!fit.refused.empty()) return Said{{fit.refused}, {fit.refused}};
  if (!node.filters.empty()) return Said{node.filters, node.filters};
  return std::nullopt;
}

std::string short_form(const PodVerdict& pod, bool fixed, bool last_outcome) {
  std::map<std::string, std::uint64_t> counts;
  for (const NodeVerdict& n : pod.nodes) {
    const auto said = said_of(n, fixed ? n.corrected : n.naive, last_outcome);
    if (!said) continue;
    for (const std::string& reason : said->reasons) ++counts[reason];
  }
  std::vector<std::string> lines;
  lines.reserve(counts.size());
  for (const auto& [reason, nodes] : counts) lines.push_back(fmt::format("{} {}", nodes, reason));
  std::sort(lines.begin(), lines.end());
  if (lines.empty()) return std::string{kBase};
  return fmt::format("{}: {}.", kBase, fmt::join(lines, ". \n"));
}

std::string long_form(const PodVerdict& pod, bool fixed, bool last_outcome) {
  std::vector<std::string> lines = {fmt::format("\n{}.", kBase)};
  for (const NodeVerdict& n : pod.nodes) {
    const auto said = said_of(n, fixed ? n.corrected : n.naive, last_outcome);
    if (!said) continue;
    lines.push_back(
        fmt::format("\n<{}>: {}.", n.node->node->meta.name, fmt::join(said->details, ", ")));
  }
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, ""));
}

/// The pod's own part of what stands in its condition: without the pool's name, and of a gang
/// without the sentence that leads up to it and the full stop that ends that one.
std::string_view own_part(std::string_view text) {
  if (text.starts_with("Node-Pool '")) {
    if (const auto end = text.find("': "); end != std::string_view::npos) {
      text.remove_prefix(end + 3);
    }
  }
  constexpr std::string_view kDueTo = " due to: ";
  if (const auto at = text.find(kDueTo); at != std::string_view::npos) {
    text.remove_prefix(at + kDueTo.size());
    if (text.ends_with('.')) text.remove_suffix(1);
  }
  return text;
}

}  // namespace

void match_message(PodVerdict& pod, bool fixed) {
  pod.message = short_form(pod, fixed, false);
  pod.detailed = long_form(pod, fixed, false);
  if (!pod.pod->placement || !pod.pod->placement->scheduled) return;
  const Condition& condition = *pod.pod->placement->scheduled;
  if (condition.status != "False" || condition.message.empty()) return;
  const std::string_view said = own_part(condition.message);
  for (const bool last_outcome : {false, true}) {
    if (said == short_form(pod, fixed, last_outcome) ||
        said == long_form(pod, fixed, last_outcome)) {
      pod.confirmation = Confirmation::confirmed;
      return;
    }
  }
  pod.confirmation = Confirmation::contradicted;
  pod.contradiction = condition.message;
}

}  // namespace draudit
