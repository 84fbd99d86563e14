#pragma once

#include <string>
#include <vector>

#include "draudit/rules.hpp"

/// What several rules say in the same words.
namespace draudit {

[[nodiscard]] ObjectRef ref(std::string_view kind, const Meta& meta, std::string note = {});

/// A finding about a node, with its capacity's certainty where the capacity matters.
[[nodiscard]] Finding about_node(const Rule& rule, const NodeAudit& node);
void as_sure_as_capacity(Finding& finding, const NodeAudit& node);

/// Devices that more than one counted reference names, with every pod that brings them; and the
/// claims through which they come.
void add_shared_devices(Finding& finding, const NodeAudit& node);

/// GPUs that the naive version counts on top of the corrected one, at least.
[[nodiscard]] Gpus counted_twice(const NodeAudit& node);

/// The sentence that KAI prints for a pod that asks for no GPU.
[[nodiscard]] std::string kai_sentence(Gpus used, Gpus capacity);

/// What a negative idle means for the node, if it is negative.
void add_idle_fact(Finding& finding, const Account& account);

/// "1 device", "2 devices".
[[nodiscard]] std::string count_of(Gpus n, std::string_view singular, std::string_view plural = {});

[[nodiscard]] std::string_view to_string(ClaimTrouble trouble);

// One function a rule, each in its own file.
void over_counted_node(const Audit& audit, const Rule& rule, std::vector<Finding>& out);
void double_counted_device(const Audit& audit, const Rule& rule, std::vector<Finding>& out);
void over_committed_node(const Audit& audit, const Rule& rule, std::vector<Finding>& out);
void under_counted_node(const Audit& audit, const Rule& rule, std::vector<Finding>& out);
void flapping_node(const Audit& audit, const Rule& rule, std::vector<Finding>& out);
void capacity_unknown(const Audit& audit, const Rule& rule, std::vector<Finding>& out);
void unresolved_claim(const Audit& audit, const Rule& rule, std::vector<Finding>& out);
void unallocated_claim(const Audit& audit, const Rule& rule, std::vector<Finding>& out);

}  // namespace draudit
