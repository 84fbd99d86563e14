#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "report/gate.hpp"
#include "report/plain.hpp"
#include "report/renderers.hpp"
#include "report/words.hpp"

namespace draudit {
namespace {

constexpr std::size_t kTicket = 60'000;      // a comment takes 65,536 characters
constexpr std::size_t kSummary = 1'000'000;  // a step summary 1 MiB
constexpr std::size_t kFooter = 6'000;       // kept free for what is below the proofs
constexpr std::size_t kName = 300;           // bytes of a name, several of which make a line
constexpr std::size_t kText = 2'000;
constexpr std::size_t kMarkdownObjects = 8;

/// In backticks, with no backtick of its own.
std::string code(std::string_view text, bool in_table = false) {
  std::string out;
  for (const char c : shortened(plain(text), kName)) {
    if (c == '`') {
      out += "ˋ";
    } else if (c == '|' && in_table) {
      // Behind a backslash nothing can keep it from ending the cell.
      out += out.ends_with('\\') ? "¦" : "\\|";
    } else {
      out += c;
    }
  }
  return out.empty() ? std::string{} : fmt::format("`{}`", out);
}

/// Outside of backticks: nothing that Markdown, HTML or the host takes for its own. References
/// instead of backslashes, as these mean nothing in the HTML of a summary.
std::string prose(std::string_view text) {
  const std::string all = shortened(plain(text), kText);
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const char c = all[i];
    const bool special = std::string_view{"\\`*_[]<>&#|~$@!"}.find(c) != std::string_view::npos;
    // A scheme or a host name makes a link without any brackets.
    const bool link = (c == ':' && all.compare(i, 3, "://") == 0) ||
                      (c == '.' && i >= 3 && all.compare(i - 3, 3, "www") == 0);
    if (special || link) {
      out += fmt::format("&#{};", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out;
}

class Markdown {
 public:
  Markdown(const Report& report, std::size_t limit) : report_(report), limit_(limit) {}

  std::string build() {
    out_ = fmt::format("**{}**\n\n", prose(verdict(report_)));
    problems();
    nodes();
    findings();
    footer();
    return std::move(out_);
  }

 private:
  /// Adds all of it or nothing; what does not fit is counted by the caller.
  bool fits(std::string_view block, std::size_t keep) {
    if (out_.size() + block.size() + keep > limit_) return false;
    out_ += block;
    return true;
  }

  void problems() {
    if (report_.problems.empty()) return;
    out_ +=
        fmt::format("**INCOMPLETE**: {} could not be read; the figures are those of the rest.\n\n",
                    report_.problems.size() == 1
                        ? "1 thing in the input"
                        : fmt::format("{} things in the input", report_.problems.size()));
    std::size_t shown = 0;
    for (const Report::Problem& p : report_.problems) {
      if (shown == 10) break;
      out_ += fmt::format("- {}\n", prose(problem_line(p)));
      ++shown;
    }
    if (shown < report_.problems.size()) {
      out_ += fmt::format("- and {} more\n", report_.problems.size() - shown);
    }
    out_ += '\n';
  }

  void nodes() {
    std::map<std::string_view, std::vector<std::string_view>> rules;
    for (const Report::Finding& f : report_.findings) {
      if (!f.node) continue;
      auto& of = rules[*f.node];
      if (std::find(of.begin(), of.end(), f.rule) == of.end()) of.push_back(f.rule);
    }
    if (report_.nodes.empty()) return;
    if (rules.empty()) {
      out_ += fmt::format(
          "{} without findings.\n\n",
          report_.nodes.size() == 1 ? "1 node" : fmt::format("{} nodes", report_.nodes.size()));
      return;
    }
    out_ += "| node | capacity | naive | corrected | held | findings |\n"
            "|:---|---:|---:|---:|---:|:---|\n";
    std::size_t shown = 0;
    bool full = false;
    for (const Report::Node& n : report_.nodes) {
      const auto found = rules.find(n.name);
      if (found == rules.end() || full) continue;
      std::string names;
      for (std::size_t i = 0; i < std::min<std::size_t>(found->second.size(), 4); ++i) {
        names += fmt::format("{}{}", i == 0 ? "" : ", ", prose(found->second[i]));
      }
      if (found->second.size() > 4) names += fmt::format(" and {} more", found->second.size() - 4);
      const std::string row =
          fmt::format("| {} | {} | {} | {} | {} | {} |\n", code(n.name, true),
                      capacity_text(n.capacity.value, n.capacity.certainty),
                      to_string(n.naive.printed_used_range),
                      to_string(n.corrected.printed_used_range), to_string(n.held), names);
      // Half of the room is for the proofs.
      full = !fits(row, limit_ / 2);
      if (!full) ++shown;
    }
    out_ += '\n';
    if (shown < rules.size()) {
      out_ += fmt::format("{} more nodes with findings are left out. ", rules.size() - shown);
    }
    out_ += fmt::format(
        "{} of {} nodes with findings; GPUs: naive is what KAI {} believes to be in use, "
        "corrected what {} does, held what is taken.\n\n",
        rules.size(), report_.nodes.size(), prose(report_.kai.naive), prose(report_.kai.corrected));
  }

  static std::string proof(const Report::Finding& f) {
    std::string out = fmt::format(
        "<details><summary><b>{}</b> {}: {}{}</summary>\n\n", to_string(f.severity), prose(f.rule),
        prose(f.message),
        f.certainty == Certainty::certain ? "" : fmt::format(" ({})", to_string(f.certainty)));
    const auto object = [&out](const Report::Object& o) {
      out += fmt::format("- {} {}", prose(o.kind), code(o.name));
      if (!o.note.empty()) out += ", " + prose(o.note);
      if (o.location) out += fmt::format(", {}", code(location_text(o.location)));
      out += '\n';
    };
    if (f.objects.empty()) object(f.subject);
    for (std::size_t i = 0; i < std::min(f.objects.size(), kMarkdownObjects); ++i)
      object(f.objects[i]);
    if (f.objects.size() > kMarkdownObjects) {
      out += fmt::format("- and {} more objects\n", f.objects.size() - kMarkdownObjects);
    }
    for (std::size_t i = 0; i < std::min(f.devices.size(), kMarkdownObjects); ++i) {
      out += fmt::format("- device {}\n", code(f.devices[i].device));
      const auto& pods = f.devices[i].pods;
      for (std::size_t k = 0; k < std::min(pods.size(), kMarkdownObjects); ++k) {
        out += fmt::format("  - {} {}\n", code(pods[k].pod),
                           pods[k].counted_again ? "**counted again**" : "counted");
      }
      if (pods.size() > kMarkdownObjects) {
        out += fmt::format("  - and {} more pods, counted again\n", pods.size() - kMarkdownObjects);
      }
    }
    if (f.devices.size() > kMarkdownObjects) {
      out += fmt::format("- and {} more devices\n", f.devices.size() - kMarkdownObjects);
    }
    for (std::size_t i = 0; i < std::min(f.pods.size(), kMarkdownObjects); ++i) {
      out += fmt::format("- pod {}\n", code(f.pods[i]));
    }
    if (f.pods.size() > kMarkdownObjects)
      out += fmt::format("- and {} more pods\n", f.pods.size() - kMarkdownObjects);
    for (std::size_t i = 0; i < std::min<std::size_t>(f.facts.size(), 2 * kMarkdownObjects); ++i) {
      out += fmt::format("- {}: {}\n", prose(f.facts[i].label), prose(f.facts[i].text));
    }
    if (f.facts.size() > 2 * kMarkdownObjects) {
      out += fmt::format("- and {} more facts\n", f.facts.size() - 2 * kMarkdownObjects);
    }
    if (!f.why_not_certain.empty()) {
      out += fmt::format("- {}: {}\n", to_string(f.certainty), prose(f.why_not_certain));
    }
    return out + fmt::format("- mend: {}\n\n</details>\n\n", prose(f.mend));
  }

  void findings() {
    std::size_t left_out = 0;
    std::string waived;
    for (const Report::Finding& f : report_.findings) {
      if (f.waived) {
        waived += fmt::format("- {} {}: {}\n", prose(f.rule), prose(f.message),
                              prose(waived_text(*f.waived)));
      } else if (left_out > 0 || !fits(proof(f), kFooter)) {
        ++left_out;
      }
    }
    if (left_out > 0) {
      out_ += fmt::format("**{} more {} left out here.** `draudit check` shows all.\n\n", left_out,
                          left_out == 1 ? "finding is" : "findings are");
    }
    if (report_.counts.waived == 0) return;
    const std::string block = fmt::format(
        "<details><summary>{} waived</summary>\n\n{}\n</details>\n\n",
        report_.counts.waived == 1 ? "1 finding is"
                                   : fmt::format("{} findings are", report_.counts.waived),
        waived);
    if (!fits(block, kFooter))
      out_ += fmt::format("{} waived findings.\n\n", report_.counts.waived);
  }

  void footer() {
    std::vector<std::string> lines;
    std::string files;
    for (std::size_t i = 0; i < report_.inputs.size(); ++i) {
      if (i == 3) {
        files += fmt::format(" and {} more", report_.inputs.size() - i);
        break;
      }
      files += (i == 0 ? "" : ", ") + code(report_.inputs[i].name);
    }
    lines.push_back(fmt::format("read {} from {}", prose(objects_read(report_)), files));
    lines.push_back(fmt::format("naive is {}, corrected KAI {}", prose(naive_text(report_.kai)),
                                prose(report_.kai.corrected)));
    if (report_.now) lines.push_back(fmt::format("as of {}", prose(*report_.now)));
    for (const std::string& gap : report_.completeness.gaps) lines.push_back("gap: " + prose(gap));
    for (const std::string& r : report_.remarks) lines.push_back("remark: " + prose(r));
    if (report_.tuning.config) lines.push_back("settings: " + code(*report_.tuning.config));
    if (report_.tuning.baseline) lines.push_back("baseline: " + code(*report_.tuning.baseline));
    for (const std::string& n : report_.tuning.notes) lines.push_back("note: " + prose(n));
    for (const Report::Absent& a : report_.not_in_dump) {
      lines.push_back(fmt::format("not in this dump: {}: {}", prose(a.kind), prose(a.consequence)));
    }
    if (!report_.unable) {
      for (const Report::NotCheckable& n : report_.not_checkable) {
        lines.push_back(fmt::format("not checkable: {}: {}", prose(n.rule), prose(n.reason)));
      }
    }
    lines.push_back(fmt::format("draudit {}", prose(report_.tool.version)));
    std::size_t shown = 0;
    for (const std::string& line : lines) {
      if (!fits(fmt::format("- {}\n", line), 100)) break;
      ++shown;
    }
    if (shown < lines.size()) out_ += fmt::format("- and {} more lines\n", lines.size() - shown);
  }

  const Report& report_;
  std::size_t limit_;
  std::string out_;
};

}  // namespace

std::string markdown_report(const Report& report, const FormatOptions&) {
  return Markdown(report, kTicket).build();
}

std::string github_summary(const Report& report, const FormatOptions&) {
  return "### draudit\n\n" + Markdown(report, kSummary).build();
}

}  // namespace draudit
