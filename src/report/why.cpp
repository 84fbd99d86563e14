#include "report/why.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "draudit/version.hpp"
#include "report/plain.hpp"

namespace draudit {
namespace {

using Json = nlohmann::ordered_json;

Json outcomes_of(const NodeFit& fit) {
  Json out = Json::array();
  for (const FitOutcome& o : fit.outcomes) {
    Json one = {{"idle", o.idle}, {"idle_or_releasing", o.idle_or_releasing}};
    if (!fit.refused.empty()) one["refused"] = fit.refused;
    if (o.explained) {
      one["reasons"] = o.reasons;
      one["details"] = o.details;
    }
    out.push_back(std::move(one));
  }
  return out;
}

/// The running version's outcome for a reader: "fits", or every reason it has.
std::string node_says(const NodeVerdict& n, const NodeFit& fit) {
  std::vector<std::string> out = n.filters;
  if (!fit.refused.empty()) out.push_back(fit.refused);
  const bool refuses = !fit.ever_idle();
  if (refuses && fit.ever_releasing()) {
    out.emplace_back("fits once terminating pods are gone");
  } else if (refuses) {
    const auto& details = fit.outcomes.front().details;
    out.insert(out.end(), details.begin(), details.end());
    if (details.empty()) out.emplace_back("not enough idle GPUs for its claims");
  } else if (!fit.always_idle()) {
    out.emplace_back("fits, or not: it depends on the order in which KAI adds the node's pods");
  }
  if (out.empty()) out.emplace_back("fits");
  if (n.blocked) out.emplace_back("refused wrongly: the hardware has room");
  return fmt::format("{}", fmt::join(out, "; "));
}

std::string on_lines(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? std::string{"\\n"} : std::string{c};
  return plain(out);
}

}  // namespace

std::string why_text(const Audit& audit, const std::vector<PodVerdict>& pods) {
  const bool fixed = audit.runs_fix();
  std::string out;
  for (const PodVerdict& p : pods) {
    if (!out.empty()) out += '\n';
    out += fmt::format("{}: {}{}\n  {}.\n", plain(full_name(p.pod->meta)), to_string(p.verdict),
                       p.before ? fmt::format(", as things are: {}", to_string(*p.before)) : "",
                       plain(p.why));
    if (p.verdict == Verdict::binding) continue;
    // Nodes that say the same are told of once.
    std::map<std::string, std::vector<std::string>> by_words;
    for (const NodeVerdict& n : p.nodes) {
      by_words[plain(node_says(n, fixed ? n.corrected : n.naive))].emplace_back(
          n.node->node->meta.name);
    }
    for (const auto& [words, nodes] : by_words) {
      constexpr std::size_t kNamed = 4;
      std::string names;
      for (std::size_t i = 0; i < nodes.size() && i < kNamed; ++i) {
        names += fmt::format("{}{}", i == 0 ? "" : ", ", plain(nodes[i]));
      }
      if (nodes.size() > kNamed) names += fmt::format(" and {} more", nodes.size() - kNamed);
      out += fmt::format("  {}: {}\n", names, words);
    }
    if (p.before || p.message.empty()) continue;  // the scheduler spoke of what is, not of what if
    switch (p.confirmation) {
      case Confirmation::confirmed: out += "  confirmed by the scheduler's own message\n"; break;
      case Confirmation::contradicted:
        out += fmt::format("  contradicted by the scheduler's message: {}\n    expected: {}\n",
                           on_lines(p.contradiction), on_lines(p.message));
        break;
      case Confirmation::no_message: out += "  no message of the scheduler in the input\n"; break;
    }
  }
  if (pods.empty()) out = "no pod waits for a node\n";
  return out;
}

std::string why_json(const Audit& audit, const std::vector<PodVerdict>& pods) {
  Json out;
  out["draudit"] = kVersion;
  out["naive"] = audit.options.naive_version;
  out["corrected"] = audit.options.corrected_version;
  out["running"] = audit.running.version;
  out["pods"] = Json::array();
  for (const PodVerdict& p : pods) {
    Json pod = {{"namespace", p.pod->meta.ns},
                {"name", p.pod->meta.name},
                {"status", to_string(p.status)},
                {"verdict", to_string(p.verdict)},
                {"before", p.before ? Json(to_string(*p.before)) : Json(nullptr)},
                {"why", p.why},
                {"missing", p.missing},
                {"message", p.message},
                {"detailed", p.detailed},
                {"confirmation", to_string(p.confirmation)},
                {"contradiction", p.contradiction},
                {"upgrade_places", p.upgrade_places}};
    pod["nodes"] = Json::array();
    for (const NodeVerdict& n : p.nodes) {
      Json node = {{"name", n.node->node->meta.name}, {"filters", n.filters}};
      node["held"] = n.held ? Json(*n.held) : Json(nullptr);
      node["blocked"] = n.blocked;
      node["versions"] = Json::object();
      node["versions"][audit.options.naive_version] = outcomes_of(n.naive);
      node["versions"][audit.options.corrected_version] = outcomes_of(n.corrected);
      pod["nodes"].push_back(std::move(node));
    }
    out["pods"].push_back(std::move(pod));
  }
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace draudit
