#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "draudit/rules.hpp"
#include "rules/evidence.hpp"

/// What a dump can't be trusted with: its lists were taken one after another, some pods may have
/// been filtered out, and it may be of two clusters. Ages are measured to the newest time in the
/// dump (or `--now`, where that is later), never to the clock; without any time nothing is young.
namespace draudit {

/// When the dump was taken, as far as it shows.
[[nodiscard]] std::optional<Timestamp> taken_at(const Evidence& evidence);

/// Whole seconds from then to the dump; below 0 where it lies ahead. Unknown without a time.
[[nodiscard]] std::optional<std::int64_t> age_of(const Evidence& evidence,
                                                 std::optional<Timestamp> since);

/// A length of time for people, rounded down: "59 seconds", "15 minutes", "12 hours", "3 days".
[[nodiscard]] std::string duration_text(std::int64_t seconds);

/// Known to be less than that old. An unknown age is neither young nor old.
[[nodiscard]] bool younger(const Evidence& evidence, std::optional<Timestamp> since,
                           std::int64_t seconds);
/// Known to be more than that old.
[[nodiscard]] bool older(const Evidence& evidence, std::optional<Timestamp> since,
                         std::int64_t seconds);

/// Made, or asked to be deleted, so shortly before the dump that another kind's list, taken some
/// seconds sooner or later, need not know of it.
[[nodiscard]] bool fresh(const Evidence& evidence, const Meta& meta);

/// Lowers a finding's certainty, never raises it. Every reason is kept.
void demote(Finding& finding, Certainty to, const std::string& reason);

/// No more than possible where that object is fresh. For findings that compare two kinds: objects
/// of one kind are of one list, read at one moment, and can't contradict each other.
void as_sure_as_age(const Evidence& evidence, Finding& finding, std::string_view kind,
                    const Meta& meta);

/// No more than possible where the input may be of two clusters: pools and devices are named alike
/// in many.
void as_sure_as_one_cluster(const Evidence& evidence, Finding& finding);

}  // namespace draudit
