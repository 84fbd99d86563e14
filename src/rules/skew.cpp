#include "rules/skew.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace draudit {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

}  // namespace

std::optional<Timestamp> taken_at(const Evidence& evidence) {
  const auto& now = evidence.audit.options.now;
  const auto& newest = evidence.audit.snapshot->newest;
  if (!now) return newest;
  return newest ? std::max(*now, *newest) : *now;
}

std::optional<std::int64_t> age_of(const Evidence& evidence, std::optional<Timestamp> since) {
  const std::optional<Timestamp> taken = taken_at(evidence);
  if (!since || !taken) return std::nullopt;
  const Int128 passed = Int128{taken->nanoseconds} - since->nanoseconds;
  return static_cast<std::int64_t>(passed / kSecond);
}

std::string duration_text(std::int64_t seconds) {
  struct Unit {
    std::int64_t seconds;
    std::string_view name;
  };
  static constexpr std::array kUnits = {Unit{86400, "day"}, Unit{3600, "hour"}, Unit{60, "minute"},
                                        Unit{1, "second"}};
  for (const Unit& u : kUnits) {
    // Twice the unit, so that no more than half of the time is lost: "90 minutes", not "1 hour".
    if (seconds >= 2 * u.seconds || u.seconds == 1) {
      const std::int64_t n = seconds / u.seconds;
      return fmt::format("{} {}{}", n, u.name, n == 1 ? "" : "s");
    }
  }
  return {};
}

bool younger(const Evidence& evidence, std::optional<Timestamp> since, std::int64_t seconds) {
  const auto age = age_of(evidence, since);
  return age && *age < seconds;
}

bool older(const Evidence& evidence, std::optional<Timestamp> since, std::int64_t seconds) {
  const auto age = age_of(evidence, since);
  return age && *age > seconds;
}

bool fresh(const Evidence& evidence, const Meta& meta) {
  const std::int64_t grace = evidence.audit.options.grace.reservation;
  return younger(evidence, meta.created, grace) || younger(evidence, meta.deleted, grace);
}

void demote(Finding& finding, Certainty to, const std::string& reason) {
  finding.certainty = std::min(finding.certainty, to);
  if (finding.why_not_certain.empty()) {
    finding.why_not_certain = reason;
  } else if (finding.why_not_certain.find(reason) == std::string::npos) {
    finding.why_not_certain += "; " + reason;
  }
}

void as_sure_as_age(const Evidence& evidence, Finding& finding, std::string_view kind,
                    const Meta& meta) {
  if (!fresh(evidence, meta)) return;
  demote(finding, Certainty::possible,
         fmt::format("{} {} changed less than {} s before the dump, whose lists were taken one "
                     "after another",
                     kind, full_name(meta), evidence.audit.options.grace.reservation));
}

void as_sure_as_one_cluster(const Evidence& evidence, Finding& finding) {
  const Snapshot& s = *evidence.audit.snapshot;
  if (!s.mixed.empty()) {
    demote(finding, Certainty::possible, fmt::format("these may be two clusters: {}", s.mixed));
  } else if (s.mixed_clusters) {
    demote(finding, Certainty::possible,
           "a node or namespace is in the input with two uids: these may be two clusters");
  }
}

}  // namespace draudit
