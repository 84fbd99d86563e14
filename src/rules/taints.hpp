#pragma once

#include <span>
#include <string>
#include <vector>

#include "rules/devices.hpp"

/// Taints of devices that claims hold: the device's own, and those that DeviceTaintRules put on it.
namespace draudit {

/// Devices of one pool (or of one rule) with one taint that their claims don't tolerate.
struct TaintedUse {
  const DeviceTaintRule* rule = nullptr;  ///< null: the slice has the taint
  const Taint* taint = nullptr;
  std::vector<const DeviceRow*> rows;  ///< by device
  [[nodiscard]] std::size_t devices() const;
};

/// Of that effect, by rule or pool, then by key and value. Untolerated rows alone.
[[nodiscard]] std::vector<TaintedUse> tainted_uses(const Evidence& evidence, TaintEffect effect);

/// The toleration for the taint that lasts longest, or null.
[[nodiscard]] const Toleration* toleration_for(const DeviceRow& row, const Taint& taint);

/// About the taint, with the devices and where it comes from.
[[nodiscard]] Finding about_taint(const Rule& rule, const TaintedUse& use);

/// A rule in the dump need not be in force: its gate is off by default.
void as_sure_as_source(Finding& finding, const TaintedUse& use);

/// "key=value:NoExecute"
[[nodiscard]] std::string to_string(const Taint& taint);

[[nodiscard]] bool selects(const DeviceTaintRule& rule, const DeviceKey& key);

}  // namespace draudit
