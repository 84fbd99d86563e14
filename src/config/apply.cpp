#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "draudit/config.hpp"
#include "report/plain.hpp"

namespace draudit {
namespace {

bool fits_object(const std::string& pattern, const ObjectRef& o) {
  if (fits_pattern(pattern, o.name)) return true;
  // A name without its namespace fits in any.
  const std::size_t slash = o.name.find('/');
  return pattern.find('/') == std::string::npos && slash != std::string::npos &&
         fits_pattern(pattern, std::string_view{o.name}.substr(slash + 1));
}

bool fits_device(const std::string& pattern, std::string_view device) {
  if (fits_pattern(pattern, device)) return true;
  return pattern.find('/') == std::string::npos &&
         fits_pattern(pattern, device.substr(device.rfind('/') + 1));
}

/// The subject decides; where it is a node, so do the pods and devices that take part: all of
/// them, as one that the pattern does not fit is trouble that nobody has agreed to.
bool fits_finding(const Suppression& s, const Finding& f) {
  if (s.rule != f.rule) return false;
  if (!s.node.empty()) {
    const std::string_view node = f.subject.kind == "Node" ? f.subject.name : f.node;
    if (node.empty() || !fits_pattern(s.node, node)) return false;
  }
  if (!s.object.empty()) {
    const bool subject = f.subject.kind != "Node" && fits_object(s.object, f.subject);
    const bool parts = f.subject.kind == "Node" && !f.pods.empty() &&
                       std::all_of(f.pods.begin(), f.pods.end(), [&](const std::string& p) {
                         return fits_object(s.object, {"Pod", p, "", {}});
                       });
    if (!subject && !parts) return false;
  }
  if (!s.device.empty()) {
    const bool subject = f.devices.empty() && fits_device(s.device, f.subject.name);
    const bool parts = !f.devices.empty() && std::all_of(f.devices.begin(), f.devices.end(),
                                                         [&](const DeviceEvidence& d) {
                                                           return fits_device(s.device, d.device);
                                                         });
    if (!subject && !parts) return false;
  }
  return true;
}

std::string count_of(std::size_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

class Applier {
 public:
  Applier(const Tuning& tuning, Result& result) : tuning_(tuning), result_(result) {}

  void run() {
    switch_off();
    set_severities();
    suppress();
    compare_with_baseline();
    drop_unsure();
  }

 private:
  void note(std::string text) { result_.tuning_notes.push_back(std::move(text)); }

  [[nodiscard]] const RuleTuning* tuning_of(const Rule* rule) const {
    const auto it = tuning_.rules.find(rule);
    return it == tuning_.rules.end() ? nullptr : &it->second;
  }
  [[nodiscard]] bool is_off(const Rule* rule) const {
    const RuleTuning* t = tuning_of(rule);
    return t != nullptr && !t->severity;
  }
  /// Nothing can be said of findings of the rule that are not there.
  [[nodiscard]] bool unchecked(const Rule* rule) const {
    const auto& unable = result_.run.not_checkable;
    return !result_.complete() ||
           std::any_of(unable.begin(), unable.end(),
                       [rule](const NotCheckable& n) { return n.rule == rule; });
  }

  /// Listed with the rules that could not run: no format must show it as passed.
  void switch_off() {
    auto& findings = result_.run.findings;
    auto& unable = result_.run.not_checkable;
    for (const Rule* rule : rules()) {
      if (!is_off(rule)) continue;
      const auto n = std::erase_if(findings, [&](const Finding& f) { return f.rule == rule; });
      std::erase_if(unable, [&](const NotCheckable& x) { return x.rule == rule; });
      unable.push_back(
          {rule,
           fmt::format(
               "it is off ({}){}", tuning_of(rule)->place,
               n == 0 ? "" : fmt::format(", {} not shown", count_of(n, "finding", "findings")))});
    }
  }

  void set_severities() {
    bool changed = false;
    for (Finding& f : result_.run.findings) {
      const RuleTuning* t = tuning_of(f.rule);
      if (t == nullptr) continue;
      f.severity = *t->severity;
      changed = true;
    }
    if (changed) sort_findings(result_.run.findings);
  }

  void suppress() {
    const std::optional<Timestamp>& now = result_.audit.options.now;
    for (const Suppression& s : tuning_.suppressions) {
      const bool over = !now || *now >= s.end;
      std::size_t hits = 0;
      std::size_t back = 0;
      for (Finding& f : result_.run.findings) {
        if (!fits_finding(s, f)) continue;
        ++hits;
        if (f.waived) continue;  // by another one
        ++back;
        if (!over) f.waived = Waiver{WaivedBy::suppression, s.reason, s.expires, s.owner};
      }
      say(s, over, hits, back);
    }
  }

  void say(const Suppression& s, bool over, std::size_t hits, std::size_t back) {
    const std::string name = fmt::format("suppression of {} ({})", s.rule->name, s.place);
    const bool no_time = !result_.audit.options.now;
    if (over && back > 0) {
      note(fmt::format("{} {}: {} again", name,
                       no_time ? "may have expired, as the input has no time (--now TIME tells it)"
                               : fmt::format("has expired, {}", plain(s.expires)),
                       count_of(back, "finding counts", "findings count")));
    } else if (hits == 0 && unchecked(s.rule)) {
      note(
          fmt::format("{} is not checked: the rule could not look at everything, or is off", name));
    } else if (hits == 0) {
      note(fmt::format("{} is unused{}; remove it", name,
                       over && !no_time ? " and has expired" : ""));
    }
  }

  void compare_with_baseline() {
    if (tuning_.baseline_file.empty()) return;
    std::set<std::string_view> here;
    std::set<std::string_view> known;
    for (const KnownFinding& k : tuning_.baseline) known.insert(k.fingerprint);
    for (Finding& f : result_.run.findings) {
      here.insert(f.fingerprint);
      if (!f.waived && known.contains(f.fingerprint))
        f.waived = Waiver{WaivedBy::baseline, {}, {}, {}};
    }
    for (const KnownFinding& k : tuning_.baseline) {
      if (here.contains(k.fingerprint)) continue;
      const Rule* rule = find_rule(k.rule);
      const std::string name = fmt::format(
          "{} {}", rule == nullptr ? plain(k.rule) : std::string{rule->name}, plain(k.subject));
      if (rule != nullptr && unchecked(rule)) {
        note(fmt::format("baseline: {} is not checked", name));
      } else {
        note(fmt::format("baseline: {} is gone; draudit baseline update {} forgets it", name,
                         plain(tuning_.baseline_file)));
      }
    }
  }

  void drop_unsure() {
    const auto n = std::erase_if(result_.run.findings, [this](const Finding& f) {
      return f.certainty < tuning_.min_certainty;
    });
    if (n == 0) return;
    note(fmt::format("{} less than {} and not shown (min-certainty)",
                     count_of(n, "finding is", "findings are"), to_string(tuning_.min_certainty)));
  }

  const Tuning& tuning_;
  Result& result_;
};

}  // namespace

void apply(const Tuning& tuning, Result& result) {
  result.config_file = tuning.config_file;
  result.baseline_file = tuning.baseline_file;
  Applier(tuning, result).run();
}

}  // namespace draudit
