#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/html/sections.hpp"
#include "report/words.hpp"

namespace draudit::html {
namespace {

constexpr std::size_t kRows = 500;
constexpr std::size_t kFineNames = 3'000;
constexpr std::size_t kNameBytes = 60'000;
constexpr std::size_t kColumns = 100;
constexpr std::size_t kWideColumns = 200;  // of a fleet of thousands
constexpr int kCell = 10;

struct Heat {
  Literal css;
  Literal words;
  bool (*is)(const Report::Node& n);
};
/// Worst first; the first that fits.
constexpr std::array kHeat = {
    Heat{"h-below", "idle below 0: KAI refuses every pod",
         [](const Report::Node& n) { return n.naive.idle && *n.naive.idle < 0; }},
    Heat{"h-full", "idle 0: full",
         [](const Report::Node& n) {
           return n.naive.idle && *n.naive.idle == 0 && n.capacity.value.value_or(0) > 0;
         }},
    Heat{"h-some", "some idle",
         [](const Report::Node& n) {
           return n.naive.idle && *n.naive.idle > 0 && n.naive.printed_used > 0;
         }},
    Heat{"h-all", "all idle",
         [](const Report::Node& n) { return n.naive.idle && *n.naive.idle > 0; }},
    Heat{"h-none", "no GPUs", [](const Report::Node& n) { return n.naive.idle.has_value(); }},
    Heat{"h-unknown", "capacity not known", [](const Report::Node&) { return true; }},
};

/// One cell a node, worst first, so that colour is not needed to read it.
void strip(Html& out, const Report& report) {
  std::vector<const Report::Node*> all;
  for (const Report::Node& n : report.nodes) all.push_back(&n);
  std::array<std::vector<const Report::Node*>, kHeat.size()> of;
  for (const Report::Node* n : all) {
    const auto at =
        std::find_if(kHeat.begin(), kHeat.end(), [n](const Heat& h) { return h.is(*n); });
    of[static_cast<std::size_t>(at - kHeat.begin())].push_back(n);
  }
  const std::size_t columns =
      std::clamp<std::size_t>(all.size(), 20, all.size() > 2'000 ? kWideColumns : kColumns);
  const std::size_t rows = (all.size() + columns - 1) / columns;
  std::string said;
  for (std::size_t h = 0; h < kHeat.size(); ++h) {
    if (of[h].empty()) continue;
    said += fmt::format("{}{}: {}", said.empty() ? "" : "; ", kHeat[h].words.text(), of[h].size());
  }
  out.raw("<svg class=\"heat\" role=\"img\" viewBox=\"0 0 ");
  out.text(fmt::format("{} {}", columns * kCell, rows * kCell));
  out.raw("\" aria-label=\"Nodes by what KAI believes to be idle, worst first. ").text(said);
  out.raw("\">\n");
  std::size_t i = 0;
  for (std::size_t h = 0; h < kHeat.size(); ++h) {
    if (of[h].empty()) continue;
    std::stable_sort(of[h].begin(), of[h].end(), [](const auto* a, const auto* b) {
      return idle_or_most(*a) < idle_or_most(*b);
    });
    out.raw("<path class=\"").raw(kHeat[h].css).raw("\" d=\"");
    for (std::size_t k = 0; k < of[h].size(); ++k, ++i) {
      out.text(fmt::format("M{} {}h8v8h-8z", i % columns * kCell + 1, i / columns * kCell + 1));
    }
    out.raw("\"><title>").raw(kHeat[h].words).raw(": ");
    out.text(counted(of[h].size(), "node|nodes")).raw("</title></path>\n");
  }
  out.raw("</svg>\n<ul class=\"legend\">\n");
  for (std::size_t h = 0; h < kHeat.size(); ++h) {
    if (of[h].empty()) continue;
    out.raw("<li><svg width=\"12\" height=\"12\" aria-hidden=\"true\"><rect class=\"");
    out.raw(kHeat[h].css).raw("\" width=\"12\" height=\"12\"/></svg> ").raw(kHeat[h].words);
    out.raw(": <b>").text(static_cast<Gpus>(of[h].size())).raw("</b></li>\n");
  }
  out.raw("</ul>\n");
}

std::string idle_text(const Report::Account& a) {
  return a.idle_range ? to_string(*a.idle_range) : "?";
}

void row(Html& out, const View& view, const Report::Node& n) {
  out.raw("<tr><th scope=\"row\">").text(n.name).raw("</th><td class=\"n\">");
  out.text(capacity_text(n.capacity.value, n.capacity.certainty)).raw("</td><td class=\"n");
  if (n.capacity.value && n.naive.printed_used > *n.capacity.value) out.raw(" over");
  out.raw("\">").text(to_string(n.naive.printed_used_range)).raw("</td><td class=\"n\">");
  out.text(to_string(n.corrected.printed_used_range)).raw("</td><td class=\"n\">");
  out.text(n.held).raw("</td><td class=\"n\">").text(idle_text(n.naive)).raw("</td><td>");
  const auto& names = view.rules_of.at(n.name);
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 4); ++i) {
    out.raw(i == 0 ? Literal("") : Literal(", ")).text(names[i]);
  }
  if (names.size() > 4) out.text(fmt::format(" and {} more", names.size() - 4));
  out.raw("</td></tr>\n");
}

void affected(Html& out, const View& view) {
  out.raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Nodes with findings\">"
          "<table class=\"nodes\"><caption>Nodes with findings, least idle first. "
          "GPUs: <b>naive</b> is what KAI ")
      .text(view.report.kai.naive)
      .raw(" believes to be in use, <b>corrected</b> what KAI ")
      .text(view.report.kai.corrected)
      .raw(" does, <b>held</b> what is taken.</caption>\n<thead><tr><th scope=\"col\">Node</th>"
           "<th scope=\"col\" class=\"n\">Capacity</th><th scope=\"col\" class=\"n\">Naive</th>"
           "<th scope=\"col\" class=\"n\">Corrected</th><th scope=\"col\" class=\"n\">Held</th>"
           "<th scope=\"col\" class=\"n\">Idle to KAI</th><th scope=\"col\">Findings</th></tr>"
           "</thead>\n<tbody>\n");
  const std::size_t start = out.bytes().size();
  std::size_t shown = 0;
  for (const Report::Node* n : view.affected) {
    if (shown == kRows || out.bytes().size() - start > kNameBytes) break;
    row(out, view, *n);
    ++shown;
  }
  out.raw("</tbody></table></div>\n");
  if (shown < view.affected.size()) {
    out.raw("<p class=\"cut\"><strong>")
        .text(counted(view.affected.size() - shown, "more node|more nodes"))
        .raw(" with findings left out of this table.</strong></p>\n");
  }
}

void fine_node(Html& out, const Report::Node& n) {
  out.raw("<li><b>").text(n.name).raw("</b> ");
  out.text(fmt::format("{} of {} in use, {} held", to_string(n.naive.printed_used_range),
                       capacity_text(n.capacity.value, n.capacity.certainty), to_string(n.held)));
  out.raw(" <small>(").text(to_string(n.capacity.certainty)).raw(", from ").text(n.capacity.source);
  for (const Report::Part& p : n.capacity.parts) {
    out.text(fmt::format(" {} {}", p.what, to_string(p.gpus)));
  }
  out.raw("; upgrade ").text(n.upgrade_helps);
  for (const Report::Cause& c : n.causes) {
    out.text(fmt::format("; {} ({}): {}, mend: {}", c.cause, c.figure, c.what, c.mend));
  }
  out.raw(")");
  for (const Report::Device& d : n.devices) {
    out.raw("<br>")
        .text(d.device)
        .raw(": ")
        .text(listed(d.pods))
        .raw(" by ")
        .text(listed(d.claims));
  }
  out.raw("</small></li>\n");
}

void fine(Html& out, const View& view) {
  if (view.fine.empty()) return;
  out.raw("<details><summary>")
      .text(counted(view.fine.size(), "node|nodes"))
      .raw(" without findings</summary>\n<ul class=\"names\">\n");
  const std::size_t start = out.bytes().size();
  std::size_t shown = 0;
  for (const Report::Node* n : view.fine) {
    if (shown == kFineNames || out.bytes().size() - start > kNameBytes) break;
    ++shown;
    fine_node(out, *n);
  }
  out.raw("</ul>\n");
  if (shown < view.fine.size()) {
    out.raw("<p class=\"cut\">and <strong>");
    out.text(counted(view.fine.size() - shown, "more node|more nodes")).raw("</strong></p>\n");
  }
  out.raw("</details>\n");
}

}  // namespace

Html fleet(const View& view) {
  Html out;
  out.raw("<section id=\"fleet\" aria-labelledby=\"fleet-title\">\n<h2 id=\"fleet-title\">")
      .text(counted(view.report.nodes.size(), "node|nodes"))
      .raw("</h2>\n");
  // A table says it better of a few.
  if (view.report.nodes.size() > 8) strip(out, view.report);
  if (!view.affected.empty()) affected(out, view);
  fine(out, view);
  if (view.report.nodes_outside_pool > 0) {
    out.raw("<p>").text(counted(view.report.nodes_outside_pool, "node is|nodes are"));
    out.raw(" not of this shard, and not audited.</p>\n");
  }
  out.raw("</section>\n");
  return out;
}

}  // namespace draudit::html
