#pragma once

#include "input/value.hpp"

/// Readers of one kind each: a table of fields, nothing else. They throw BadField.
namespace draudit {

[[nodiscard]] Pod read_pod(const Value& object);
[[nodiscard]] ResourceClaim read_claim(const Value& object);
[[nodiscard]] Node read_node(const Value& object);
[[nodiscard]] ResourceSlice read_slice(const Value& object);
[[nodiscard]] DeviceClass read_device_class(const Value& object);
[[nodiscard]] BindRequest read_bind_request(const Value& object);
[[nodiscard]] DeviceTaintRule read_taint_rule(const Value& object);
[[nodiscard]] Namespace read_namespace(const Value& object);
[[nodiscard]] PodGroup read_pod_group(const Value& object);

/// The members of `metadata` that every kind has.
struct ReadMeta {
  Meta meta;
  std::vector<KeyValue> labels;
  std::vector<KeyValue> annotations;
  std::vector<OwnerReference> owners;
  bool delete_protection = false;
};
[[nodiscard]] ReadMeta read_meta(const Value& metadata);

/// `allocation` of a claim or of a BindRequest; nothing for null.
[[nodiscard]] std::optional<Allocation> read_allocation(const Value& allocation);

/// Pieces that several kinds have.
[[nodiscard]] std::optional<NodeSelector> read_node_selector(const Value& selector);
[[nodiscard]] Taint read_taint(const Value& taint);
[[nodiscard]] std::vector<Taint> read_taints(const Value& taints);
[[nodiscard]] std::vector<Toleration> read_tolerations(const Value& tolerations);
[[nodiscard]] std::vector<Condition> read_conditions(const Value& conditions);
[[nodiscard]] std::vector<std::string_view> read_strings(const Value& list);
[[nodiscard]] std::vector<PodClaim> read_pod_claims(const Value& list);
[[nodiscard]] std::vector<PodClaimStatus> read_claim_statuses(const Value& list);

/// Remembers the time, if it is the newest so far.
void note_time(const Value& time);
/// `status.conditions`: of interest for their times only.
void note_condition_times(const Value& conditions);

}  // namespace draudit
