// Whatever a configuration or a baseline holds: it is read, or refused with a message. What was
// read of a baseline comes out as it went in.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "draudit/config.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using draudit::SettingKey;
  using draudit::SettingShape;
  static constexpr std::array kKeys = {
      SettingKey{"fail-on", SettingShape::word}, SettingKey{"gpu-driver", SettingShape::words},
      SettingKey{"capacity", SettingShape::map}, SettingKey{"grace.binding", SettingShape::word}};
  const std::string text(data, data + size);
  try {
    const draudit::ConfigFile config = draudit::parse_config(text, "f", kKeys);
    for (const draudit::Suppression& s : config.suppressions) {
      if (s.rule == nullptr || s.reason.empty() || s.expires.empty()) std::abort();
      (void)draudit::fits_pattern(s.node, s.object);
    }
    for (const auto& [key, setting] : config.settings) {
      if (setting.place.empty()) std::abort();
    }
  } catch (const draudit::ConfigError& e) {
    if (std::string{e.what()}.empty()) std::abort();
  }
  try {
    const std::string once = draudit::baseline_text(draudit::parse_baseline(text, "f"));
    if (draudit::baseline_text(draudit::parse_baseline(once, "f")) != once) std::abort();
  } catch (const draudit::ConfigError& e) {
    if (std::string{e.what()}.empty()) std::abort();
  }
  return 0;
}
