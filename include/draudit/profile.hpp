#pragma once

#include <span>
#include <string_view>

namespace draudit {

/// What the accounting of a KAI version line does and does not do (kai-accounting.md §14).
struct Profile {
  std::string_view version;  ///< first version that behaves so, "v0.17.0"
  std::string_view summary;
  bool dra;                   ///< claims and slices touch the node's GPU figures at all
  bool dedup;                 ///< a device is counted once a node, by reference count (the fix)
  bool zeroing;               ///< a dimension whose capacity is 0 records no use
  bool skip_extended_claims;  ///< claims made for extended resources are not demand
  bool stuck_in_releasing;    ///< terminating past the threshold no longer counts as releasing
  bool suffix_capacity;       ///< a resource that ends in "gpu" overwrites capacity, times 1000
  bool suffix_requests;       ///< … and a pod's demand too
  bool sidecars;              ///< restartable init containers add to the sum
};

/// Every profile, oldest first. The last is the one with the fix.
[[nodiscard]] std::span<const Profile> profiles();

/// Profile of a version tag such as "v0.16.8" or "0.17.1": the newest line that is not newer than
/// it; within v0.14 and v0.15 the patch decides on sidecars. "v0.16+dedup" names stock v0.16 with
/// the fix carried back. Null where the text is no version.
[[nodiscard]] const Profile* find_profile(std::string_view version);

/// Whether a stock line may have got the fix in a later patch is not known of every version: of
/// v0.14.9 and v0.16.9 and what follows them (kai-accounting.md §14).
[[nodiscard]] bool may_have_fix(std::string_view version);

/// v0.17.0: the last release that counts a shared device once per pod.
[[nodiscard]] const Profile& stock_profile();
/// v0.17.1: the first that counts it once.
[[nodiscard]] const Profile& fixed_profile();

}  // namespace draudit
