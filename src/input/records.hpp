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

/// The members of `metadata` that every kind has.
struct ReadMeta {
  Meta meta;
  std::vector<KeyValue> labels;
  std::vector<KeyValue> annotations;
  std::vector<OwnerReference> owners;
};
[[nodiscard]] ReadMeta read_meta(const Value& metadata);

/// `allocation` of a claim or of a BindRequest; nothing for null.
[[nodiscard]] std::optional<Allocation> read_allocation(const Value& allocation);

/// Remembers the time, if it is the newest so far.
void note_time(const Value& time);
/// `status.conditions`: of interest for their times only.
void note_condition_times(const Value& conditions);

}  // namespace draudit
