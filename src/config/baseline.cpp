#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "draudit/config.hpp"
#include "report/json_writer.hpp"
#include "report/plain.hpp"

namespace draudit {
namespace {

constexpr std::string_view kBaselineMark = "draudit_baseline";
constexpr std::size_t kFingerprintDigits = 32;

void sort_baseline(Baseline& b) {
  const auto key = [](const KnownFinding& k) {
    return std::tie(k.rule, k.subject, k.node, k.fingerprint);
  };
  std::sort(b.begin(), b.end(),
            [&](const KnownFinding& x, const KnownFinding& y) { return key(x) < key(y); });
  b.erase(std::unique(b.begin(), b.end()), b.end());
}

/// Refuses depth as it comes: nlohmann's values may be as deep as the text is long.
nlohmann::json parsed(std::string_view text) {
  constexpr int kDeepest = 4;
  bool too_deep = false;
  const auto shallow = [&too_deep](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    too_deep = too_deep || depth > kDeepest;
    return depth <= kDeepest;
  };
  nlohmann::json out = nlohmann::json::parse(text, shallow, false);
  return too_deep ? nlohmann::json(nlohmann::json::value_t::discarded) : out;
}

}  // namespace

Baseline parse_baseline(std::string_view text, const std::string& file) {
  const auto fail = [&file](std::string_view what) {
    throw ConfigError(fmt::format("{}: {}", plain(file), what));
  };
  if (text.size() > kLargestBaseline) fail(fmt::format("it is above {} bytes", kLargestBaseline));
  const nlohmann::json json = parsed(text);
  if (!json.is_object() || !json.contains(kBaselineMark) || !json.contains("findings") ||
      !json["findings"].is_array()) {
    fail("it is no baseline; draudit baseline write makes one");
  }
  if (json[std::string{kBaselineMark}] != 1) {
    fail("it is a baseline of another version of draudit; draudit baseline write makes a new one");
  }
  Baseline out;
  std::size_t i = 0;
  for (const nlohmann::json& f : json["findings"]) {
    const auto member = [&](const char* name) {
      if (!f.is_object() || !f.contains(name) || !f[name].is_string()) {
        fail(fmt::format("findings[{}].{}: no text", i, name));
      }
      return f[name].get<std::string>();
    };
    KnownFinding known{member("fingerprint"), member("rule"), member("subject"), member("node")};
    if (known.fingerprint.size() != kFingerprintDigits ||
        known.fingerprint.find_first_not_of("0123456789abcdef") != std::string::npos) {
      fail(fmt::format("findings[{}].fingerprint: \"{}\" is no fingerprint", i,
                       plain(known.fingerprint)));
    }
    out.push_back(std::move(known));
    ++i;
  }
  sort_baseline(out);
  return out;
}

std::string baseline_text(const Baseline& baseline) {
  // A line each, for whoever reads the difference.
  std::string out = fmt::format("{{\n  \"{}\": 1,\n  \"findings\": [", kBaselineMark);
  bool first = true;
  for (const KnownFinding& k : baseline) {
    out += fmt::format(
        "{}\n    {{\"rule\": {}, \"subject\": {}, \"node\": {}, \"fingerprint\": {}}}",
        first ? "" : ",", json_string(valid_utf8(k.rule)), json_string(valid_utf8(k.subject)),
        json_string(valid_utf8(k.node)), json_string(valid_utf8(k.fingerprint)));
    first = false;
  }
  return out + (first ? "]\n}\n" : "\n  ]\n}\n");
}

Baseline baseline_of(const Result& result) {
  Baseline out;
  for (const Finding& f : result.run.findings) {
    if (f.waived && f.waived->by == WaivedBy::suppression) continue;
    out.push_back(
        {f.fingerprint, std::string{f.rule->id}, valid_utf8(f.subject.name), valid_utf8(f.node)});
  }
  sort_baseline(out);
  return out;
}

Baseline updated(const Baseline& old, const Result& result) {
  Baseline out = baseline_of(result);
  for (const KnownFinding& k : old) {
    const auto& unable = result.run.not_checkable;
    if (std::any_of(unable.begin(), unable.end(),
                    [&](const NotCheckable& n) { return n.rule->id == k.rule; })) {
      out.push_back(k);
    }
  }
  sort_baseline(out);
  return out;
}

}  // namespace draudit
