#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "draudit/report.hpp"
#include "report/picture.hpp"
#include "report/plain.hpp"
#include "report/remarks.hpp"
#include "report/style.hpp"
#include "report/words.hpp"
#include "report/wrap.hpp"

namespace draudit {
namespace {

/// Rows of cells, each column as wide as it needs.
class Table {
 public:
  enum class Align : std::uint8_t { left, right };
  explicit Table(std::vector<Align> columns) : align_(std::move(columns)) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::size_t> widths(align_.size());
    for (const auto& r : rows_) {
      for (std::size_t i = 0; i < r.size(); ++i) widths[i] = std::max(widths[i], width(r[i]));
    }
    std::vector<std::string> out;
    for (const auto& r : rows_) {
      std::string text;
      for (std::size_t i = 0; i < r.size(); ++i) {
        if (i > 0) text += "  ";
        text += align_[i] == Align::left ? pad_right(r[i], widths[i]) : pad_left(r[i], widths[i]);
      }
      text.erase(text.find_last_not_of(' ') + 1);
      out.push_back(std::move(text));
    }
    return out;
  }

 private:
  std::vector<Align> align_;
  std::vector<std::vector<std::string>> rows_;
};

std::string signed_text(Gpus g) { return (g > 0 ? "+" : "") + to_string(g); }

class Trace {
 public:
  Trace(const Result& result, const NodeAudit& node, const TraceOptions& options)
      : result_(result), node_(node), options_(options), style_(options.color) {}

  std::string build() {
    const std::string name = plain(node_.node->meta.name);
    line(style_.bold(fmt::format("{}: capacity {} ({})", name,
                                 capacity_text(node_.capacity.value, node_.capacity.certainty),
                                 capacity_derivation(node_.capacity))));
    line(fmt::format("naive is KAI {}, corrected is KAI {}", node_.naive.version,
                     node_.corrected.version));
    const bool with_slices = result_.snapshot().of(Kind::slice).known();
    line();
    out_ += picture_text(picture_of(report_node(node_), with_slices), options_.ascii);
    devices();
    const bool two = !node_.corrected.least_steps.empty();
    if (!options_.order.empty()) {
      line();
      line(style_.bold("the order that was asked for"));
      steps(replay_in_order(node_, node_.naive, options_.order),
            replay_in_order(node_, node_.corrected, options_.order), false);
    }
    if (two) {
      line();
      line(style_.bold(node_.corrected.figures.exact
                           ? "an order that gives the most corrected used"
                           : "an order that gives much (too many pods interlock to try them all)"));
    }
    if (two || options_.order.empty()) {
      steps(node_.naive.steps, node_.corrected.steps, options_.release);
    }
    if (two) {
      line();
      line(style_.bold(node_.corrected.figures.exact ? "an order that gives the least"
                                                     : "an order that gives little"));
      steps(node_.naive.least_steps, node_.corrected.least_steps, false);
    }
    why();
    totals();
    causes();
    return std::move(out_);
  }

 private:
  using Align = Table::Align;

  void line(std::string_view text = {}) {
    out_ += text;
    out_ += '\n';
  }

  [[nodiscard]] static std::string short_name(std::uint32_t device) {
    return fmt::format("d{}", device + 1);
  }

  void devices() {
    if (node_.devices.empty()) return;
    line();
    Table table({Align::left, Align::left, Align::left});
    for (std::uint32_t i = 0; i < node_.devices.size(); ++i) {
      const DeviceUse& d = node_.devices[i];
      std::string claims;
      for (const ResourceClaim* c : d.claims) {
        claims += fmt::format("{}{}", claims.empty() ? "" : ", ", plain(full_name(c->meta)));
      }
      const bool known = result_.snapshot().of(Kind::slice).known();
      table.row({short_name(i), plain(to_string(d.key)),
                 fmt::format("{}{}", claims, known && !d.published ? " (in no slice)" : "")});
    }
    for (const std::string& text : table.lines()) line(text);
  }

  /// What a step did with its devices, in the corrected accounting.
  std::string remark(const Charge& charge, const Step& naive, const Step& step) const {
    std::string out;
    const auto add = [&out](std::string_view text) {
      if (!out.empty()) out += ", ";
      out += text;
    };
    std::size_t shown = 0;
    for (const DeviceTouch& t : step.touched) {
      if (++shown > 4) {
        add(fmt::format("and {} more", step.touched.size() - 4));
        break;
      }
      add(fmt::format("{} {}→{}", short_name(t.device), t.before, t.after));
    }
    for (const std::string& text : remarks(node_, charge, naive, step)) add(plain(text));
    return out;
  }

  [[nodiscard]] std::vector<std::string> figures(const Step& s, bool groups, bool releasing) const {
    const bool known = node_.capacity.value.has_value();
    std::vector<std::string> out = {
        fmt::format("| {:>2}", signed_text(s.removal ? -s.counted : s.counted)),
        to_string(s.after.used)};
    if (groups) out.push_back(to_string(Gpus{s.after.groups}));
    out.push_back(known ? to_string(s.after.idle) : "?");
    if (releasing) out.push_back(to_string(s.after.releasing));
    return out;
  }

  void steps(const std::vector<Step>& naive, const std::vector<Step>& corrected,
             bool with_release) {
    std::vector<Step> n = naive;
    std::vector<Step> c = corrected;
    if (with_release) {
      for (Step& s : release(node_, node_.naive)) n.push_back(std::move(s));
      for (Step& s : release(node_, node_.corrected)) c.push_back(std::move(s));
    }
    bool groups = false;
    bool releasing = false;
    for (const auto* all : {&n, &c}) {
      for (const Step& s : *all) {
        groups = groups || s.after.groups != 0;
        releasing = releasing || s.after.releasing != 0;
      }
    }
    std::vector<Align> align = {Align::right, Align::left, Align::right};
    std::vector<std::string> head = {"STEP", "STATUS", "GPUS"};
    for (const std::string_view side : {"| NAIVE", "| CORRECTED"}) {
      head.emplace_back(side);
      align.push_back(Align::left);
      for (const auto& [label, there] :
           {std::pair{"used", true}, std::pair{"groups", groups}, std::pair{"idle", true},
            std::pair{"releasing", releasing}}) {
        if (!there) continue;
        head.emplace_back(label);
        align.push_back(Align::right);
      }
    }
    head.emplace_back("| POD");  // last: a name may be of any length
    align.push_back(Align::left);
    Table table(align);
    table.row(head);
    std::vector<std::string> reasons;
    const auto cells = [&](std::vector<std::string> row, const std::vector<std::string>& a,
                           const std::vector<std::string>& b, std::string_view pod,
                           std::string why) {
      row.insert(row.end(), a.begin(), a.end());
      row.insert(row.end(), b.begin(), b.end());
      row.push_back(fmt::format("| {}", pod));
      table.row(std::move(row));
      reasons.push_back(std::move(why));
    };
    const Step empty_naive{.after = {.idle = node_.naive.capacity}};
    const Step empty_corrected{.after = {.idle = node_.corrected.capacity}};
    auto first_naive = figures(empty_naive, groups, releasing);
    auto first_corrected = figures(empty_corrected, groups, releasing);
    first_naive[0] = first_corrected[0] = "|";
    cells({"0", "", ""}, first_naive, first_corrected, "(no pod yet)", "");
    for (std::size_t i = 0; i < c.size(); ++i) {
      const Charge& charge = node_.corrected.charges[c[i].charge];
      cells({fmt::format("{}", i + 1), std::string{to_string(charge.status)},
             to_string(c[i].brought)},
            figures(n[i], groups, releasing), figures(c[i], groups, releasing),
            fmt::format("{}{}", c[i].removal ? "− " : "", plain(full_name(charge.pod->meta))),
            remark(charge, n[i], c[i]));
    }
    line();
    bool first = true;
    std::size_t row = 0;
    for (const std::string& text : table.lines()) {
      line(first ? style_.bold(text) : text);
      if (!first && !reasons[row].empty()) line("      " + style_.dim(wrapped(reasons[row], 6)));
      if (!first) ++row;
      first = false;
    }
  }

  /// Pods of the node that no step shows, and claims that give no device.
  void why() {
    std::vector<std::string> said;
    for (const PodClaimTrouble& t : result_.audit.claim_troubles) {
      if (t.node != node_.node) continue;
      static const std::map<ClaimTrouble, std::string_view> kWords = {
          {ClaimTrouble::missing, "is not in the input"},
          {ClaimTrouble::other_namespace, "is in another namespace only"},
          {ClaimTrouble::not_created, "was not made from its template yet"},
          {ClaimTrouble::unallocated, "is not allocated"},
      };
      said.push_back(fmt::format("{}: claim {} {}: no device", plain(full_name(t.pod->meta)),
                                 plain(t.use.name), kWords.at(t.use.trouble)));
    }
    if (said.empty()) return;
    line();
    for (const std::string& text : said) line(text);
  }

  void totals() {
    line();
    Table table({Align::left, Align::right, Align::right, Align::left});
    table.row({"", "NAIVE", "CORRECTED", ""});
    const Figures& n = node_.naive.figures;
    const Figures& c = node_.corrected.figures;
    const bool groups = n.groups.most != 0 || c.groups.most != 0;
    table.row({"used", to_string(n.used), to_string(c.used), ""});
    if (groups) {
      table.row({"fraction groups", to_string(n.groups), to_string(c.groups), ""});
      table.row({"used as KAI prints it", to_string(n.printed_used()), to_string(c.printed_used()),
                 "used + groups"});
    }
    if (node_.capacity.value) {
      table.row({"idle", to_string(n.idle), to_string(c.idle),
                 groups ? "capacity less used and groups" : "capacity less used"});
    } else {
      table.row({"idle", "?", "?", "capacity is not known"});
    }
    table.row({"releasing", to_string(n.releasing), to_string(c.releasing),
               n.releasing == Range{} && c.releasing == Range{} ? "" : "over every order of pods"});
    for (const auto& [profile, m] : c.mig) {
      const auto it = n.mig.find(profile);
      const std::int64_t naive_used = it == n.mig.end() ? 0 : it->second.used;
      table.row({std::string{profile}, fmt::format("{}", naive_used), fmt::format("{}", m.used),
                 fmt::format("of {}", m.capacity)});
    }
    for (const std::string& text : table.lines()) line(text);
    line();
    const Held& h = node_.held;
    line(fmt::format("held {}: {} by claims, {} by device plugin, {} shared by fractions",
                     to_string(h.total()), to_string(h.devices), to_string(h.plugin),
                     to_string(h.groups)));
    if (h.by_driver.size() > 1) {
      for (const auto& [driver, gpus] : h.by_driver) {
        line(fmt::format("  {} of driver {}", to_string(gpus), plain(driver)));
      }
    }
    for (const DeviceUse& d : node_.devices) {
      if (d.holders.empty()) continue;
      std::string pods;
      for (const Pod* p : d.holders) {
        pods += fmt::format("{}{}", pods.empty() ? "" : ", ", plain(full_name(p->meta)));
      }
      line(fmt::format("  {}  {}", plain(to_string(d.key)), pods));
    }
  }

  /// From what is believed to what is there, a cause at a time; each column adds up.
  void causes() {
    for (const auto& [figure, title] :
         {std::pair{CausedFigure::used, "used"}, std::pair{CausedFigure::capacity, "capacity"},
          std::pair{CausedFigure::idle, "idle"}}) {
      Table table({Align::left, Align::right, Align::right, Align::left});
      bool any = false;
      std::string explanations;
      for (const CauseShare& s : node_.causes) {
        const CauseInfo& cause = info(s.cause);
        if (cause.figure != figure) continue;
        if (!any) table.row({fmt::format("causes of {}", title), "NAIVE", "CORRECTED", ""});
        any = true;
        const auto range = [](Gpus least, Gpus most) {
          if (least == most) return signed_text(least);
          return fmt::format("{}…{}", signed_text(std::min(least, most)),
                             signed_text(std::max(least, most)));
        };
        table.row({fmt::format("  {}", cause.name), range(s.naive, s.naive),
                   range(s.corrected_least, s.corrected_most), ""});
        std::string who;
        for (const ResourceClaim* c : s.claims)
          who += fmt::format(" claim {}", plain(full_name(c->meta)));
        for (const DeviceKey& d : s.devices) who += fmt::format(" {}", plain(to_string(d)));
        for (const Pod* p : s.pods) who += fmt::format(" pod {}", plain(full_name(p->meta)));
        explanations += fmt::format(
            "  {}\n      {}\n", wrapped(fmt::format("{}: {}", cause.name, cause.what), 4),
            wrapped(who.empty() ? std::string{"(the node)"} : who.substr(1), 6));
        explanations += fmt::format("      {}\n", wrapped(fmt::format("mend: {}", cause.mend), 6));
      }
      if (!any) continue;
      if (figure == CausedFigure::used) {
        const Gpus held = node_.held.total();
        const Range n = node_.naive.figures.printed_used();
        const Range c = node_.corrected.figures.printed_used();
        table.row({"  together: used less held", signed_text(n.most - held),
                   c.fixed() ? signed_text(c.most - held)
                             : fmt::format("{}…{}", signed_text(c.least - held),
                                           signed_text(c.most - held)),
                   ""});
      }
      line();
      for (const std::string& text : table.lines()) line(text);
      out_ += explanations;
    }
  }

  const Result& result_;
  const NodeAudit& node_;
  const TraceOptions& options_;
  Style style_;
  std::string out_;
};

}  // namespace

std::string trace_report(const Result& result, const NodeAudit& node, const TraceOptions& options) {
  return Trace(result, node, options).build();
}

}  // namespace draudit
