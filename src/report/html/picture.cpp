#include "report/picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/gate.hpp"
#include "report/html/sections.hpp"
#include "report/plain.hpp"

namespace draudit::html {
namespace {

/// A box is an SVG of its own, so that the strip wraps at any width and no page of paper cuts one.
struct Size {
  int width;
  std::size_t pods;        ///< names that a box holds
  std::size_t characters;  ///< of a line
};
constexpr Size kLarge{168, 4, 20};
constexpr Size kSmall{98, 2, 11};  // for a rack
constexpr std::size_t kSmallFrom = 17;
constexpr int kLine = 15;
constexpr int kTop = 24;  // brackets stand there

/// The last part of a path-like name, which tells it from its neighbours.
std::string last_part(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return std::string{slash == std::string_view::npos ? name : name.substr(slash + 1)};
}

/// Room that a character surely does with, in tenths of a usual one; no font can be asked.
std::size_t tenths(std::string_view character) {
  if (character.size() > 1) return std::max<std::size_t>(width(character), 1) * 15;
  const char c = character.front();
  if (std::string_view{"mwMW%@"}.find(c) != std::string_view::npos) return 16;
  return (c >= 'A' && c <= 'Z') || c == '&' || c == '+' || c == '<' || c == '>' || c == '=' ? 13
                                                                                            : 10;
}

/// The end of a name says more than its beginning.
std::string fitted(std::string_view name, std::size_t characters) {
  const std::string text = plain(name);
  std::size_t cut = text.size();
  std::size_t taken = 0;
  while (cut > 0) {
    std::size_t start = cut - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0U) == 0x80) --start;
    taken += tenths(std::string_view{text}.substr(start, cut - start));
    // What stands before needs room for the mark of the cut, unless it is the beginning.
    if (taken + (start > 0 ? 13 : 0) > characters * 10) break;
    cut = start;
  }
  return cut == 0 ? text : "…" + text.substr(cut);
}

void line(Html& out, Literal css, int y, std::string_view text) {
  out.raw("<text class=\"").raw(css).raw("\" x=\"9\" y=\"").text(Gpus{y}).raw("\">");
  out.text(text).raw("</text>");
}

std::string mark_text(std::size_t mark) { return mark == 0 ? "" : fmt::format(" ↻{}", mark); }

void bracket(Html& out, const Picture::Box& box, const Size& size) {
  if (box.claims.empty()) return;
  const Picture::Piece& p = box.claims.front();
  // A piece that goes on reaches over the gap to its neighbour.
  const int left = p.starts ? 3 : -4;
  const int right = p.ends ? size.width - 3 : size.width + 4;
  out.raw("<path class=\"bracket\" d=\"");
  out.text(fmt::format("M{} {}H{}{}", left, p.starts ? "20v-4" : "16", right, p.ends ? "v4" : ""));
  out.raw("\"/>");
  if (!p.starts) return;
  std::string label = fitted(last_part(p.claim), size.characters);
  if (box.claims.size() > 1) {
    label = fitted(last_part(p.claim), size.characters - 3) +
            fmt::format(" +{}", box.claims.size() - 1);
  }
  out.raw("<text class=\"claim\" x=\"4\" y=\"11\">").text(label).raw("</text>");
}

Literal css_of(Picture::What what) {
  switch (what) {
    case Picture::What::device:
    case Picture::What::plugin:
    case Picture::What::fraction: return "held";
    case Picture::What::free: return "free";
    case Picture::What::ghost: return "ghost";
  }
  return "free";
}

std::string headline(const Picture::Box& box) {
  switch (box.what) {
    case Picture::What::device: return last_part(box.name);
    case Picture::What::plugin: return "device plugin";
    case Picture::What::fraction: return "fractions";
    case Picture::What::free: return "free";
    case Picture::What::ghost: return fmt::format("↻{} on top", box.mark);
  }
  return {};
}

/// All of a box in words: its title, and what a screen reader says.
std::string words(const Picture::Box& box) {
  std::string out{box.name.empty() ? std::string{to_string(box.what)}
                                   : fmt::format("{}, {}", box.name, to_string(box.what))};
  if (box.what == Picture::What::ghost) out += fmt::format(" by {}", box.why);
  if (!box.published) out += ", in no slice";
  std::size_t shown = 0;
  for (const Picture::Pod& p : box.pods) {
    if (shown++ == 12) {
      out += fmt::format(" and {} more pods", box.pods.size() - 12);
      break;
    }
    out += fmt::format("{} {}{}", shown == 1 ? ":" : ",", p.name,
                       p.mark == 0 ? "" : fmt::format(" (counted again, {})", p.mark));
  }
  return out;
}

void box(Html& out, const Picture::Box& b, const Size& size, std::size_t lines) {
  const int height = kTop + 12 + kLine * static_cast<int>(lines + 1);
  out.raw("<svg class=\"box ").raw(css_of(b.what)).raw(b.published ? Literal("") : Literal(" out"));
  out.raw("\" role=\"img\" width=\"").text(Gpus{size.width}).raw("\" height=\"").text(Gpus{height});
  out.raw("\"><title>").text(shortened(words(b), 900)).raw("</title>");
  bracket(out, b, size);
  out.raw("<rect x=\"2\" y=\"").text(Gpus{kTop}).raw("\" width=\"").text(Gpus{size.width - 4});
  out.raw("\" height=\"").text(Gpus{height - kTop - 2}).raw("\" rx=\"5\"/>");
  int y = kTop + 17;
  line(out, "name", y, fitted(headline(b), size.characters));
  if (!b.published) line(out, "small", y += kLine, "in no slice");
  const std::size_t room = lines - (b.published ? 0 : 1);
  const std::size_t shown = b.pods.size() > room ? room - 1 : b.pods.size();
  // Those that were counted again first: they are what the picture is about.
  std::vector<const Picture::Pod*> pods;
  for (const Picture::Pod& p : b.pods) pods.push_back(&p);
  if (b.pods.size() > room) {
    std::stable_partition(pods.begin(), pods.end(), [](const auto* p) { return p->mark != 0; });
  }
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string mark = mark_text(pods[i]->mark);
    const std::size_t characters = size.characters - width(mark);
    const std::string& name = pods[i]->name;
    line(out, pods[i]->mark == 0 ? Literal("pod") : Literal("pod again"), y += kLine,
         fitted(size.width < kLarge.width ? last_part(name) : name, characters) + mark);
  }
  if (shown < b.pods.size()) {
    line(out, "pod", y += kLine, fmt::format("+ {} pods", b.pods.size() - shown));
  }
  if (b.what == Picture::What::ghost && y < height - kLine) {
    const std::string what = b.name.empty() ? b.why : "is " + last_part(b.name);
    line(out, "small", y + kLine, fitted(what, size.characters + 1));
  }
  out.raw("</svg>");
}

void strip(Html& out, const std::vector<Picture::Box>& boxes, Gpus left_out, const Size& size) {
  std::size_t lines = 1;
  for (const Picture::Box& b : boxes) {
    lines = std::max(
        lines, b.pods.size() + (b.published ? 0 : 1) + (b.what == Picture::What::ghost ? 1 : 0));
  }
  lines = std::min(lines, size.pods + 1);
  for (const Picture::Box& b : boxes) box(out, b, size, lines);
  if (left_out > 0) {
    out.raw("<p class=\"cut\">and <b>").text(left_out).raw("</b> more that are not drawn</p>");
  }
  out.raw("\n");
}

double share(Gpus part, Gpus whole) {
  return 100.0 * static_cast<double>(std::max<Gpus>(part, 0)) / static_cast<double>(whole);
}

void bar(Html& out, const Picture& p, const Picture::Bar& b) {
  out.raw("<tr><th scope=\"row\">").text(b.label).raw("</th><td class=\"n\">");
  if (b.value && b.likely) out.raw("~");
  out.text(b.value ? to_string(*b.value) : "?")
      .raw("</td><td class=\"bar\"><svg aria-hidden=\"true\" "
           "width=\"100%\" height=\"14\">");
  const std::optional<Range>& capacity = p.bars.front().value;
  if (b.value) {
    const Gpus within = capacity ? std::min(b.value->most, capacity->most) : b.value->most;
    out.raw("<rect class=\"b-").text(b.label).raw("\" y=\"1\" height=\"12\" width=\"");
    out.text(fmt::format("{:.2f}%", share(within, p.scale))).raw("\"/>");
    if (b.value->most > within) {
      out.raw("<rect class=\"b-over\" y=\"1\" height=\"12\" x=\"");
      out.text(fmt::format("{:.2f}%", share(within, p.scale))).raw("\" width=\"");
      out.text(fmt::format("{:.2f}%", share(b.value->most - within, p.scale))).raw("\"/>");
    }
  }
  if (capacity) {
    const std::string at = fmt::format("{:.2f}%", std::min(share(capacity->most, p.scale), 99.7));
    out.raw("<line class=\"limit\" y1=\"0\" y2=\"14\" x1=\"").text(at).raw("\" x2=\"").text(at);
    out.raw("\"/>");
  }
  out.raw("</svg></td></tr>\n");
}

}  // namespace

Html picture(const Picture& p) {
  Html out;
  out.raw("<table class=\"bars\"><caption>GPUs on one scale; the line is the capacity</caption>"
          "<tbody>\n");
  for (const Picture::Bar& b : p.bars) bar(out, p, b);
  out.raw("</tbody></table>\n");
  const Size& size = p.boxes.size() + p.ghosts.size() >= kSmallFrom ? kSmall : kLarge;
  out.raw("<div class=\"picture\">\n<div class=\"strip\"><h4>In the machine</h4>\n");
  if (p.boxes.empty()) out.raw("<p>No GPU is known here.</p>\n");
  strip(out, p.boxes, p.boxes_left_out, size);
  out.raw("</div>\n");
  if (!p.ghosts.empty()) {
    out.raw("<div class=\"strip ghosts\"><h4>Counted on top by KAI, and not there</h4>\n");
    strip(out, p.ghosts, p.ghosts_left_out, size);
    out.raw("</div>\n");
  }
  return out.raw("</div>\n");
}

}  // namespace draudit::html
