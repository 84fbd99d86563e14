#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "rules/common.hpp"

/// What the rules about devices, pools and taints say in the same words.
namespace draudit {

/// A finding about something that is no object of its own: a device, a pool, a counter set.
[[nodiscard]] Finding about(const Rule& rule, std::string_view kind, std::string name,
                            const Location& at);
[[nodiscard]] Finding about_pool(const Rule& rule, const Pool& pool);
/// Its place is the slice that publishes it, else the first of the claims.
[[nodiscard]] Finding about_device(const Evidence& evidence, const Rule& rule, const DeviceKey& key,
                                   const ResourceClaim& claim);

/// The node that the device is tied to: as published, else as the allocation is pinned.
[[nodiscard]] std::string_view node_of(const Evidence& evidence, const DeviceRow& row);

/// Adds the claims as objects and the pods that live on them; each once, in the claims' order.
void add_claims(const Evidence& evidence, Finding& finding,
                std::vector<const ResourceClaim*> claims);

/// Of a finding that compares claims with slices: fresh claims, a pool that is not whole, two
/// clusters in one input, objects that could not be read.
void as_sure_as_pool(const Evidence& evidence, Finding& finding, const Pool* pool);
/// Where something could not be read, what seems to be absent may be that.
void as_sure_as_input(const Evidence& evidence, Finding& finding);
/// Exact, one text for one amount: "40Gi", "1500m", "7".
[[nodiscard]] std::string to_string(Quantity quantity);

/// "gpu-0", "gpu-0 and gpu-1", "gpu-0, gpu-1 and 6 more".
[[nodiscard]] std::string listing(const std::vector<std::string>& names);

inline constexpr std::array kSlices = {Kind::slice};
inline constexpr std::array kClaimsSlices = {Kind::claim, Kind::slice};

}  // namespace draudit
