#include "draudit/profile.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace draudit {
namespace {

struct Version {
  std::uint32_t major = 0, minor = 0, patch = 0;
  friend auto operator<=>(const Version&, const Version&) = default;
};

struct Row {
  Version from;
  Profile profile;
};

// Each row reaches up to the next. Columns in the order of Profile.
constexpr std::array kRows = {
    //                            dra    dedup  zero   skip   stuck  sufcap sufreq sidecars
    Row{{0, 0, 0},
        {"v0.12.0", "no DRA accounting", false, false, false, false, false, false, false, false}},
    Row{{0, 13, 0},
        {"v0.13.0", "DRA, once per pod", true, false, false, false, false, false, false, false}},
    Row{{0, 14, 0},
        {"v0.14.0", "DRA, once per pod; …gpu resources overwrite", true, false, false, false, false,
         true, true, false}},
    Row{{0, 14, 6},
        {"v0.14.6", "as v0.14.0, with sidecars", true, false, false, false, false, true, true,
         true}},
    Row{{0, 15, 0},
        {"v0.15.0", "DRA, once per pod; stuck pods stop releasing", true, false, false, false, true,
         true, false, false}},
    Row{{0, 15, 3},
        {"v0.15.3", "as v0.15.0, with sidecars", true, false, false, false, true, true, false,
         true}},
    Row{{0, 16, 0}, {"v0.16.0", "as v0.15.3", true, false, false, false, true, true, false, true}},
    Row{{0, 17, 0},
        {"v0.17.0", "stock: DRA, once per pod; zeroing; extended-resource claims", true, false,
         true, true, true, true, false, true}},
    Row{{0, 17, 1},
        {"v0.17.1", "fixed: each device once a node", true, true, true, true, true, true, false,
         true}},
};

constexpr Profile kBackport = {
    "v0.16+dedup", "v0.16 with the fix carried back", true, true, false, false, true, true, false,
    true};

constexpr auto kProfiles = [] {
  std::array<Profile, kRows.size()> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = kRows[i].profile;
  return out;
}();

bool read_number(std::string_view& text, std::uint32_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

std::optional<Version> parse(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  Version v;
  if (!read_number(text, v.major) || !text.starts_with('.')) return std::nullopt;
  text.remove_prefix(1);
  if (!read_number(text, v.minor)) return std::nullopt;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (!read_number(text, v.patch)) return std::nullopt;
  }
  // "-rc1", "+build": what follows a version proper does not change the line.
  if (!text.empty() && text.front() != '-' && text.front() != '+') return std::nullopt;
  return v;
}

}  // namespace

std::span<const Profile> profiles() { return kProfiles; }

const Profile* find_profile(std::string_view version) {
  if (version == kBackport.version) return &kBackport;
  const auto v = parse(version);
  if (!v) return nullptr;
  std::size_t row = 0;
  while (row + 1 < kRows.size() && kRows[row + 1].from <= *v) ++row;
  return &kProfiles[row];
}

bool may_have_fix(std::string_view version) {
  const auto v = parse(version);
  return v && v->major == 0 && (v->minor == 14 || v->minor == 16) && v->patch >= 9;
}

const Profile& stock_profile() { return kProfiles[kProfiles.size() - 2]; }
const Profile& fixed_profile() { return kProfiles.back(); }

}  // namespace draudit
