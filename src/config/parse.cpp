#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "config/tree.hpp"
#include "draudit/config.hpp"
#include "model/suggest.hpp"
#include "report/plain.hpp"

namespace draudit {
namespace {

constexpr std::string_view kRulesKey = "rules";
constexpr std::string_view kSuppressionsKey = "suppressions";

class ConfigParser {
 public:
  ConfigParser(const std::string& file, std::span<const SettingKey> keys)
      : file_(file), keys_(keys) {}

  ConfigFile read(const Tree& root) {
    if (root.type == Tree::Type::null) return std::move(out_);
    if (root.type != Tree::Type::map) fail(root, {}, "no map of keys and values");
    section(root, {});
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const Tree& at, std::string_view key, std::string_view what) const {
    throw ConfigError(
        fmt::format("{}: {}{}{}", place(at), plain(key), key.empty() ? "" : ": ", what));
  }
  [[nodiscard]] std::string place(const Tree& at) const {
    return fmt::format("{}:{}", plain(file_), std::max<std::size_t>(at.line, 1));
  }

  /// Settings, and the keys below a key such as "grace".
  void section(const Tree& map, const std::string& prefix) {
    for (const auto& [name, value] : map.members) {
      const std::string key = prefix + name;
      if (key == kRulesKey) {
        rules(value);
      } else if (key == kSuppressionsKey) {
        suppressions(value);
      } else if (const SettingKey* known = find(key)) {
        setting(*known, value);
      } else if (is_section(key)) {
        if (value.type != Tree::Type::map) fail(value, key, "no map of keys and values");
        section(value, key + '.');
      } else {
        fail(value, key, unknown(key));
      }
    }
  }

  [[nodiscard]] const SettingKey* find(std::string_view key) const {
    const auto it =
        std::find_if(keys_.begin(), keys_.end(), [&](const SettingKey& k) { return k.key == key; });
    return it == keys_.end() ? nullptr : &*it;
  }
  [[nodiscard]] bool is_section(const std::string& key) const {
    return std::any_of(keys_.begin(), keys_.end(),
                       [&](const SettingKey& k) { return k.key.starts_with(key + '.'); });
  }
  [[nodiscard]] std::string unknown(std::string_view key) const {
    std::vector<std::string> known = {std::string{kRulesKey}, std::string{kSuppressionsKey}};
    for (const SettingKey& k : keys_) known.emplace_back(k.key.substr(0, k.key.find('.')));
    for (const SettingKey& k : keys_) known.emplace_back(k.key);
    return one_of(key, known, "an unknown key");
  }
  static std::string one_of(std::string_view word, const std::vector<std::string>& known,
                            std::string_view what) {
    const std::string hint = did_you_mean(word, known);
    if (!hint.empty()) return fmt::format("{}{}", what, hint);
    std::vector<std::string> each;  // once
    for (const std::string& k : known) {
      if (k.find('.') == std::string::npos &&
          std::find(each.begin(), each.end(), k) == each.end()) {
        each.push_back(k);
      }
    }
    return fmt::format("{}; there are {}", what, fmt::join(each, ", "));
  }

  void setting(const SettingKey& known, const Tree& value) {
    FileSetting out{{}, place(value)};
    switch (known.shape) {
      case SettingShape::word: out.values.push_back(text(value, known.key)); break;
      case SettingShape::words:
        if (value.type != Tree::Type::list) fail(value, known.key, "no list");
        for (const Tree& item : value.items) out.values.push_back(text(item, known.key));
        break;
      case SettingShape::map:
        if (value.type != Tree::Type::map) fail(value, known.key, "no map of names and values");
        for (const auto& [name, item] : value.members) {
          out.values.push_back(fmt::format("{}={}", name, text(item, known.key)));
        }
        break;
    }
    out_.settings.emplace(known.key, std::move(out));
  }

  [[nodiscard]] std::string text(const Tree& value, std::string_view key) const {
    if (value.type != Tree::Type::text || value.text.empty()) fail(value, key, "no text");
    return value.text;
  }

  [[nodiscard]] const Rule* rule(const Tree& at, std::string_view key,
                                 std::string_view name) const {
    const Rule* found = find_rule(name);
    if (found == nullptr) fail(at, key, no_rule(name));
    return found;
  }

  void rules(const Tree& map) {
    if (map.type != Tree::Type::map) fail(map, kRulesKey, "no map of rules and severities");
    for (const auto& [name, value] : map.members) {
      const std::string key = fmt::format("{}.{}", kRulesKey, name);
      const Rule* found = rule(value, kRulesKey, name);
      static constexpr std::array kSeverities = {Severity::note, Severity::warning,
                                                 Severity::error};
      const std::string word = text(value, key);
      RuleTuning tuning{std::nullopt, place(value)};
      for (const Severity s : kSeverities) {
        if (to_string(s) == word) tuning.severity = s;
      }
      if (!tuning.severity && word != "off") {
        fail(value, key,
             one_of(word, {"error", "warning", "note", "off"},
                    fmt::format("\"{}\" is no severity", plain(word))));
      }
      if (!out_.rules.emplace(found, tuning).second) {
        fail(value, key, "the rule is there twice, by id and by name");
      }
    }
  }

  void suppressions(const Tree& list) {
    if (list.type == Tree::Type::null) return;
    if (list.type != Tree::Type::list) fail(list, kSuppressionsKey, "no list");
    for (const Tree& item : list.items) suppression(item);
  }

  void suppression(const Tree& item) {
    if (item.type != Tree::Type::map) fail(item, kSuppressionsKey, "no map of keys and values");
    struct Row {
      std::string_view key;
      std::string Suppression::*into;
    };
    static constexpr std::array kRows = {
        Row{"node", &Suppression::node},       Row{"object", &Suppression::object},
        Row{"device", &Suppression::device},   Row{"reason", &Suppression::reason},
        Row{"expires", &Suppression::expires}, Row{"owner", &Suppression::owner}};
    Suppression out;
    out.place = place(item);
    for (const auto& [key, value] : item.members) {
      const std::string full = fmt::format("{}.{}", kSuppressionsKey, key);
      if (key == "rule") {
        out.rule = rule(value, full, text(value, full));
        continue;
      }
      const auto* row = std::find_if(kRows.data(), kRows.data() + kRows.size(),
                                     [&name = key](const Row& r) { return r.key == name; });
      if (row == kRows.data() + kRows.size()) {
        std::vector<std::string> known = {"rule"};
        for (const Row& r : kRows) known.emplace_back(r.key);
        fail(value, full, one_of(key, known, "an unknown key"));
      }
      out.*(row->into) = text(value, full);
    }
    if (out.rule == nullptr) fail(item, kSuppressionsKey, "no rule; name the one it is for");
    if (out.node.empty() && out.object.empty() && out.device.empty()) {
      fail(item, kSuppressionsKey,
           "no node, object or device; a rule that is never wanted is \"off\" below rules");
    }
    if (out.reason.empty()) fail(item, kSuppressionsKey, "no reason; say why it may be");
    if (out.expires.empty()) {
      fail(item, kSuppressionsKey, "no expires; name its last day, such as 2027-01-31");
    }
    out.end = end_of(*item.find("expires"), out.expires);
    out_.suppressions.push_back(std::move(out));
  }

  [[nodiscard]] Timestamp end_of(const Tree& at, const std::string& written) const {
    if (const auto moment = parse_timestamp(written)) return *moment;
    const auto day = parse_timestamp(written + "T23:59:59.999999999Z");
    if (written.size() != 10 || !day) {
      fail(at, "suppressions.expires",
           fmt::format("\"{}\" is no day such as 2027-01-31", plain(written)));
    }
    return {day->nanoseconds + 1};
  }

  const std::string& file_;
  std::span<const SettingKey> keys_;
  ConfigFile out_;
};

}  // namespace

ConfigFile parse_config(std::string_view text, const std::string& file,
                        std::span<const SettingKey> keys) {
  return ConfigParser(file, keys).read(parse_tree(text, file));
}

}  // namespace draudit
