#include <fmt/format.h>

#include <array>

#include "report/gate.hpp"
#include "report/plain.hpp"
#include "report/renderers.hpp"
#include "report/words.hpp"

namespace draudit {
namespace {

constexpr std::size_t kPerType = 10;           // of a step; GitHub drops the others without a word
constexpr std::size_t kGithubMessage = 4'000;  // bytes of one

/// What would end the command, or be taken for another one.
std::string data(std::string_view text) {
  std::string out;
  for (const char c : shortened(plain(text), kGithubMessage)) {
    switch (c) {
      case '%': out += "%25"; break;
      case '\r': out += "%0D"; break;
      case '\n': out += "%0A"; break;
      default: out += c;
    }
  }
  return out;
}

std::string property(std::string_view text) {
  std::string out;
  for (const char c : data(text)) {
    switch (c) {
      case ':': out += "%3A"; break;
      case ',': out += "%2C"; break;
      default: out += c;
    }
  }
  return out;
}

enum Type : std::size_t { kError, kWarning, kNotice };
constexpr std::array<std::string_view, 3> kNames = {"error", "warning", "notice"};

Type type_of(const Report::Finding& f) {
  if (f.waived) return kNotice;
  switch (f.severity) {
    case Severity::error: return kError;
    case Severity::warning: return kWarning;
    case Severity::note: return kNotice;
  }
  return kNotice;
}

}  // namespace

std::string github_report(const Report& report, const FormatOptions&) {
  std::string out;
  std::array<std::size_t, 3> shown{};
  std::array<std::size_t, 3> all{};
  const auto annotate = [&](Type type, const std::optional<Report::Place>& at,
                            std::string_view title, std::string_view message) {
    ++all[type];
    // The last notice is for the one that sums up.
    if (shown[type] == (type == kNotice ? kPerType - 1 : kPerType)) return;
    ++shown[type];
    const std::string place =
        at ? fmt::format("file={},line={},col={},", property(repository_path(at->file)), at->line,
                         at->column)
           : std::string{};
    out +=
        fmt::format("::{} {}title={}::{}\n", kNames[type], place, property(title), data(message));
  };
  if (report.unable) annotate(kError, std::nullopt, "draudit: not audited", verdict(report));
  for (const Report::Problem& p : report.problems) {
    annotate(kError, place_of(report, p), "draudit: not read", problem_line(p));
  }
  for (const bool waived : {false, true}) {
    for (const Report::Finding& f : report.findings) {
      if (f.waived.has_value() != waived) continue;
      annotate(type_of(f), place_of(report, f), fmt::format("{} {}", f.id, f.rule), message_of(f));
    }
  }
  for (const Report::NotCheckable& n : report.not_checkable) {
    annotate(kNotice, std::nullopt, fmt::format("{} {}: not checkable", n.id, n.rule), n.reason);
  }
  for (const Report::Absent& a : report.not_in_dump) {
    annotate(kNotice, std::nullopt, fmt::format("draudit: no {}", a.kind), a.consequence);
  }
  for (const std::string& gap : report.completeness.gaps) {
    annotate(kNotice, std::nullopt, "draudit: gap in the input", gap);
  }
  const std::size_t left_out = all[0] + all[1] + all[2] - shown[0] - shown[1] - shown[2];
  const std::string more =
      left_out == 0
          ? ""
          : fmt::format(" {} of {} annotations are left out here: GitHub takes {} of a type.",
                        left_out, all[0] + all[1] + all[2], kPerType);
  const auto counted = [](std::uint64_t n, std::string_view what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  out += fmt::format(
      "::notice title=draudit::{}\n",
      data(fmt::format("{} {}, {}, {}, {} waived.{}", verdict(report),
                       counted(report.counts.error, "error"),
                       counted(report.counts.warning, "warning"),
                       counted(report.counts.note, "note"), report.counts.waived, more)));
  return out;
}

}  // namespace draudit
