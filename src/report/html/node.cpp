#include <fmt/format.h>

#include <algorithm>

#include "report/html/sections.hpp"
#include "report/words.hpp"

namespace draudit::html {
namespace {

constexpr std::size_t kSteps = 200;

std::string signed_text(Gpus g) { return (g > 0 ? "+" : "") + to_string(g); }

std::string sentence(const Report& report, const Report::Node& n) {
  const std::string free =
      n.physical ? fmt::format("{} of {} GPUs are held", to_string(n.held), to_string(*n.physical))
                 : fmt::format("{} GPUs are held", to_string(n.held));
  if (!n.capacity.value) return free + "; how many there are to KAI is not known.";
  const std::string believed =
      fmt::format("KAI {} counts {} in use of a capacity of {}", report.kai.naive,
                  to_string(n.naive.printed_used_range), to_string(*n.capacity.value));
  const Gpus idle = n.naive.idle.value_or(0);
  if (idle < 0) {
    return fmt::format("{}; {}: idle is {}, and it refuses every pod here.", free, believed,
                       to_string(*n.naive.idle_range));
  }
  return fmt::format("{}; {}.", free, believed);
}

void capacity(Html& out, const Report::Node& n) {
  out.raw("<dl class=\"facts\">\n");
  std::string parts;
  for (const Report::Part& p : n.capacity.parts) {
    parts += fmt::format("{}{} {}", parts.empty() ? ": " : " + ", p.what, to_string(p.gpus));
  }
  fact(out, "capacity",
       fmt::format("{} ({}) from {}{}", capacity_text(n.capacity.value, n.capacity.certainty),
                   to_string(n.capacity.certainty), n.capacity.source, parts));
  fact(out, "naive",
       fmt::format("KAI {}: used {}, idle {}, releasing {}", n.naive.kai_version,
                   to_string(n.naive.printed_used_range),
                   n.naive.idle_range ? to_string(*n.naive.idle_range) : "?",
                   to_string(n.naive.releasing_range)));
  fact(out, "corrected",
       fmt::format("KAI {}: used {}, idle {}, releasing {}", n.corrected.kai_version,
                   to_string(n.corrected.printed_used_range),
                   n.corrected.idle_range ? to_string(*n.corrected.idle_range) : "?",
                   to_string(n.corrected.releasing_range)));
  for (const auto& [name, m] : n.corrected.mig) {
    const auto it = n.naive.mig.find(name);
    out.raw("<dt>").text(name).raw("</dt><dd>");
    out.text(fmt::format("of {}: naive {}, corrected {}", m.capacity,
                         it == n.naive.mig.end() ? 0 : it->second.used, m.used));
    out.raw("</dd>\n");
  }
  std::string drivers;
  for (const auto& [driver, gpus] : n.held_parts.by_driver) {
    drivers += fmt::format("; {} of driver {}", to_string(gpus), driver);
  }
  fact(out, "held",
       fmt::format("{}: {} by claims, {} by device plugin, {} shared by fractions{}",
                   to_string(n.held), to_string(n.held_parts.devices),
                   to_string(n.held_parts.plugin), to_string(n.held_parts.groups), drivers));
  fact(out, "upgrade helps", n.upgrade_helps);
  out.raw("</dl>\n");
}

/// The picture in words.
void devices(Html& out, const View& view, const Report::Node& n, const Picture& p) {
  if (n.devices.empty()) return;
  out.raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Devices\"><table>"
          "<caption>The same in words</caption><thead><tr><th scope=\"col\">Device</th>"
          "<th scope=\"col\">Claims</th><th scope=\"col\">Held by</th>"
          "<th scope=\"col\">Counted again for</th></tr></thead>\n<tbody>\n");
  for (const Report::Device& d : n.devices) {
    out.raw("<tr><th scope=\"row\">").text(d.device);
    if (view.slices_known && !d.published) out.raw(" <em>in no slice</em>");
    out.raw("</th><td>").text(listed(d.claims)).raw("</td><td>").text(listed(d.pods));
    out.raw("</td><td>");
    bool first = true;
    for (const Picture::Box& g : p.ghosts) {
      if (g.name != d.device || g.pods.empty()) continue;
      if (!first) out.raw(", ");
      first = false;
      out.text(fmt::format("{} ↻{}", g.pods.front().name, g.mark));
    }
    out.raw("</td></tr>\n");
  }
  out.raw("</tbody></table></div>\n");
}

void causes(Html& out, const Report::Node& n) {
  if (n.causes.empty()) return;
  out.raw("<h4>Why KAI’s figures differ from the hardware</h4>\n<ul class=\"causes\">\n");
  for (const Report::Cause& c : n.causes) {
    out.raw("<li><b>").text(c.cause).raw("</b> ").text(fmt::format(
        "{} of naive {}, {} of corrected: {}", signed_text(c.naive), c.figure,
        c.corrected.fixed()
            ? signed_text(c.corrected.most)
            : fmt::format("{}…{}", signed_text(c.corrected.least), signed_text(c.corrected.most)),
        c.what));
    out.raw(". <span>Mend: ").text(c.mend).raw("</span>");
    for (const auto& [label, names] : {std::pair{"Pods", &c.pods}, std::pair{"Claims", &c.claims},
                                       std::pair{"Devices", &c.devices}}) {
      if (!names->empty())
        out.raw("<br><small>").text(label).raw(": ").text(listed(*names)).raw("</small>");
    }
    out.raw("</li>\n");
  }
  out.raw("</ul>\n");
}

void figures(Html& out, const Report::Running& r) {
  out.raw("<td class=\"n side\">").text(signed_text(r.counted)).raw("</td><td class=\"n\">");
  out.text(r.used);
  if (r.groups != 0) out.text(fmt::format(" + {} shared", r.groups));
  out.raw("</td><td class=\"n\">").text(r.idle ? to_string(*r.idle) : "?");
  if (r.releasing != 0) out.text(fmt::format(" ({} releasing)", to_string(r.releasing)));
  out.raw("</td>");
}

void steps(Html& out, const std::vector<Report::Step>& all, Literal caption) {
  if (all.empty()) return;
  out.raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Ledger\">"
          "<table class=\"ledger\"><caption>")
      .raw(caption)
      .raw(
          "</caption><thead><tr><th scope=\"col\" class=\"n\">Step</th><th scope=\"col\">Pod</th>"
          "<th scope=\"col\" class=\"n side\">Naive</th><th scope=\"col\" class=\"n\">used</th>"
          "<th scope=\"col\" class=\"n\">idle</th><th scope=\"col\" class=\"n side\">Corrected</th>"
          "<th scope=\"col\" class=\"n\">used</th><th scope=\"col\" class=\"n\">idle</th>"
          "<th scope=\"col\">Why</th></tr></thead>\n<tbody>\n");
  for (std::size_t i = 0; i < std::min(all.size(), kSteps); ++i) {
    const Report::Step& s = all[i];
    const bool parts = s.naive.counted != s.corrected.counted;
    out.raw(parts ? Literal("<tr class=\"parts\">") : Literal("<tr>")).raw("<td class=\"n\">");
    out.text(Gpus{static_cast<Gpus>(i + 1)}).raw("</td><th scope=\"row\">").text(s.pod);
    out.raw(" <small>").text(s.status).raw(", brings ").text(s.gpus).raw("</small></th>");
    figures(out, s.naive);
    figures(out, s.corrected);
    out.raw("<td>");
    if (parts) out.raw("<strong>here they part</strong> ");
    std::string why;
    for (const Report::Touch& t : s.touched) {
      why += fmt::format("{}{} {}→{}", why.empty() ? "" : ", ", t.device, t.before, t.after);
    }
    if (s.corrected.deducted != 0) {
      why +=
          fmt::format("{}corrected leaves out {} that {} counted already", why.empty() ? "" : "; ",
                      to_string(s.corrected.deducted), s.corrected.deducted == 1 ? "was" : "were");
    }
    if (s.naive.deducted != 0) {
      why += fmt::format("; naive leaves out {}", to_string(s.naive.deducted));
    }
    for (const std::string& r : s.remarks) why += (why.empty() ? "" : "; ") + r;
    out.text(why).raw("</td></tr>\n");
  }
  out.raw("</tbody></table></div>\n");
  if (all.size() > kSteps) {
    out.raw("<p class=\"cut\"><strong>")
        .text(counted(all.size() - kSteps, "more step|more steps"))
        .raw(" left out here.</strong> <code>draudit trace</code> shows all.</p>\n");
  }
}

}  // namespace

Html node(const View& view, const Report::Node& n, std::size_t number) {
  const Picture p = picture_of(n, view.slices_known);
  Html out;
  out.raw("<article class=\"node\" aria-labelledby=\"n").text(static_cast<Gpus>(number));
  out.raw("\">\n<h3 id=\"n")
      .text(static_cast<Gpus>(number))
      .raw("\">")
      .text(n.name)
      .raw("</h3>\n<p>");
  out.text(sentence(view.report, n)).raw("</p>\n").add(picture(p));
  // The worst is open: what one glance should show needs no click.
  out.raw(number == 1 ? Literal("<details open>") : Literal("<details>"));
  out.raw("<summary>Check it by hand: devices, causes, ledger</summary>\n");
  devices(out, view, n, p);
  causes(out, n);
  if (n.ledger) {
    const bool two = !n.ledger->least_steps.empty();
    steps(out, n.ledger->steps,
          two ? Literal("Every step of the replay, in an order that gives the most corrected use")
              : Literal("Every step of the replay"));
    steps(out, n.ledger->least_steps, "In an order that gives the least");
  }
  capacity(out, n);
  return out.raw("</details>\n</article>\n");
}

}  // namespace draudit::html
