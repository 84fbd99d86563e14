#include <fmt/format.h>

#include <algorithm>

#include "cli/choose.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/pages.hpp"
#include "draudit/cli.hpp"
#include "report/json_writer.hpp"

namespace draudit {
namespace {

std::string rules_as_text() {
  std::size_t widest = 0;
  for (const Rule* r : rules()) widest = std::max(widest, r->name.size());
  std::string out;
  for (const Rule* r : rules()) {
    out += fmt::format("{}  {:<{}}  {:<7}  {}\n", r->id, r->name, widest, to_string(r->severity),
                       r->summary);
  }
  return out;
}

std::string rules_as_json() {
  JsonWriter w;
  w.value(rule_infos());
  return w.take() + '\n';
}

std::string rules_as_markdown() {
  std::string out = "| id | name | severity | finds |\n|---|---|---|---|\n";
  for (const Rule* r : rules()) {
    out +=
        fmt::format("| {} | {} | {} | {} |\n", r->id, r->name, to_string(r->severity), r->summary);
  }
  return out;
}

}  // namespace

int rules_command(const Arguments& args, Io& io) {
  using Render = std::string (*)();
  static constexpr std::array kWords = {Choice<Render>{"text", rules_as_text},
                                        Choice<Render>{"json", rules_as_json},
                                        Choice<Render>{"markdown", rules_as_markdown}};
  if (args.formats.size() > 1) throw UsageError("--format: one here");
  const std::string format = args.formats.empty() ? "text" : args.formats.front();
  deliver_text(args, io, choose("--format", format, kWords)());
  return kExitClean;
}

int explain_command(const Arguments& args, Io& io) {
  std::string upper = args.node;
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  const Rule* rule = find_rule(args.node);
  if (rule == nullptr) rule = find_rule(upper);
  if (rule == nullptr) throw UsageError(no_rule(args.node));
  deliver_text(args, io, rule_page(rule->id));
  return kExitClean;
}

}  // namespace draudit
