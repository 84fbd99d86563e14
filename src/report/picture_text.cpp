#include <fmt/format.h>

#include <algorithm>

#include "report/picture.hpp"
#include "report/plain.hpp"
#include "report/wrap.hpp"

namespace draudit {
namespace {

/// One set of marks for each kind of terminal; ASCII says all that Unicode does.
struct Glyphs {
  std::string_view horizontal, vertical, top_left, top_right, bottom_left, bottom_right;
  std::string_view dash;  ///< top and bottom of what is not there
  std::string_view side;  ///< its sides
  std::string_view full, over, again, cut, bracket_left, bracket, bracket_right;
};
constexpr Glyphs kUnicode{"─", "│", "┌", "┐", "└", "┘", "╌", "╎",
                          "█", "▒", "↻", "…", "╭", "─", "╮"};
constexpr Glyphs kAscii{"-", "|", "+", "+", "+", "+", ".", ":", "#", "%", "@", "~", ",", "-", "."};

constexpr std::size_t kInside = 22;      // columns in a box
constexpr std::size_t kSmallInside = 9;  // where there are many
constexpr std::size_t kManyBoxes = 9;
constexpr std::size_t kBarWidth = 72;

std::string repeated_glyph(std::string_view glyph, std::size_t n) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += glyph;
  return out;
}

std::string tail_of(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return std::string{slash == std::string_view::npos ? name : name.substr(slash + 1)};
}

class Painter {
 public:
  Painter(const Picture& picture, bool ascii)
      : picture_(picture), glyphs_(ascii ? kAscii : kUnicode), ascii_(ascii) {}

  std::string build() {
    for (const Picture::Bar& b : picture_.bars) bar(b);
    boxes("in the machine", picture_.boxes, picture_.boxes_left_out);
    if (!picture_.ghosts.empty()) {
      boxes("counted on top by KAI, and not there", picture_.ghosts, picture_.ghosts_left_out);
    }
    return std::move(out_);
  }

 private:
  void line(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    out_ += text + '\n';
  }

  /// The end of a name, `columns` wide, in the marks of this terminal.
  [[nodiscard]] std::string fit(std::string_view name, std::size_t columns) const {
    std::string text = plain(name);
    if (ascii_) {
      for (char& c : text) {
        if (static_cast<unsigned char>(c) >= 0x80) c = '?';
      }
    }
    if (width(text) > columns) {
      while (!text.empty() && width(text) + 1 > columns) {
        std::size_t n = 1;
        while (n < text.size() && (static_cast<unsigned char>(text[n]) & 0xC0U) == 0x80) ++n;
        text.erase(0, n);
      }
      text.insert(0, glyphs_.cut);
    }
    return pad_right(text, columns);
  }

  void bar(const Picture::Bar& b) {
    std::string value = b.value ? (b.likely ? "~" : "") + to_string(*b.value) : "?";
    if (ascii_ && b.value && !b.value->fixed()) {
      value = fmt::format("{}-{}", to_string(b.value->least), to_string(b.value->most));
    }
    const auto columns = [this](Gpus g) {
      return static_cast<std::size_t>(std::max<Gpus>(g, 0) * kBarWidth / picture_.scale);
    };
    std::string drawn;
    if (b.value) {
      const auto& capacity = picture_.bars.front().value;
      const Gpus within = capacity ? std::min(b.value->most, capacity->most) : b.value->most;
      drawn = repeated_glyph(glyphs_.full, columns(within)) +
              repeated_glyph(glyphs_.over, columns(b.value->most) - columns(within));
    }
    line(fmt::format("  {}  {}  {}", pad_right(b.label, 9), pad_left(value, 5), drawn));
  }

  [[nodiscard]] std::string name_of(const Picture::Box& b) const {
    switch (b.what) {
      case Picture::What::device: return tail_of(b.name);
      case Picture::What::plugin: return "plugin";
      case Picture::What::fraction: return "fractions";
      case Picture::What::free: return "free";
      case Picture::What::ghost: return fmt::format("{}{}", glyphs_.again, b.mark);
    }
    return {};
  }

  [[nodiscard]] std::vector<std::string> inside(const Picture::Box& b, std::size_t columns,
                                                std::size_t most) const {
    const auto framed = [&](const std::string& text) { return fit(text, columns); };
    std::vector<std::string> out;
    if (b.what == Picture::What::ghost) {
      // The mark must stay whole, whatever the name.
      const std::string mark = name_of(b) + " ";
      const std::size_t lead = ascii_ ? mark.size() : width(mark);
      out.push_back(mark + fit(b.name.empty() ? b.why : tail_of(b.name), columns - lead));
    } else {
      out.push_back(framed(name_of(b)));
    }
    if (!b.published) out.push_back(framed("in no slice"));
    std::size_t shown = 0;
    // Those that were counted again first, where not all have room.
    std::vector<Picture::Pod> in_order = b.pods;
    if (b.pods.size() > most + 1) {
      std::stable_partition(in_order.begin(), in_order.end(),
                            [](const Picture::Pod& p) { return p.mark != 0; });
    }
    for (const Picture::Pod& p : in_order) {
      if (shown == most && b.pods.size() > most + 1) {
        out.push_back(framed(fmt::format("+{} pods", b.pods.size() - shown)));
        break;
      }
      const std::string mark = p.mark == 0 ? "" : fmt::format(" {}{}", glyphs_.again, p.mark);
      const std::size_t room = columns - width(mark);
      out.push_back(fit(columns <= kSmallInside ? tail_of(p.name) : p.name, room) + mark);
      ++shown;
    }
    return out;
  }

  [[nodiscard]] std::string bracket(const Picture::Box& b, std::size_t outer) const {
    if (b.claims.empty()) return std::string(outer, ' ');
    const Picture::Piece& p = b.claims.front();
    std::string label = p.starts ? " " + tail_of(p.claim) + " " : "";
    const std::size_t room = outer - 2;
    label = label.empty() ? "" : fit(label, std::min(room, width(plain(label))));
    const std::size_t rest = room - std::min(room, width(label));
    return fmt::format("{}{}{}{}", p.starts ? glyphs_.bracket_left : glyphs_.bracket, label,
                       repeated_glyph(glyphs_.bracket, rest),
                       p.ends ? glyphs_.bracket_right : glyphs_.bracket);
  }

  void boxes(std::string_view title, const std::vector<Picture::Box>& all, Gpus left_out) {
    line("");
    line(fmt::format("  {}", title));
    if (all.empty()) line("  nothing that is known");
    const bool many = all.size() >= kManyBoxes;
    const std::size_t columns = many ? kSmallInside : kInside;
    const std::size_t outer = columns + 2;
    const std::size_t a_row = (kLineWidth - 2 + 1) / (outer + 1);
    for (std::size_t from = 0; from < all.size(); from += a_row) {
      row({all.begin() + static_cast<std::ptrdiff_t>(from),
           all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), from + a_row))},
          columns, many ? 2 : 6);
    }
    if (left_out > 0) line(fmt::format("  and {} more that are not drawn", to_string(left_out)));
  }

  void row(const std::vector<Picture::Box>& some, std::size_t columns, std::size_t pods) {
    const std::size_t outer = columns + 2;
    std::vector<std::vector<std::string>> texts;
    std::size_t height = 1;
    bool claims = false;
    for (const Picture::Box& b : some) {
      texts.push_back(inside(b, columns, pods));
      height = std::max(height, texts.back().size());
      claims = claims || !b.claims.empty();
    }
    const auto there = [](const Picture::Box& b) {
      return b.what != Picture::What::free && b.what != Picture::What::ghost;
    };
    const auto each = [&](auto&& cell) {
      std::string text = " ";
      for (std::size_t i = 0; i < some.size(); ++i) text += " " + cell(i);
      line(text);
    };
    if (claims) each([&](std::size_t i) { return bracket(some[i], outer); });
    const auto edge = [&](std::string_view left, std::string_view right) {
      each([&](std::size_t i) {
        return fmt::format(
            "{}{}{}", left,
            repeated_glyph(there(some[i]) ? glyphs_.horizontal : glyphs_.dash, columns), right);
      });
    };
    edge(glyphs_.top_left, glyphs_.top_right);
    for (std::size_t k = 0; k < height; ++k) {
      each([&](std::size_t i) {
        const std::string_view side = there(some[i]) ? glyphs_.vertical : glyphs_.side;
        return fmt::format("{}{}{}", side,
                           k < texts[i].size() ? texts[i][k] : std::string(columns, ' '), side);
      });
    }
    edge(glyphs_.bottom_left, glyphs_.bottom_right);
  }

  const Picture& picture_;
  const Glyphs& glyphs_;
  bool ascii_;
  std::string out_;
};

}  // namespace

std::string picture_text(const Picture& picture, bool ascii) {
  return Painter(picture, ascii).build();
}

}  // namespace draudit
