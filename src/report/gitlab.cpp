#include <fmt/format.h>

#include <map>

#include "model/sha256.hpp"
#include "report/gate.hpp"
#include "report/json_writer.hpp"
#include "report/plain.hpp"
#include "report/renderers.hpp"
#include "report/words.hpp"

namespace draudit {
namespace {

constexpr std::size_t kGitlabMessage = 4'000;  // bytes of one description

std::string_view gitlab_severity(const Report::Finding& f) {
  if (f.waived) return "info";
  switch (f.severity) {
    case Severity::error: return "critical";
    case Severity::warning: return "major";
    case Severity::note: return "minor";
  }
  return "minor";
}

class CodeQuality {
 public:
  void issue(std::string_view check, std::string_view words, std::string_view as,
             const std::string& fingerprint, const Report::Place& at) {
    w_.element();
    w_.open('{');
    w_.field("description", shortened(plain(words), kGitlabMessage));
    w_.field("check_name", plain(check));
    // GitLab shows but one of those that have the same.
    const std::size_t nth = ++seen_[fingerprint];
    w_.field("fingerprint", nth == 1
                                ? fingerprint
                                : sha256(fmt::format("{}\n{}", fingerprint, nth)).substr(0, 32));
    w_.field("severity", as);
    w_.key("location");
    w_.open('{');
    w_.field("path", repository_path(at.file));
    w_.key("lines");
    w_.open('{');
    w_.field("begin", std::max<std::uint64_t>(at.line, 1));
    w_.close('}');
    w_.close('}');
    w_.close('}');
  }
  std::string build(const Report& report) {
    const Report::Place first{report.inputs.empty() ? "-" : report.inputs.front().name, 1, 1, 0, 0};
    w_.open('[');
    if (report.unable) {
      issue("draudit", verdict(report), "blocker", sha256("unable").substr(0, 32), first);
    }
    for (const Report::Problem& p : report.problems) {
      const std::string line = problem_line(p);
      issue("draudit", line, "blocker", sha256(line).substr(0, 32), place_of(report, p));
    }
    for (const Report::Finding& f : report.findings) {
      issue(f.rule, message_of(f), gitlab_severity(f), plain(f.fingerprint), place_of(report, f));
    }
    for (const Report::NotCheckable& n : report.not_checkable) {
      const std::string words = fmt::format("not checkable: {}", n.reason);
      issue(n.rule, words, "info", sha256(n.id + words).substr(0, 32), first);
    }
    for (const Report::Absent& a : report.not_in_dump) {
      const std::string words = fmt::format("{} is not in the input: {}", a.kind, a.consequence);
      issue("draudit", words, "info", sha256(words).substr(0, 32), first);
    }
    for (const std::string& gap : report.completeness.gaps) {
      issue("draudit", gap, "info", sha256(gap).substr(0, 32), first);
    }
    w_.close(']');
    return w_.take() + '\n';
  }

 private:
  JsonWriter w_;
  std::map<std::string, std::size_t> seen_;
};

}  // namespace

std::string gitlab_report(const Report& report, const FormatOptions&) {
  return CodeQuality().build(report);
}

}  // namespace draudit
