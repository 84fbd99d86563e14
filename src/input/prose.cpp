#include "input/prose.hpp"

#include <algorithm>
#include <array>

namespace draudit {
namespace {

constexpr std::string_view kLogHead = "==== START logs for container ";
constexpr std::string_view kLogFoot = "==== END logs for container ";

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view first_line(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

/// "I1201 05:13:19.123456    4711 memcache.go:265] …"
bool is_klog(std::string_view line) {
  constexpr std::string_view kLike = "E0000 00:00:00.";
  if (line.size() < kLike.size()) return false;
  if (std::string_view{"IWEF"}.find(line[0]) == std::string_view::npos) return false;
  for (std::size_t i = 1; i < kLike.size(); ++i) {
    if (kLike[i] == '0' ? !is_digit(line[i]) : line[i] != kLike[i]) return false;
  }
  return true;
}

bool is_error(std::string_view line) {
  static constexpr std::array kLeads = {
      std::string_view{"Error from server"},
      std::string_view{"error: "},
      std::string_view{"Error: "},
      std::string_view{"Unable to connect to the server"},
      std::string_view{"The connection to the server "},
  };
  return std::any_of(kLeads.begin(), kLeads.end(),
                     [line](std::string_view lead) { return line.starts_with(lead); });
}

/// "NAMESPACE   NAME   READY": capitals in columns.
bool is_table_head(std::string_view line) {
  if (!line.starts_with("NAME") || line.find("  ") == std::string_view::npos) {
    return line == "NAME";
  }
  return std::none_of(line.begin(), line.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

/// "pod/web", "resourceclaim.resource.k8s.io/gpu"
bool is_name(std::string_view line) {
  const std::size_t slash = line.find('/');
  if (slash == 0 || slash == std::string_view::npos || slash + 1 == line.size()) return false;
  return std::all_of(line.begin(), line.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || is_digit(c) || c == '.' || c == '-' || c == '/' || c == ':';
  });
}

/// A line that only a document of Kubernetes begins with.
bool begins_yaml(std::string_view line) {
  const auto is_key = [](std::string_view text) {
    static constexpr std::array kKeys = {
        std::string_view{"apiVersion"}, std::string_view{"kind"}, std::string_view{"items"},
        std::string_view{"metadata"},   std::string_view{"spec"}, std::string_view{"status"},
        std::string_view{"object"},     std::string_view{"type"}, std::string_view{"listMeta"},
        std::string_view{"rawObjects"},
    };
    for (const std::string_view key : kKeys) {
      std::string_view rest = text;
      const bool quoted = rest.starts_with('"') || rest.starts_with('\'');
      if (quoted) rest.remove_prefix(1);
      if (!rest.starts_with(key)) continue;
      rest.remove_prefix(key.size());
      if (quoted && !rest.empty()) rest.remove_prefix(1);
      if (rest == ":" || rest.starts_with(": ")) return true;
    }
    return false;
  };
  if (line == "---" || line.starts_with("--- ") || line.starts_with("%YAML ")) return true;
  if (line.starts_with("- ")) {
    line.remove_prefix(std::min(line.find_first_not_of(' ', 1), line.size()));
  }
  return is_key(line);
}

}  // namespace

bool is_tool_prose(std::string_view line) {
  line = first_line(line);
  return line.starts_with(kLogHead) || line.starts_with("Warning: ") || is_error(line) ||
         is_klog(line);
}

bool skip_prose(Scanner& in, std::string_view line, Prose& into) {
  const Position from = in.position();
  line = first_line(line);
  bool closed = true;
  const bool log = line.starts_with(kLogHead);
  if (into.said.empty() && is_error(line)) {
    constexpr std::size_t kMost = 200;
    std::size_t cut = std::min(line.size(), kMost);
    while (cut > 0 && cut < line.size() &&
           (static_cast<unsigned char>(line[cut]) & 0xC0U) == 0x80U) {
      --cut;
    }
    into.said = line.substr(0, cut);
  }
  if (log) closed = in.skip_past(kLogFoot);
  in.skip_line();
  const Position to = in.position();
  into.lines += std::max<std::uint64_t>(1, to.line - from.line);
  into.bytes += to.offset - from.offset;
  return closed;
}

bool begins_json(std::string_view text) {
  if (text.empty()) return false;
  if (text.front() == '{') return true;
  if (text.front() != '[') return false;
  const std::size_t next = text.find_first_not_of(" \t\r\n", 1);
  return next == std::string_view::npos ||
         std::string_view{"{[]\""}.find(text[next]) != std::string_view::npos;
}

Shape shape_of(std::string_view start) {
  Shape shape = Shape::empty;
  while (!start.empty()) {
    const std::size_t end = std::min(start.find('\n'), start.size());
    const std::size_t solid = start.find_first_not_of(" \t\r\n");
    if (solid == std::string_view::npos) break;
    if (solid > end) {
      start.remove_prefix(end + 1);
      continue;
    }
    const std::string_view rest = start.substr(solid);
    const std::string_view line = first_line(rest);
    if (begins_json(rest)) return Shape::json;
    if (begins_yaml(line)) return Shape::yaml;
    // The rest of a value whose start is missing is no text.
    if (shape == Shape::empty &&
        std::string_view{"}],\":"}.find(line.front()) != std::string_view::npos) {
      return Shape::json;
    }
    if (shape == Shape::empty && !line.starts_with('#')) {
      shape = is_table_head(line) ? Shape::table : is_name(line) ? Shape::names : Shape::text;
    }
    start.remove_prefix(std::min(end + 1, start.size()));
  }
  return shape;
}

std::string_view advice_on(Shape shape) {
  switch (shape) {
    case Shape::table:
      return "that is a table for people, which lacks most of what is needed; write -o json behind "
             "the same kubectl command";
    case Shape::names: return "these are names alone; write -o json instead of -o name";
    case Shape::empty:
    case Shape::json:
    case Shape::yaml:
    case Shape::text: break;
  }
  return {};
}

}  // namespace draudit
