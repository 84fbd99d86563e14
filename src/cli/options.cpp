#include "cli/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "cli/choose.hpp"
#include "cli/output.hpp"
#include "report/plain.hpp"

namespace draudit {
namespace {

struct LimitRow {
  std::string_view flag;
  std::uint64_t least;
  std::uint64_t most;
  void (*set)(InputLimits& limits, std::uint64_t n);
};
constexpr std::uint64_t kAny = std::numeric_limits<std::int64_t>::max();
constexpr std::array kLimits = {
    LimitRow{"--max-bytes", 1, kAny, [](InputLimits& l, std::uint64_t n) { l.bytes = n; }},
    LimitRow{"--max-ratio", 1, kAny, [](InputLimits& l, std::uint64_t n) { l.ratio = n; }},
    LimitRow{"--max-members", 1, kAny, [](InputLimits& l, std::uint64_t n) { l.members = n; }},
    LimitRow{"--max-depth", 0, 16,
             [](InputLimits& l, std::uint64_t n) { l.depth = static_cast<std::uint32_t>(n); }},
    LimitRow{"--max-objects", 1, kAny, [](InputLimits& l, std::uint64_t n) { l.objects = n; }},
    // The parser's own limit is 4 GiB for one value.
    LimitRow{"--max-object", 1024, std::uint64_t{1} << 31,
             [](InputLimits& l, std::uint64_t n) { l.object_bytes = n; }},
};

void set_limit(InputLimits& limits, const std::string& flag, const std::string& value) {
  const auto n = Quantity::parse(value);
  for (const LimitRow& row : kLimits) {
    if (row.flag != flag) continue;
    const bool whole = n && *n == Quantity::of(n->value()) && n->value() >= 0;
    if (!whole || static_cast<std::uint64_t>(n->value()) < row.least ||
        static_cast<std::uint64_t>(n->value()) > row.most) {
      throw UsageError(fmt::format("{}: \"{}\" is no whole number from {} to {}, such as 64Mi",
                                   flag, value, row.least, row.most));
    }
    row.set(limits, static_cast<std::uint64_t>(n->value()));
  }
}

/// Seconds of "90s", "10m" or "2h".
std::int64_t grace_of(const std::string& name, const std::string& text) {
  std::int64_t n = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, n);
  constexpr std::int64_t kMostSeconds = 366 * 86'400;
  std::int64_t unit = 0;
  if (stop + 1 == end) unit = *stop == 's' ? 1 : *stop == 'm' ? 60 : *stop == 'h' ? 3600 : 0;
  if (error != std::errc{} || unit == 0 || n < 0 || n > kMostSeconds / unit) {
    throw UsageError(fmt::format("{}: \"{}\" is no time such as 90s, 10m or 2h, up to a year", name,
                                 plain(text)));
  }
  return n * unit;
}

std::pair<std::string, std::int64_t> node_capacity(const std::string& name,
                                                   const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageError(fmt::format("{}: \"{}\" is not NODE=N", name, text));
  }
  std::int64_t n = 0;
  const char* begin = text.data() + equals + 1;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, n);
  constexpr std::int64_t kMost = 1'000'000;
  if (error != std::errc{} || stop != end || n < 0 || n > kMost) {
    throw UsageError(
        fmt::format("{}: \"{}\" needs a whole number from 0 to {} after '='", name, text, kMost));
  }
  return {text.substr(0, equals), n};
}

}  // namespace

std::vector<std::string> limit_flags() {
  std::vector<std::string> out;
  out.reserve(kLimits.size());
  for (const LimitRow& row : kLimits) out.emplace_back(row.flag);
  return out;
}

ReadOptions read_options(const Arguments& args) {
  ReadOptions out;
  for (const auto& [flag, value] : args.limits) set_limit(out.limits, flag, value);
  out.paths = args.paths;
  out.complete = args.complete;
  out.allow_mixed = args.allow_mixed;
  for (const Output& o : outputs(args)) out.digests = out.digests || o.format->digests;
  return out;
}

AuditOptions audit_options(const Arguments& args) {
  AuditOptions out;
  const auto profile = [&args](const std::string& version) {
    const Profile* found = find_profile(version);
    if (found != nullptr) return found;
    std::string known;
    for (const Profile& p : profiles()) known += fmt::format(" {}", p.version);
    throw UsageError(fmt::format("{}: \"{}\" is no version; lines that differ:{}",
                                 named(args, "kai-version"), version, known));
  };
  const auto name = [](const std::string& version) {
    return version.starts_with('v') ? version : 'v' + version;
  };
  if (!args.kai_versions.empty()) {
    out.naive = profile(args.kai_versions.front());
    out.naive_version = name(args.kai_versions.front());
  }
  if (args.kai_versions.size() > 1) {
    out.corrected = profile(args.kai_versions[1]);
    out.corrected_version = name(args.kai_versions[1]);
  }
  if (!args.now.empty()) {
    out.now = parse_timestamp(args.now);
    if (!out.now) {
      throw UsageError(
          fmt::format("--now: \"{}\" is no time such as 2026-12-01T05:13:19Z", args.now));
    }
  }
  for (const std::string& c : args.capacity) {
    out.capacity.insert(node_capacity(named(args, "capacity"), c));
  }
  struct GraceRow {
    std::string_view key;
    std::string Arguments::*text;
    std::int64_t Grace::*seconds;
  };
  static constexpr std::array kGraces = {
      GraceRow{"grace.reservation", &Arguments::grace_reservation, &Grace::reservation},
      GraceRow{"grace.generation", &Arguments::grace_generation, &Grace::generation},
      GraceRow{"grace.deletion", &Arguments::grace_deletion, &Grace::deletion},
      GraceRow{"grace.binding", &Arguments::grace_binding, &Grace::binding}};
  for (const GraceRow& g : kGraces) {
    if (!(args.*(g.text)).empty())
      out.grace.*(g.seconds) = grace_of(named(args, g.key), args.*(g.text));
  }
  out.gpu_drivers = args.gpu_drivers;
  out.reservation_label = args.reservation_label;
  const std::size_t equals = args.node_pool.find('=');
  out.node_pool_key = args.node_pool.substr(0, equals);
  if (equals != std::string::npos) out.node_pool_value = args.node_pool.substr(equals + 1);
  return out;
}

FailOn fail_on_of(const Arguments& args) {
  static constexpr std::array kWords = {
      Choice<FailOn>{"error", FailOn::error}, Choice<FailOn>{"warning", FailOn::warning},
      Choice<FailOn>{"note", FailOn::note}, Choice<FailOn>{"never", FailOn::never}};
  return choose(named(args, "fail-on"), args.fail_on, kWords);
}

Certainty min_certainty_of(const Arguments& args) {
  static constexpr std::array kWords = {Choice<Certainty>{"certain", Certainty::certain},
                                        Choice<Certainty>{"likely", Certainty::likely},
                                        Choice<Certainty>{"possible", Certainty::possible}};
  return choose(named(args, "min-certainty"), args.min_certainty, kWords);
}

std::string named(const Arguments& args, std::string_view key) {
  const auto it = args.origins.find(key);
  if (it == args.origins.end() || it->second == "default") return fmt::format("--{}", key);
  // A flag or a variable says it all; a line of a file does not.
  return it->second.find(':') == std::string::npos ? it->second
                                                   : fmt::format("{}: {}", it->second, key);
}

bool use_color(const Arguments& args, const Io& io, bool to_stdout) {
  static constexpr std::array kWords = {Choice<Color>{"auto", Color::automatic},
                                        Choice<Color>{"always", Color::always},
                                        Choice<Color>{"never", Color::never}};
  switch (choose("--color", args.color, kWords)) {
    case Color::always: return true;
    case Color::never: return false;
    case Color::automatic: break;
  }
  const auto env = [&io](std::string_view name) {
    return io.env ? io.env(name).value_or("") : std::string{};
  };
  if (!env("NO_COLOR").empty()) return false;
  if (const std::string force = env("CLICOLOR_FORCE"); !force.empty() && force != "0") return true;
  if (env("CLICOLOR") == "0") return false;
  return io.out_is_terminal && to_stdout && env("TERM") != "dumb";
}

bool use_ascii(const Arguments& args, const Io& io) {
  if (args.ascii) return true;
  for (const std::string_view name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string locale = io.env ? io.env(name).value_or("") : std::string{};
    if (!locale.empty()) return locale == "C" || locale == "POSIX";
  }
  return false;
}

}  // namespace draudit
