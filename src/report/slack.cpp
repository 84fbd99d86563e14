#include <fmt/format.h>

#include <algorithm>

#include "report/gate.hpp"
#include "report/renderers.hpp"

namespace draudit {
namespace {

constexpr std::size_t kSlackBytes = 39'000;  // Slack cuts a message of more than 40,000 characters
constexpr std::size_t kColumns = 80;
constexpr std::size_t kLine = 2'000;  // bytes of one line

/// Slack's own three entities; a backtick could end the block.
std::string safe(std::string_view line) {
  std::string out;
  for (const char c : line) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '`': out += '\''; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace

std::string slack_report(const Report& report, const FormatOptions& options) {
  const std::string text =
      text_report(report, {.all = options.all, .quiet = options.quiet, .columns = kColumns});
  std::string out = "```\n";
  std::size_t left_out = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string line = safe(shortened(std::string{rest.substr(0, end)}, kLine)) + '\n';
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (left_out > 0 || out.size() + line.size() > kSlackBytes) {
      ++left_out;
    } else {
      out += line;
    }
  }
  if (left_out > 0) out += fmt::format("and {} more lines\n", left_out);
  return out + "```\n";
}

}  // namespace draudit
