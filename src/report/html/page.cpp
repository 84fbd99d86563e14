#include <fmt/format.h>

#include <algorithm>

#include "html_assets.hpp"
#include "report/html/island.hpp"
#include "report/html/sections.hpp"
#include "report/renderers.hpp"
#include "report/words.hpp"

namespace draudit::html {
namespace {

/// Bytes that a part may take. All but the island are together below 1 MB, whatever the report.
constexpr std::size_t kNodes = 200'000;
constexpr std::size_t kFindings = 130'000;
constexpr std::size_t kIsland = 3'000'000;
constexpr std::size_t kMostPieces = 2'000;

/// As many of the pieces as fit, worst first, and a sentence about the others. One that is too
/// large by itself leaves room for those behind it.
template <class T, class Make>
Html as_many(const std::vector<T>& all, std::size_t room, std::string_view thing, Make make) {
  Html out;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i - left_out >= kMostPieces || out.bytes().size() > room) {
      left_out += all.size() - i;
      break;
    }
    const Html piece = make(all[i], i);
    if (out.bytes().size() + piece.bytes().size() > room) {
      ++left_out;
    } else {
      out.add(piece);
    }
  }
  if (left_out > 0) {
    out.raw("<p class=\"cut\"><strong>")
        .text(counted(left_out, thing))
        .raw(" left out here</strong> to keep the page small; <code>draudit check</code> with "
             "<code>--format json</code> has all of it.</p>\n");
  }
  return out;
}

Html head(const Report& report) {
  Html out;
  out.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; img-src data:\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"icon\" href=\"data:,\">\n"
          "<title>")
      .text(verdict(report))
      .raw(" – draudit</title>\n<style>\n")
      .raw(kPageCss)
      .raw("</style>\n</head>\n<body>\n")
      .raw(kDefsSvg);
  return out;
}

Html nodes(const View& view) {
  Html out;
  if (view.affected.empty()) return out;
  out.raw("<section id=\"nodes\" aria-labelledby=\"nodes-title\">\n"
          "<h2 id=\"nodes-title\">What is on the nodes, and what KAI counts</h2>\n")
      .add(as_many(view.affected, kNodes, "more node is|more nodes are",
                   [&view](const Report::Node* n, std::size_t i) { return node(view, *n, i + 1); }))
      .raw("</section>\n");
  return out;
}

Html findings(const Report& report) {
  std::vector<const Report::Finding*> standing;
  std::vector<const Report::Finding*> waived;
  for (const Report::Finding& f : report.findings) (f.waived ? waived : standing).push_back(&f);
  const auto make = [](const Report::Finding* f, std::size_t) { return finding(*f); };
  Html out;
  out.raw("<section id=\"findings\" aria-labelledby=\"findings-title\">\n"
          "<h2 id=\"findings-title\">Findings, with proof and mending</h2>\n<p>")
      .text(counted(report.counts.error, "error|errors"))
      .raw(", ")
      .text(counted(report.counts.warning, "warning|warnings"))
      .raw(", ")
      .text(counted(report.counts.note, "note|notes"))
      .raw(", ")
      .text(fmt::format("{} suppressed or in the baseline", report.counts.waived))
      .raw(".</p>\n")
      .add(as_many(standing, kFindings * 3 / 4, "more finding is|more findings are", make));
  if (!waived.empty()) {
    out.raw("<h3>Suppressed, or in the baseline</h3>\n")
        .add(as_many(waived, kFindings / 4, "more finding is|more findings are", make));
  }
  if (!report.not_checkable.empty()) {
    out.raw("<h3>Not checkable</h3>\n<p>These rules lack an input, which is no pass.</p>\n<dl>\n");
    for (const Report::NotCheckable& n : report.not_checkable) {
      out.raw("<dt>").text(n.id).raw(" ").text(n.rule).raw("</dt><dd>").text(n.reason);
      out.raw("</dd>\n");
    }
    out.raw("</dl>\n");
  }
  out.raw("</section>\n");
  return out;
}

Html ticket(const Report& report) {
  Html out;
  out.raw("<section id=\"ticket\" aria-labelledby=\"ticket-title\">\n"
          "<h2 id=\"ticket-title\">Copy for the ticket</h2>\n"
          "<details><summary>The report as Markdown</summary>\n"
          "<pre class=\"copy\" tabindex=\"0\" aria-label=\"Markdown of the report\">");
  const std::string markdown = markdown_report(report, {});
  // Line by line, as the end of a line would be made visible like any other control character.
  for (std::size_t at = 0; at < markdown.size();) {
    const std::size_t end = std::min(markdown.find('\n', at), markdown.size());
    out.text(std::string_view{markdown}.substr(at, end - at)).raw("\n");
    at = end + 1;
  }
  out.raw("</pre></details>\n</section>\n");
  return out;
}

}  // namespace

View::View(const Report& of) : report(of), slices_known(draudit::slices_known(of)) {
  for (const Report::Finding& f : report.findings) {
    if (!f.node) continue;
    auto& names = rules_of[*f.node];
    if (std::find(names.begin(), names.end(), f.rule) == names.end()) names.push_back(f.rule);
  }
  for (const Report::Node& n : report.nodes) {
    (rules_of.contains(n.name) ? affected : fine).push_back(&n);
  }
  std::stable_sort(affected.begin(), affected.end(), [](const auto* a, const auto* b) {
    return idle_or_most(*a) < idle_or_most(*b);
  });
}

Gpus idle_or_most(const Report::Node& node) { return node.naive.idle.value_or(Gpus{1} << 100); }

std::string counted(std::size_t n, std::string_view thing) {
  const std::size_t bar = thing.find('|');
  return fmt::format("{} {}", n, n == 1 ? thing.substr(0, bar) : thing.substr(bar + 1));
}

void fact(Html& out, Literal label, std::string_view text) {
  if (text.empty()) return;
  out.raw("<dt>").raw(label).raw("</dt><dd>").text(text).raw("</dd>\n");
}

std::string listed(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace draudit::html

namespace draudit {

std::string html_report(const Report& report, const FormatOptions&) {
  using namespace html;  // NOLINT(google-build-using-namespace): the page is made of that room
  const View view(report);
  Html out = head(report);
  out.add(summary(view)).raw("<main>\n").add(fleet(view)).add(nodes(view)).add(findings(report));
  out.add(ticket(report)).add(input(view)).add(rules(report)).raw("</main>\n<footer><p>");
  out.text(report.tool.name).raw(" ").text(report.tool.version).raw(", schema ");
  out.text(report.schema_version);
  const Html data = island(report, kIsland);
  if (data.empty()) {
    out.raw(". The report is too large to be carried inside this page: keep the dump, or what "
            "<code>--format json</code> writes.</p></footer>\n");
  } else {
    out.raw(". The whole report is inside this page: <code>draudit report</code> with this file "
            "shows it in any other format.</p></footer>\n")
        .add(data);
  }
  return out.raw("</body>\n</html>\n").bytes();
}

}  // namespace draudit
