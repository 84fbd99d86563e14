#include <fmt/format.h>

#include <algorithm>

#include "report/html/sections.hpp"
#include "report/words.hpp"

namespace draudit::html {
namespace {

constexpr std::size_t kNames = 300;

std::string some(const std::vector<std::string>& names) {
  if (names.size() <= kNames) return listed(names);
  return listed({names.begin(), names.begin() + kNames}) +
         fmt::format(" and {} more", names.size() - kNames);
}

void kinds(Html& out, const Report& report) {
  out.raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Kinds of objects\">"
          "<table><caption>Kinds that the audit is made of</caption><thead><tr>"
          "<th scope=\"col\">Kind</th><th scope=\"col\" class=\"n\">Read</th>"
          "<th scope=\"col\">Known</th><th scope=\"col\">Newest</th>"
          "<th scope=\"col\">Namespaces</th></tr></thead>\n<tbody>\n");
  for (const auto& [kind, seen] : report.completeness.kinds) {
    out.raw("<tr><th scope=\"row\">").text(kind).raw("</th><td class=\"n\">");
    out.text(static_cast<Gpus>(seen.objects)).raw("</td><td>");
    out.raw(seen.known ? Literal("yes") : Literal("not in the input")).raw("</td><td>");
    out.text(seen.newest.value_or("")).raw("</td><td>").text(some(seen.namespaces));
    out.raw("</td></tr>\n");
  }
  out.raw("</tbody></table></div>\n");
}

}  // namespace

Html input(const View& view) {
  const Report& r = view.report;
  const Report::Completeness& c = r.completeness;
  Html out;
  out.raw("<section id=\"input\" aria-labelledby=\"input-title\">\n"
          "<h2 id=\"input-title\">What was read, and how it is understood</h2>\n"
          "<dl class=\"facts\">\n");
  fact(out, "naive", naive_text(r.kai) + ", " + r.kai.naive_from);
  fact(out, "corrected", fmt::format("KAI {}: each device once a node", r.kai.corrected));
  fact(out, "running",
       r.kai.running ? fmt::format("{}: {}", *r.kai.running, r.kai.running_from)
                     : r.kai.running_from);
  fact(out, "read", objects_read(r));
  std::string passed;
  for (const auto& [kind, n] : r.objects.ignored) {
    passed += fmt::format("{}{} {}", passed.empty() ? "" : ", ", n, kind);
  }
  fact(out, "passed over", passed);
  if (r.objects.duplicates > 0) fact(out, "duplicates", fmt::format("{}", r.objects.duplicates));
  for (const std::string& x : r.remarks) fact(out, "remark", x);
  if (r.tuning.config) fact(out, "settings", *r.tuning.config);
  if (r.tuning.baseline) fact(out, "baseline", *r.tuning.baseline);
  for (const std::string& x : r.tuning.notes) fact(out, "note", x);
  for (const Report::SkippedFiles& s : c.skipped_files) {
    fact(out, "files passed over",
         fmt::format("{}: {}, the first is {}", s.reason, s.files, s.first));
  }
  std::size_t texts = 0;
  for (const Report::SkippedText& s : c.skipped_text) {
    if (texts++ == kNames) break;
    fact(out, "text passed over",
         fmt::format("{}:{}: {} lines, {} bytes: {}", s.file, s.line, s.lines, s.bytes, s.said));
  }
  if (c.skipped_text.size() > kNames) {
    fact(out, "text passed over", fmt::format("{} more", c.skipped_text.size() - kNames));
  }
  std::string events;
  for (const auto& [type, n] : c.events) {
    events += fmt::format("{}{} {}", events.empty() ? "" : ", ", n, type);
  }
  fact(out, "events of watches", events);
  fact(out, "namespaces", some(c.namespaces));
  fact(out, "without pods", some(c.namespaces_without_pods));
  fact(out, "without claims", some(c.namespaces_without_claims));
  if (c.mixed_clusters) fact(out, "two clusters", *c.mixed_clusters);
  out.raw("</dl>\n");
  kinds(out, r);
  return out.raw("</section>\n");
}

Html rules(const Report& report) {
  Html out;
  out.raw("<section id=\"rules\" aria-labelledby=\"rules-title\">\n<h2 "
          "id=\"rules-title\">Rules</h2>\n"
          "<details><summary>")
      .text(counted(report.rules.size(), "rule|rules"))
      .raw(" that were asked</summary>\n<dl class=\"rules\">\n");
  for (const Report::RuleInfo& r : report.rules) {
    out.raw("<dt>").text(r.id).raw(" ").text(r.name).raw(" <small>").text(to_string(r.severity));
    out.raw("</small></dt><dd>").text(r.summary).raw(". Mend: ").text(r.mend).raw("</dd>\n");
  }
  return out.raw("</dl></details>\n</section>\n");
}

}  // namespace draudit::html
