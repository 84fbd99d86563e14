#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "draudit/report.hpp"
#include "report/picture.hpp"
#include "report/plain.hpp"
#include "report/style.hpp"
#include "report/words.hpp"
#include "report/wrap.hpp"

namespace draudit {
namespace {

constexpr std::size_t kProofs = 20;    ///< findings shown with their proof
constexpr std::size_t kDevices = 8;    ///< devices shown of one finding
constexpr std::size_t kPods = 12;      ///< pods shown of one device
constexpr std::size_t kPictures = 20;  ///< nodes drawn
constexpr std::size_t kObjects = 8;    ///< other objects shown of one finding

class TextReport {
 public:
  TextReport(const Report& report, const TextOptions& options)
      : report_(report), options_(options), style_(options.color) {}

  std::string build() {
    if (options_.quiet) {
      for (const Report::Finding& f : report_.findings) headline(f);
      return std::move(out_);
    }
    line(style_.bold(fold(verdict(report_), 0)));
    problems();
    if (!report_.nodes.empty()) table();
    if (options_.graph) pictures();
    findings();
    footer();
    return std::move(out_);
  }

 private:
  void line(std::string_view text = {}) {
    out_ += text;
    out_ += '\n';
  }

  [[nodiscard]] std::string fold(std::string_view text, std::size_t indent) const {
    return wrapped(text, indent, options_.columns);
  }

  std::string severity(const Report::Finding& f) const {
    std::string text = fmt::format("{}[{}]", to_string(f.severity), plain(f.rule));
    switch (f.severity) {
      case Severity::error: return style_.red(text);
      case Severity::warning: return style_.yellow(text);
      case Severity::note: return style_.cyan(text);
    }
    return text;
  }

  void headline(const Report::Finding& f) {
    const std::size_t lead = width(fmt::format("{}[{}] ", to_string(f.severity), plain(f.rule)));
    std::string text = plain(f.message);
    if (f.certainty != Certainty::certain) text += fmt::format(" ({})", to_string(f.certainty));
    if (f.waived) text += fmt::format(" ({})", waived_text(*f.waived));
    if (options_.quiet) return line(severity(f) + " " + text);
    // The first line has less room; further ones are set in.
    const std::string body = fold(std::string(lead, 'x') + text, 4);
    line(severity(f) + " " + body.substr(lead));
  }

  void problems() {
    if (report_.problems.empty()) return;
    line();
    line(style_.red(fmt::format("INCOMPLETE: {} in the input could not be read; the figures are "
                                "those of the rest",
                                report_.problems.size() == 1
                                    ? "1 thing"
                                    : fmt::format("{} things", report_.problems.size()))));
    for (const Report::Problem& p : report_.problems) line("  " + fold(problem_line(p), 4));
  }

  std::string node_note(const Report::Node& node, std::size_t room) const {
    const auto it = rules_of_.find(node.name);
    if (it == rules_of_.end()) return "fine";
    // Worst first, as many as the line holds; the findings below say the rest.
    const auto& names = it->second;
    std::string out = plain(names.front());
    for (std::size_t i = 1; i < names.size(); ++i) {
      constexpr std::size_t kAndMore = std::string_view{" and 10 more"}.size();
      if (out.size() + 2 + names[i].size() + (i + 1 < names.size() ? kAndMore : 0) > room) {
        return out + fmt::format(" and {} more", names.size() - i);
      }
      out += ", " + plain(names[i]);
    }
    return out;
  }

  void table() {
    for (const Report::Finding& f : report_.findings) {
      if (!f.node) continue;
      auto& names = rules_of_[*f.node];
      if (std::find(names.begin(), names.end(), f.rule) == names.end()) names.push_back(f.rule);
    }
    std::vector<const Report::Node*> shown;
    Range naive;
    Range corrected;
    Gpus held = 0;
    Gpus capacity = 0;
    std::size_t unknown = 0;
    bool likely = false;
    for (const Report::Node& node : report_.nodes) {
      if (options_.all || rules_of_.contains(node.name)) shown.push_back(&node);
      naive = naive + node.naive.printed_used_range;
      corrected = corrected + node.corrected.printed_used_range;
      held += node.held;
      capacity += node.capacity.value.value_or(node.capacity.at_least);
      unknown += node.capacity.value ? 0U : 1U;
      likely = likely || (node.capacity.value && node.capacity.certainty != Certainty::certain);
    }
    const std::size_t fine = report_.nodes.size() - with_findings();
    using NodeRow = std::array<std::string, 6>;
    std::vector<NodeRow> rows = {{"NODE", "CAPACITY", "NAIVE", "CORRECTED", "HELD", ""}};
    for (const Report::Node* n : shown) {
      rows.push_back({plain(n->name),
                      capacity_text(n->capacity.value, n->capacity.certainty),
                      to_string(n->naive.printed_used_range),
                      to_string(n->corrected.printed_used_range),
                      to_string(n->held),
                      {}});
    }
    rows.push_back(
        {"TOTAL",
         fmt::format("{}{}{}", unknown > 0 ? "≥" : "", likely ? "~" : "", to_string(capacity)),
         to_string(naive), to_string(corrected), to_string(held),
         fmt::format("{} of {} with findings, {} fine", with_findings(), report_.nodes.size(),
                     fine)});
    NodeRow::size_type columns = rows.front().size() - 1;
    std::array<std::size_t, 6> widths{};
    for (const NodeRow& r : rows) {
      for (std::size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], width(r[i]));
    }
    std::size_t taken = 3;  // blanks before the note
    for (std::size_t i = 0; i < columns; ++i) taken += widths[i] + (i == 0 ? 0 : 2);
    const std::size_t room = taken < options_.columns ? options_.columns - taken : 0;
    for (std::size_t k = 0; k < shown.size(); ++k) rows[k + 1].back() = node_note(*shown[k], room);
    line();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      std::string text = pad_right(rows[k][0], widths[0]);
      for (std::size_t i = 1; i < columns; ++i) text += "  " + pad_left(rows[k][i], widths[i]);
      if (!rows[k].back().empty()) text += "   " + rows[k].back();
      const bool frame = k == 0 || k + 1 == rows.size();
      const bool above = !frame && exceeds(*shown[k - 1]);
      line(frame ? style_.bold(text) : above ? style_.red(text) : text);
    }
    if (likely) {
      line(style_.dim("  ~ likely: taken from allocatable or the label nvidia.com/gpu.count, for "
                      "want of ResourceSlices"));
    }
  }

  void pictures() {
    const bool with_slices = slices_known(report_);
    std::size_t shown = 0;
    for (const Report::Node& node : report_.nodes) {
      if (!rules_of_.contains(node.name) || ++shown > kPictures) continue;
      line();
      line(style_.bold(plain(node.name)));
      out_ += picture_text(picture_of(node, with_slices), options_.ascii);
    }
    if (shown > kPictures) {
      line();
      line(fmt::format("pictures of {} more nodes: draudit trace NODE", shown - kPictures));
    }
  }

  static bool exceeds(const Report::Node& n) {
    return n.capacity.value && n.naive.printed_used > *n.capacity.value;
  }

  [[nodiscard]] std::size_t with_findings() const {
    std::size_t n = 0;
    for (const Report::Node& node : report_.nodes) {
      n += rules_of_.contains(node.name) ? 1U : 0U;
    }
    return n;
  }

  void fact(std::string_view label, std::string_view text, std::size_t label_width) {
    line("  " + style_.dim(pad_right(label, label_width)) + "  " + fold(text, label_width + 4));
  }

  void proof(const Report::Finding& f) {
    const auto object = [&](const Report::Object& o) {
      std::string text = fmt::format("{} {}", o.kind, plain(o.name));
      if (!o.note.empty()) text += ", " + plain(o.note);
      line("  " + fold(fmt::format("{}  {}", location_text(o.location), text), 6));
    };
    if (f.objects.empty()) object(f.subject);
    for (std::size_t i = 0; i < std::min(f.objects.size(), kObjects); ++i) object(f.objects[i]);
    if (f.objects.size() > kObjects) {
      const std::size_t more = f.objects.size() - kObjects;
      line(fmt::format("  and {} more {}", more, more == 1 ? "object" : "objects"));
    }

    for (std::size_t i = 0; i < std::min(f.devices.size(), kDevices); ++i) {
      const Report::Shared& d = f.devices[i];
      line(fmt::format("  device {}", plain(d.device)));
      std::size_t name_width = 0;
      for (const Report::Sharer& p : d.pods) name_width = std::max(name_width, width(plain(p.pod)));
      for (std::size_t k = 0; k < std::min(d.pods.size(), kPods); ++k) {
        line(fmt::format("      {}   {}", pad_right(plain(d.pods[k].pod), name_width),
                         d.pods[k].counted_again ? style_.red("counted again") : "counted"));
      }
      if (d.pods.size() > kPods) {
        line(fmt::format("      and {} more pods, counted again", d.pods.size() - kPods));
      }
    }
    if (f.devices.size() > kDevices) {
      line(fmt::format("  and {} more devices: draudit trace {}", f.devices.size() - kDevices,
                       plain(f.node.value_or("NODE"))));
    }
    std::vector<std::pair<std::string, std::string>> facts;
    if (!f.pods.empty()) {
      std::string pods;
      for (std::size_t i = 0; i < std::min(f.pods.size(), kPods); ++i) {
        pods += (i == 0 ? "" : ", ") + plain(f.pods[i]);
      }
      if (f.pods.size() > kPods) pods += fmt::format(" and {} more", f.pods.size() - kPods);
      facts.emplace_back(f.pods.size() == 1 ? "pod" : "pods", std::move(pods));
    }
    std::map<std::string_view, std::size_t> shown;
    for (const Report::Fact& x : f.facts) {
      if (++shown[x.label] <= kObjects) facts.emplace_back(plain(x.label), plain(x.text));
    }
    for (const auto& [label, n] : shown) {
      if (n > kObjects) facts.emplace_back(plain(label), fmt::format("and {} more", n - kObjects));
    }
    if (!f.why_not_certain.empty()) {
      facts.emplace_back(std::string{to_string(f.certainty)}, plain(f.why_not_certain));
    }
    facts.emplace_back("mend", plain(f.mend));
    std::size_t label_width = 0;
    for (const auto& [label, text] : facts) label_width = std::max(label_width, width(label));
    label_width = std::min<std::size_t>(label_width, 32);
    for (const auto& [label, text] : facts) fact(label, text, label_width);
  }

  /// What stands, with its proof; behind it what is waived, a line each.
  void findings() {
    std::vector<const Report::Finding*> all;
    for (const bool waived : {false, true}) {
      for (const Report::Finding& f : report_.findings) {
        if (f.waived.has_value() == waived) all.push_back(&f);
      }
    }
    const std::size_t standing = all.size() - report_.counts.waived;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i <= std::min(kProofs, standing)) line();
      headline(*all[i]);
      if (i < std::min(kProofs, standing)) proof(*all[i]);
    }
    if (standing > kProofs) {
      line(style_.dim("  proofs of the last ones: draudit trace NODE, or --format json"));
    }
  }

  void footer() {
    line();
    std::string files;
    for (std::size_t i = 0; i < report_.inputs.size(); ++i) {
      if (i == 3) {
        files += fmt::format(" and {} more", report_.inputs.size() - i);
        break;
      }
      files += (i == 0 ? "" : ", ") + plain(report_.inputs[i].name);
    }
    std::vector<std::pair<std::string, std::string>> rows;
    rows.emplace_back("read", fmt::format("{} from {}", objects_read(report_), files));
    if (!report_.objects.ignored.empty()) {
      std::string kinds;
      for (const auto& [kind, n] : report_.objects.ignored) {
        kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", n, plain(kind));
      }
      rows.emplace_back("passed over", kinds);
    }
    for (const std::string& gap : report_.completeness.gaps) rows.emplace_back("gap", plain(gap));
    for (const std::string& r : report_.remarks) rows.emplace_back("remark", plain(r));
    if (report_.tuning.config) rows.emplace_back("settings", plain(*report_.tuning.config));
    if (report_.tuning.baseline) rows.emplace_back("baseline", plain(*report_.tuning.baseline));
    for (const std::string& n : report_.tuning.notes) rows.emplace_back("note", plain(n));
    rows.emplace_back("naive", naive_text(report_.kai));
    rows.emplace_back("corrected",
                      fmt::format("KAI {}: each device once a node", plain(report_.kai.corrected)));
    if (report_.now) rows.emplace_back("as of", plain(*report_.now));
    if (report_.nodes_outside_pool > 0) {
      rows.emplace_back("other pools",
                        fmt::format("{} nodes are not of this shard", report_.nodes_outside_pool));
    }
    if (report_.counts.waived > 0) {
      const auto by = [this](std::string_view what) {
        return std::count_if(
            report_.findings.begin(), report_.findings.end(),
            [what](const Report::Finding& f) { return f.waived && f.waived->by == what; });
      };
      const std::uint64_t n = report_.counts.waived;
      rows.emplace_back("waived",
                        fmt::format("{} not fail the gate: {} by suppressions, {} by the "
                                    "baseline",
                                    n == 1 ? "1 finding does" : fmt::format("{} findings do", n),
                                    by("suppression"), by("baseline")));
    }
    const bool audited = !report_.unable;
    // Rules that lack the same input are one line.
    std::vector<std::pair<std::string, std::string>> unchecked;  // reason, names
    for (const Report::NotCheckable& n : report_.not_checkable) {
      if (!audited) break;  // nothing is: said above
      auto same = std::find_if(unchecked.begin(), unchecked.end(),
                               [&](const auto& row) { return row.first == n.reason; });
      if (same == unchecked.end()) {
        unchecked.emplace_back(n.reason, n.rule);
      } else {
        same->second += fmt::format(", {}", n.rule);
      }
    }
    for (const auto& [reason, names] : unchecked) {
      rows.emplace_back("not checkable", fmt::format("{}: {}", plain(names), plain(reason)));
    }
    const bool anything = std::any_of(report_.inputs.begin(), report_.inputs.end(),
                                      [](const Report::Input& f) { return f.objects > 0; });
    if (!anything) {
      rows.emplace_back(
          "take a dump",
          "kubectl get pods,resourceclaims,nodes,resourceslices,deviceclasses -A -o json");
    }
    for (const Report::Absent& a : report_.not_in_dump) {
      if (!anything) break;
      rows.emplace_back("not in this dump", fmt::format("{}: {} ({})", plain(a.kind),
                                                        plain(a.consequence), plain(a.command)));
    }
    std::size_t label_width = 0;
    for (const auto& [label, text] : rows) label_width = std::max(label_width, label.size());
    for (const auto& [label, text] : rows) {
      line(style_.dim(pad_right(label, label_width)) + "  " + fold(text, label_width + 2));
    }
  }

  const Report& report_;
  const TextOptions& options_;
  Style style_;
  std::string out_;
  std::map<std::string_view, std::vector<std::string_view>> rules_of_;
};

}  // namespace

std::string text_report(const Report& report, const TextOptions& options) {
  return TextReport(report, options).build();
}

}  // namespace draudit
