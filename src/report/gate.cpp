#include "report/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/plain.hpp"
#include "report/words.hpp"

namespace draudit {

std::string repository_path(std::string_view file) {
  if (file == "-" || file.empty()) return "stdin.json";
  std::vector<std::string_view> parts;
  while (!file.empty()) {
    const std::size_t end = std::min(file.find('/'), file.size());
    const std::string_view part = file.substr(0, end);
    if (part == ".." && !parts.empty()) {
      parts.pop_back();
    } else if (!part.empty() && part != "." && part != "..") {
      parts.push_back(part);
    }
    file.remove_prefix(std::min(end + 1, file.size()));
  }
  std::string out;
  for (const std::string_view part : parts) {
    out += fmt::format("{}{}", out.empty() ? "" : "/", plain(part));
  }
  return out.empty() ? "stdin.json" : out;
}

std::string repository_uri(std::string_view file) {
  constexpr std::string_view kKept =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/!";
  std::string out;
  for (const char c : repository_path(file)) {
    if (kKept.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

Report::Place place_of(const Report& report, const Report::Finding& finding) {
  if (finding.subject.location) return *finding.subject.location;
  for (const Report::Object& o : finding.objects) {
    if (o.location) return *o.location;
  }
  return {report.inputs.empty() ? "-" : report.inputs.front().name, 1, 1, 0, 0};
}

Report::Place place_of(const Report&, const Report::Problem& problem) {
  return {problem.file, std::max<std::uint64_t>(problem.line, 1),
          std::max<std::uint64_t>(problem.column, 1), 0, 0};
}

std::string message_of(const Report::Finding& f) {
  std::string out = plain(f.message);
  if (f.certainty != Certainty::certain) {
    out += fmt::format(" ({}: {})", to_string(f.certainty), plain(f.why_not_certain));
  }
  if (f.waived) out += fmt::format(" ({})", waived_text(*f.waived));
  return out + fmt::format(". Mend: {}", plain(f.mend));
}

std::string shortened(std::string text, std::size_t bytes) {
  constexpr std::string_view kCut = "…";
  if (text.size() <= bytes) return text;
  std::size_t end = bytes - kCut.size();
  // Not in the middle of a character.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
  text.resize(end);
  text += kCut;
  return text;
}

std::string xml(std::string_view text) {
  std::string out;
  for (const char c : plain(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&apos;"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace draudit
