#include <fmt/format.h>

#include <algorithm>

#include "report/html/sections.hpp"
#include "report/words.hpp"

namespace draudit::html {
namespace {

constexpr std::size_t kMends = 6;
constexpr std::size_t kInputs = 200;
constexpr std::size_t kProblems = 100;

/// Red where anything was missing or unreadable; says what.
Html band(const Report& report) {
  Html out;
  const bool whole = report.complete && report.problems.empty() && report.not_in_dump.empty() &&
                     report.completeness.gaps.empty() && !report.unable;
  if (whole) return out;
  const bool broken = !report.complete || !report.problems.empty() || report.unable;
  out.raw("<section class=\"band\" aria-labelledby=\"band-title\">\n<h2 id=\"band-title\">")
      .text(broken ? "INCOMPLETE: the figures are those of what could be read"
                   : "Parts of the cluster are not in the input")
      .raw("</h2>\n<ul>\n");
  std::size_t shown = 0;
  for (const Report::Problem& p : report.problems) {
    if (shown++ == kProblems) break;
    out.raw("<li>").text(problem_line(p)).raw("</li>\n");
  }
  if (report.problems.size() > kProblems) {
    out.raw("<li>").text(counted(report.problems.size() - kProblems, "more problem|more problems"));
    out.raw("</li>\n");
  }
  if (report.unable) out.raw("<li>not audited: ").text(*report.unable).raw("</li>\n");
  for (const Report::Absent& a : report.not_in_dump) {
    out.raw("<li><strong>").text(a.kind).raw("</strong> not in this dump: ").text(a.consequence);
    if (!a.command.empty()) out.raw(" (<code>").text(a.command).raw("</code>)");
    out.raw("</li>\n");
  }
  for (const std::string& gap : report.completeness.gaps) {
    out.raw("<li>").text(gap).raw("</li>\n");
  }
  out.raw("</ul>\n</section>\n");
  return out;
}

void tile(Html& out, Literal label, std::string_view figure, std::string_view more) {
  // A time must not break in the middle.
  out.raw(figure.size() > 18 ? Literal("<div class=\"tile long\"><dt>")
                             : Literal("<div class=\"tile\"><dt>"));
  out.raw(label).raw("</dt><dd><b>").text(figure).raw("</b> ");
  out.text(more).raw("</dd></div>\n");
}

void tiles(Html& out, const View& view) {
  const Report& r = view.report;
  std::size_t refuse = 0;
  std::size_t saved = 0;
  for (const Report::Node& n : r.nodes) {
    if (n.naive.idle.value_or(0) >= 0) continue;
    ++refuse;
    if (n.upgrade_helps == "yes") ++saved;
  }
  const bool fixed = r.kai.running_has_fix.value_or(false);
  out.raw("<dl class=\"tiles\">\n");
  tile(out, "Nodes affected", fmt::format("{} of {}", view.affected.size(), r.nodes.size()),
       "with findings");
  tile(out, "Pods blocked",
       refuse == 0 ? "none" : fmt::format("all new on {}", counted(refuse, "node|nodes")),
       refuse == 0 ? "no node has less than 0 GPUs idle"
       : fixed     ? fmt::format("by KAI {}, which does not run here", r.kai.naive)
               : fmt::format("idle is below 0 there, so KAI refuses every pod; KAI {} would take "
                             "pods again on {}",
                             r.kai.corrected, saved));
  tile(out, "KAI version", r.kai.running.value_or("not seen"), naive_text(r.kai));
  tile(out, "As of", r.now.value_or("not known"),
       r.completeness.oldest && r.completeness.newest
           ? fmt::format("times in the input: {} to {}", *r.completeness.oldest,
                         *r.completeness.newest)
           : std::string{});
  out.raw("</dl>\n");
}

/// The mends of what stands, those of most findings first.
void what_to_do(Html& out, const Report& report) {
  struct Mend {
    std::string_view text;
    std::size_t findings = 0;
    Severity worst = Severity::note;
  };
  std::vector<Mend> mends;
  for (const Report::Finding& f : report.findings) {
    if (f.waived || f.mend.empty()) continue;
    auto at =
        std::find_if(mends.begin(), mends.end(), [&f](const Mend& m) { return m.text == f.mend; });
    if (at == mends.end()) {
      if (mends.size() >= 200) continue;
      at = mends.insert(mends.end(), Mend{f.mend});
    }
    ++at->findings;
    at->worst = std::max(at->worst, f.severity);
  }
  std::stable_sort(mends.begin(), mends.end(), [](const Mend& a, const Mend& b) {
    return std::pair{a.worst, a.findings} > std::pair{b.worst, b.findings};
  });
  out.raw("<div class=\"todo\"><h2>What to do</h2>\n");
  if (mends.empty()) {
    out.raw(report.complete ? Literal("<p>Nothing.</p></div>\n")
                            : Literal("<p>Read the rest of the input first.</p></div>\n"));
    return;
  }
  out.raw("<ol>\n");
  for (std::size_t i = 0; i < std::min(mends.size(), kMends); ++i) {
    out.raw("<li>").text(mends[i].text).raw(" <small>");
    out.text(counted(mends[i].findings, "finding|findings")).raw(", ");
    out.text(to_string(mends[i].worst)).raw("</small></li>\n");
  }
  out.raw("</ol>\n");
  if (mends.size() > kMends) {
    out.raw("<p>and ").text(counted(mends.size() - kMends, "more way of mending|more ways"));
    out.raw(" of mending, with the findings below.</p>\n");
  }
  out.raw("</div>\n");
}

void inputs(Html& out, const Report& report) {
  out.raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Files that were "
          "read\"><table class=\"inputs\"><caption>Read: ")
      .text(objects_read(report))
      .raw("</caption>\n<thead><tr><th scope=\"col\">File</th><th scope=\"col\" class=\"n\">Bytes"
           "</th><th scope=\"col\" class=\"n\">Objects</th><th scope=\"col\">SHA-256</th></tr>"
           "</thead>\n<tbody>\n");
  for (std::size_t i = 0; i < std::min(report.inputs.size(), kInputs); ++i) {
    const Report::Input& f = report.inputs[i];
    out.raw("<tr><th scope=\"row\">").text(f.name).raw("</th><td class=\"n\">");
    out.text(static_cast<Gpus>(f.bytes)).raw("</td><td class=\"n\">");
    out.text(static_cast<Gpus>(f.objects)).raw("</td><td class=\"hash\">");
    out.text(f.sha256.empty() ? "not taken" : f.sha256).raw("</td></tr>\n");
  }
  if (report.inputs.size() > kInputs) {
    out.raw("<tr><td colspan=\"4\">and ");
    out.text(counted(report.inputs.size() - kInputs, "more file|more files")).raw("</td></tr>\n");
  }
  out.raw("</tbody></table></div>\n");
}

std::string_view mood(const Report& report) {
  if (!report.complete) return "unsure";
  if (report.counts.error > 0) return "bad";
  return report.counts.warning > 0 ? "unsure" : "good";
}

}  // namespace

Html summary(const View& view) {
  Html out;
  out.raw("<header>\n<p class=\"brand\">draudit <span>GPU accounting audit</span></p>\n"
          "<h1 class=\"")
      .text(mood(view.report))
      .raw("\">")
      .text(verdict(view.report))
      .raw("</h1>\n")
      .add(band(view.report));
  tiles(out, view);
  what_to_do(out, view.report);
  inputs(out, view.report);
  out.raw("<nav aria-label=\"Sections\"><a href=\"#fleet\">Nodes</a> ");
  if (!view.affected.empty()) out.raw("<a href=\"#nodes\">Pictures and ledgers</a> ");
  out.raw("<a href=\"#findings\">Findings</a> <a href=\"#ticket\">For the ticket</a> "
          "<a href=\"#input\">Input</a> <a href=\"#rules\">Rules</a></nav>\n</header>\n");
  return out;
}

}  // namespace draudit::html
