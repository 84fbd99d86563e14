#pragma once

#include <array>
#include <string>
#include <vector>

#include "draudit/rules.hpp"
#include "rules/evidence.hpp"

/// What several rules say in the same words.
namespace draudit {

[[nodiscard]] ObjectRef ref(std::string_view kind, const Meta& meta, std::string note = {});

/// A finding of the rule, with its severity and its mending.
[[nodiscard]] Finding about(const Rule& rule, ObjectRef subject);
/// A finding about a node, with its capacity's certainty where the capacity matters.
[[nodiscard]] Finding about_node(const Rule& rule, const NodeAudit& node);
void as_sure_as_capacity(Finding& finding, const NodeAudit& node);

/// No more than possible where it is not known whether the naive version has the fix.
void as_sure_as_version(Finding& finding, const Audit& audit);

/// Devices that more than one counted reference names, with every pod that brings them; and the
/// claims through which they come.
void add_shared_devices(Finding& finding, const NodeAudit& node);

/// GPUs that the naive version counts on top of the corrected one, at least.
[[nodiscard]] Gpus counted_twice(const NodeAudit& node);

/// The sentence that KAI prints for a pod that asks for no GPU.
[[nodiscard]] std::string kai_sentence(Gpus used, Gpus capacity);

/// What a negative idle means for the node, if it is negative.
void add_idle_fact(Finding& finding, const NodeAudit& node, const Account& account);

/// "1 device", "2 devices".
[[nodiscard]] std::string count_of(Gpus n, std::string_view singular, std::string_view plural = {});

[[nodiscard]] std::string_view to_string(ClaimTrouble trouble);

/// Fires on each node on which the cause moves naive or corrected figures. With `also_balanced`,
/// on those too where it changes what pods count as and the errors cancel out.
void by_cause(const Audit& audit, const Rule& rule, Cause cause, std::vector<Finding>& out,
              bool also_balanced = false);
[[nodiscard]] const CauseShare* find_cause(const NodeAudit& node, Cause cause);

/// A line for each cause that moves a figure of the node, and whether the upgrade would help; the
/// finding's mending becomes that of the cause that does most of what it is about.
enum class Direction : std::uint8_t { too_many, too_few, either };
void add_causes(Finding& finding, const NodeAudit& node, CausedFigure figure, Direction direction);

/// Whether the version with the fix would take pods on this node again, where it is refused now.
void add_upgrade_fact(Finding& finding, const NodeAudit& node);

/// "+1", "-7…0", "0".
[[nodiscard]] std::string share_text(Gpus least, Gpus most);

/// Kinds that rules need.
inline constexpr std::array kPodsAndNodes = {Kind::pod, Kind::node};
inline constexpr std::array kClaims = {Kind::claim};
inline constexpr std::array kClasses = {Kind::device_class};
inline constexpr std::array kPodsAndClaims = {Kind::pod, Kind::claim};
inline constexpr std::array kClaimsAndNodes = {Kind::claim, Kind::node};
inline constexpr std::array kClaimsAndClasses = {Kind::claim, Kind::device_class};
inline constexpr std::array kPodsClaimsNodesClasses = {Kind::pod, Kind::claim, Kind::node,
                                                       Kind::device_class};
inline constexpr std::array kPodsClaimsNodes = {Kind::pod, Kind::claim, Kind::node};

}  // namespace draudit
