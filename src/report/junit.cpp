#include <fmt/format.h>

#include <map>
#include <set>
#include <vector>

#include "report/gate.hpp"
#include "report/plain.hpp"
#include "report/renderers.hpp"
#include "report/words.hpp"

namespace draudit {
namespace {

/// Above so many pairs of rule and node, the nodes on which a rule finds nothing are one case.
constexpr std::size_t kCases = 10'000;

struct Suite {
  std::string name;
  std::string cases;
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
};

void add(Suite& suite, std::string_view rule, std::string_view name, std::string_view inside = {}) {
  ++suite.tests;
  suite.cases +=
      fmt::format("    <testcase classname=\"draudit.{}\" name=\"{}\"", xml(rule), xml(name));
  suite.cases += inside.empty() ? "/>\n" : fmt::format(">\n{}    </testcase>\n", inside);
}

std::string element(std::string_view name, std::string_view attributes, std::string_view text) {
  return fmt::format("      <{}{}>{}</{}>\n", name, attributes, xml(text), name);
}

std::string proof(const Report& report, const Report::Finding& f) {
  const Report::Place at = place_of(report, f);
  std::string out = fmt::format("{}:{}:{} {} {}", plain(at.file), at.line, at.column,
                                plain(f.subject.kind), plain(f.subject.name));
  for (const Report::Fact& x : f.facts)
    out += fmt::format("; {}: {}", plain(x.label), plain(x.text));
  return out + fmt::format("; mend: {}; fingerprint {}", plain(f.mend), plain(f.fingerprint));
}

/// A failure is what fails the gate; what does not is there to be read.
void add_finding(Suite& suite, const Report& report, const Report::Finding& f, FailOn fail_on,
                 std::string_view name) {
  const std::string kind =
      fmt::format(" type=\"{}\" message=\"{}\"", to_string(f.severity), xml(f.message));
  if (f.waived) {
    ++suite.skipped;
    add(suite, f.rule, name,
        fmt::format("      <skipped message=\"{}\"/>\n",
                    xml(fmt::format("{}: {}", waived_text(*f.waived), f.message))));
  } else if (fails_gate(f.severity, false, fail_on)) {
    ++suite.failures;
    add(suite, f.rule, name, element("failure", kind, proof(report, f)));
  } else {
    add(suite, f.rule, name,
        element(
            "system-out", "",
            fmt::format("{}: {}; {}", to_string(f.severity), plain(f.message), proof(report, f))));
  }
}

void add_rule(Suite& suite, const Report& report, const Report::RuleInfo& rule,
              const std::vector<const Report::Finding*>& found, FailOn fail_on, bool every_node) {
  std::set<std::string_view> nodes;
  std::map<std::string, std::size_t> used;
  for (const Report::Finding* f : found) {
    if (f->node) nodes.insert(*f->node);
    // A rule may find several things on a node; the subject tells them apart.
    std::string name = f->node ? *f->node : fmt::format("{} {}", f->subject.kind, f->subject.name);
    if (f->node && !(f->subject.kind == "Node" && f->subject.name == *f->node)) {
      name += fmt::format(": {} {}", f->subject.kind, f->subject.name);
    }
    if (const std::size_t n = ++used[name]; n > 1) name += fmt::format(" ({})", n);
    add_finding(suite, report, *f, fail_on, name);
  }
  if (!every_node) return add(suite, rule.name, "all other nodes");
  for (const Report::Node& n : report.nodes) {
    if (!nodes.contains(n.name)) add(suite, rule.name, n.name);
  }
}

Suite input_suite(const Report& report) {
  Suite out{.name = "input", .cases = {}};
  const auto error = [&out](std::string_view name, std::string_view message) {
    ++out.errors;
    add(out, "input", name,
        fmt::format("      <error type=\"input\" message=\"{}\"/>\n", xml(message)));
  };
  if (report.unable) error("audit", *report.unable);
  for (std::size_t i = 0; i < report.problems.size(); ++i) {
    error(fmt::format("problem {}", i + 1), problem_line(report.problems[i]));
  }
  if (report.complete) add(out, "input", "all of it was read");
  if (report.tuning.config) {
    add(out, "input", fmt::format("settings: {}", *report.tuning.config));
  }
  for (const Report::Absent& a : report.not_in_dump) {
    ++out.skipped;
    add(out, "input", a.kind,
        fmt::format("      <skipped message=\"{}\"/>\n",
                    xml(fmt::format("not in the input: {}", a.consequence))));
  }
  for (const std::string& gap : report.completeness.gaps) {
    ++out.skipped;
    add(out, "input", "gap", fmt::format("      <skipped message=\"{}\"/>\n", xml(gap)));
  }
  return out;
}

}  // namespace

std::string junit_report(const Report& report, const FormatOptions& options) {
  std::map<std::string_view, std::vector<const Report::Finding*>> found;
  for (const Report::Finding& f : report.findings) found[f.id].push_back(&f);
  std::map<std::string_view, std::string_view> unchecked;
  for (const Report::NotCheckable& n : report.not_checkable) unchecked[n.id] = n.reason;
  const bool every_node = report.rules.size() * report.nodes.size() <= kCases;

  std::vector<Suite> suites = {input_suite(report)};
  for (const Report::RuleInfo& rule : report.rules) {
    const std::string family = rule.id.substr(0, 3);
    if (suites.back().name != family) suites.push_back({.name = family, .cases = {}});
    Suite& suite = suites.back();
    const auto why = unchecked.find(rule.id);
    if (why != unchecked.end() || report.unable) {
      ++suite.skipped;
      add(suite, rule.name, "not checkable",
          fmt::format("      <skipped message=\"{}\"/>\n",
                      xml(why != unchecked.end() ? why->second : *report.unable)));
    }
    const auto& these = found[rule.id];
    if (why == unchecked.end() && !report.unable) {
      add_rule(suite, report, rule, these, options.fail_on, every_node);
    } else {
      for (const Report::Finding* f : these)
        add_finding(suite, report, *f, options.fail_on, f->subject.name);
    }
  }
  Suite all;
  std::string body;
  for (const Suite& s : suites) {
    all.tests += s.tests;
    all.failures += s.failures;
    all.errors += s.errors;
    all.skipped += s.skipped;
    body += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n{}"
        "  </testsuite>\n",
        xml(s.name), s.tests, s.failures, s.errors, s.skipped, s.cases);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"draudit\" tests=\"{}\" "
      "failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n{}</testsuites>\n",
      all.tests, all.failures, all.errors, all.skipped, body);
}

}  // namespace draudit
