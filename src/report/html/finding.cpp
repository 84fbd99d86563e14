#include <fmt/format.h>

#include <algorithm>

#include "report/html/sections.hpp"
#include "report/words.hpp"

namespace draudit::html {
namespace {

constexpr std::size_t kOfEach = 50;

void more(Html& out, std::size_t all, std::string_view thing) {
  if (all > kOfEach) out.raw("<li>and ").text(counted(all - kOfEach, thing)).raw("</li>\n");
}

void object(Html& out, const Report::Object& o) {
  out.text(o.kind).raw(" <b>").text(o.name).raw("</b>");
  if (!o.note.empty()) out.raw(", ").text(o.note);
  if (o.location) out.raw(" <code>").text(location_text(o.location)).raw("</code>");
}

void proof(Html& out, const Report::Finding& f) {
  out.raw("<ul class=\"proof\">\n");
  for (std::size_t i = 0; i < std::min(f.objects.size(), kOfEach); ++i) {
    out.raw("<li>");
    object(out, f.objects[i]);
    out.raw("</li>\n");
  }
  more(out, f.objects.size(), "more object|more objects");
  for (std::size_t i = 0; i < std::min(f.devices.size(), kOfEach); ++i) {
    const Report::Shared& d = f.devices[i];
    out.raw("<li>device <b>").text(d.device).raw("</b>");
    if (!d.published) out.raw(", not published");
    out.raw("<ul>\n");
    for (std::size_t k = 0; k < std::min(d.pods.size(), kOfEach); ++k) {
      out.raw("<li>").text(d.pods[k].pod);
      out.raw(d.pods[k].counted_again ? Literal(" <strong>counted again</strong>")
                                      : Literal(" counted"));
      out.raw("</li>\n");
    }
    more(out, d.pods.size(), "more pod, counted again|more pods, counted again");
    out.raw("</ul></li>\n");
  }
  more(out, f.devices.size(), "more device|more devices");
  for (std::size_t i = 0; i < std::min(f.pods.size(), kOfEach); ++i) {
    out.raw("<li>pod <b>").text(f.pods[i]).raw("</b></li>\n");
  }
  more(out, f.pods.size(), "more pod|more pods");
  out.raw("</ul>\n");
}

}  // namespace

Html finding(const Report::Finding& f) {
  Html out;
  out.raw("<details class=\"finding\"><summary><span class=\"sev ").text(to_string(f.severity));
  out.raw("\">").text(to_string(f.severity)).raw("</span> <b>").text(f.rule).raw("</b> ");
  out.text(f.message);
  if (f.certainty != Certainty::certain) out.raw(" (").text(to_string(f.certainty)).raw(")");
  if (f.waived) out.raw(" <em>").text(waived_text(*f.waived)).raw("</em>");
  out.raw("</summary>\n<p>About ");
  object(out, f.subject);
  if (f.node) out.raw(" on node <b>").text(*f.node).raw("</b>");
  out.raw("</p>\n");
  proof(out, f);
  out.raw("<dl class=\"facts\">\n");
  for (std::size_t i = 0; i < std::min(f.facts.size(), kOfEach); ++i) {
    out.raw("<dt>").text(f.facts[i].label).raw("</dt><dd>").text(f.facts[i].text).raw("</dd>\n");
  }
  if (f.facts.size() > kOfEach) {
    fact(out, "and", counted(f.facts.size() - kOfEach, "more fact|more facts"));
  }
  fact(out, "certainty",
       f.why_not_certain.empty()
           ? std::string{to_string(f.certainty)}
           : fmt::format("{}: {}", to_string(f.certainty), f.why_not_certain));
  fact(out, "mend", f.mend);
  fact(out, "rule", fmt::format("{} {}", f.id, f.rule));
  fact(out, "fingerprint", f.fingerprint);
  return out.raw("</dl>\n</details>\n");
}

}  // namespace draudit::html
