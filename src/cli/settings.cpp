#include "cli/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/choose.hpp"
#include "report/plain.hpp"

namespace draudit {
namespace {

constexpr std::string_view kConfigName = ".draudit.yaml";
constexpr std::size_t kMostLevels = 64;  ///< folders above the working directory

/// One row of the one table of settings. The flag is "--" and the key; the variable is DRAUDIT_
/// and the key in capitals.
struct Setting {
  std::string_view key;
  SettingShape shape;
  std::string Arguments::*word;
  std::vector<std::string> Arguments::*words;
  std::string_view fallback;
};
constexpr std::array kSettings = {
    Setting{"fail-on", SettingShape::word, &Arguments::fail_on, nullptr, "error"},
    Setting{"min-certainty", SettingShape::word, &Arguments::min_certainty, nullptr, "possible"},
    Setting{"suppressions-file", SettingShape::word, &Arguments::suppressions, nullptr, ""},
    Setting{"baseline", SettingShape::word, &Arguments::baseline, nullptr, ""},
    Setting{"kai-version", SettingShape::word, nullptr, &Arguments::kai_versions, ""},
    Setting{"capacity", SettingShape::map, nullptr, &Arguments::capacity, ""},
    Setting{"gpu-driver", SettingShape::words, nullptr, &Arguments::gpu_drivers, ""},
    Setting{"node-pool", SettingShape::word, &Arguments::node_pool, nullptr, ""},
    Setting{"reservation-label", SettingShape::word, &Arguments::reservation_label, nullptr,
            "kai-resource-reservation"},
    Setting{"grace.reservation", SettingShape::word, &Arguments::grace_reservation, nullptr, "60s"},
    Setting{"grace.generation", SettingShape::word, &Arguments::grace_generation, nullptr, "5m"},
    Setting{"grace.deletion", SettingShape::word, &Arguments::grace_deletion, nullptr, "15m"},
    Setting{"grace.binding", SettingShape::word, &Arguments::grace_binding, nullptr, "10m"},
};

/// Flags whose name is not that of the key.
std::string flag_of(std::string_view key) {
  return key == "suppressions-file" ? "--suppressions" : fmt::format("--{}", key);
}

std::string variable_of(std::string_view key) {
  std::string out = "DRAUDIT_";
  for (const char c : key) {
    out += c == '-' || c == '.' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return out;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

std::string read_small(const std::string& path, std::size_t most, Io& io) {
  std::string out;
  std::vector<char> buffer(std::size_t{1} << 16);
  try {
    const std::unique_ptr<ByteSource> file = io.files.open(path);
    while (const std::size_t n = file->read(buffer)) {
      out.append(buffer.data(), n);
      if (out.size() > most) break;  // refused by whoever parses it
    }
  } catch (const IoError& e) {
    throw UsageError(fmt::format("{}: {}", plain(path), e.what()));
  }
  return out;
}

/// From the working directory upward to the root of the repository. Outside of one it is the
/// working directory's alone: a folder above it, such as /tmp, may be anybody's.
std::string find_config(Io& io) {
  std::string found;
  std::string up;
  for (std::size_t level = 0; level < kMostLevels; ++level, up += "../") {
    if (found.empty() && io.files.exists(up + std::string{kConfigName})) {
      found = up + std::string{kConfigName};
      if (level == 0) return found;
    }
    if (io.files.exists(up + ".git")) return found;
  }
  return {};
}

std::vector<SettingKey> file_keys() {
  std::vector<SettingKey> out;
  out.reserve(kSettings.size());
  for (const Setting& s : kSettings) out.push_back({s.key, s.shape});
  return out;
}

void put(Arguments& args, const Setting& s, const std::vector<std::string>& values,
         std::string from) {
  if (s.word != nullptr) {
    args.*(s.word) = values.front();
  } else {
    args.*(s.words) = values;
  }
  args.origins[std::string{s.key}] = std::move(from);
}

/// A path in a configuration file is one beside that file.
std::string beside(const std::string& file, const std::string& path) {
  if (path.starts_with('/')) return path;
  return file.substr(0, file.rfind('/') + 1) + path;
}

std::string variable(const Io& io, const std::string& name) {
  return io.env ? io.env(name).value_or("") : std::string{};
}

}  // namespace

void settle(Arguments& args, Io& io) {
  try {
    const std::vector<SettingKey> keys = file_keys();
    std::string file = args.config;
    if (file.empty()) file = variable(io, "DRAUDIT_CONFIG");
    if (file.empty()) file = find_config(io);
    ConfigFile config;
    if (!file.empty()) config = parse_config(read_small(file, kLargestConfig, io), file, keys);
    for (const Setting& s : kSettings) {
      const std::string key{s.key};
      if (args.given.contains(flag_of(key))) {
        args.origins[key] = flag_of(key);
        continue;
      }
      if (const std::string value = variable(io, variable_of(key)); !value.empty()) {
        put(args, s,
            s.shape == SettingShape::word ? std::vector<std::string>{value}
                                          : split_at_commas(value),
            variable_of(key));
      } else if (const auto it = config.settings.find(key); it != config.settings.end()) {
        std::vector<std::string> values = it->second.values;
        if (key == "suppressions-file" || key == "baseline") values[0] = beside(file, values[0]);
        put(args, s, values, it->second.place);
      } else if (s.word != nullptr) {
        put(args, s, {std::string{s.fallback}}, "default");
      } else {
        args.origins[key] = "default";
      }
    }
    args.tuning.config_file = file;
    args.tuning.rules = std::move(config.rules);
    args.tuning.suppressions = std::move(config.suppressions);
    if (const std::string& more = args.suppressions; !more.empty()) {
      ConfigFile own = parse_config(read_small(more, kLargestConfig, io), more, {});
      if (!own.rules.empty()) {
        throw UsageError(fmt::format("{}: rules: it is for suppressions alone; {} takes rules",
                                     plain(more), kConfigName));
      }
      for (Suppression& s : own.suppressions) args.tuning.suppressions.push_back(std::move(s));
    }
    args.tuning.min_certainty = min_certainty_of(args);
    // What draudit baseline writes is made from scratch, or from what that file says.
    std::string known = args.baseline;
    if (!args.baseline_target.empty()) known = args.node == "update" ? args.baseline_target : "";
    if (!known.empty()) {
      args.tuning.baseline_file = known;
      args.tuning.baseline = parse_baseline(read_small(known, kLargestBaseline, io), known);
    }
  } catch (const ConfigError& e) {
    throw UsageError(e.what());
  }
}

std::vector<SettledValue> settled_values(const Arguments& args) {
  std::vector<SettledValue> out;
  for (const Setting& s : kSettings) {
    const std::string value =
        s.word != nullptr ? args.*(s.word) : fmt::format("{}", fmt::join(args.*(s.words), " "));
    out.push_back({std::string{s.key}, value, args.origins.at(std::string{s.key})});
  }
  for (const Rule* rule : rules()) {
    const auto it = args.tuning.rules.find(rule);
    if (it == args.tuning.rules.end()) continue;
    out.push_back({fmt::format("rules.{}", rule->name),
                   std::string{it->second.severity ? to_string(*it->second.severity) : "off"},
                   it->second.place});
  }
  return out;
}

}  // namespace draudit
