#include <fmt/format.h>

#include "cli/choose.hpp"
#include "cli/commands.hpp"
#include "draudit/cli.hpp"

namespace draudit {
namespace {

std::string command_names() {
  std::vector<std::string> out;
  for (const CommandWords& c : command_words()) out.push_back(c.name);
  return fmt::format("{}", fmt::join(out, " "));
}

/// What stands behind a command beside its flags, if it is one of some words.
std::vector<std::string> words_behind(std::string_view command) {
  if (command == "completion") return {"bash", "zsh", "fish"};
  if (command == "baseline") return {"write", "update"};
  std::vector<std::string> out;
  if (command == "explain") {
    for (const Rule* r : rules()) out.emplace_back(r->name);
  }
  return out;
}

std::string bash_completion() {
  std::string out = fmt::format("# draudit completion bash >/etc/bash_completion.d/draudit\n"
                                "_draudit() {{\n"
                                "  local current=${{COMP_WORDS[COMP_CWORD]}} words=\n"
                                "  COMPREPLY=()\n"
                                "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                                "    words='{} help'\n"
                                "  else\n"
                                "    case ${{COMP_WORDS[1]}}:$current in\n",
                                command_names());
  for (const CommandWords& c : command_words()) {
    out += fmt::format("      {}:-*) words='{}' ;;\n", c.name, fmt::join(c.flags, " "));
    const std::vector<std::string> behind = words_behind(c.name);
    if (behind.empty()) continue;
    out += fmt::format("      {}:*) [ \"$COMP_CWORD\" -gt 2 ] || words='{}' ;;\n", c.name,
                       fmt::join(behind, " "));
  }
  return out + "    esac\n"
               "  fi\n"
               "  local word\n"
               "  while read -r word; do COMPREPLY+=(\"$word\"); done "
               "< <(compgen -W \"$words\" -- \"$current\")\n"
               "}\n"
               "complete -o default -F _draudit draudit\n";
}

std::string zsh_completion() {
  std::string out = fmt::format("#compdef draudit\n"
                                "# draudit completion zsh >\"${{fpath[1]}}/_draudit\"\n"
                                "_draudit() {{\n"
                                "  if (( CURRENT == 2 )); then\n"
                                "    compadd -- {} help\n"
                                "    return\n"
                                "  fi\n"
                                "  case ${{words[2]}}:${{words[CURRENT]}} in\n",
                                command_names());
  for (const CommandWords& c : command_words()) {
    out += fmt::format("    {}:-*) compadd -- {} ;;\n", c.name, fmt::join(c.flags, " "));
    const std::vector<std::string> behind = words_behind(c.name);
    if (behind.empty()) continue;
    out += fmt::format("    {}:*) (( CURRENT > 3 )) && _files || compadd -- {} ;;\n", c.name,
                       fmt::join(behind, " "));
  }
  return out + "    *) _files ;;\n"
               "  esac\n"
               "}\n"
               "compdef _draudit draudit\n";
}

std::string fish_completion() {
  std::string out = "# draudit completion fish >~/.config/fish/completions/draudit.fish\n";
  for (const CommandWords& c : command_words()) {
    out += fmt::format("complete -c draudit -f -n __fish_use_subcommand -a {}\n", c.name);
  }
  for (const CommandWords& c : command_words()) {
    const std::string when = fmt::format("'__fish_seen_subcommand_from {}'", c.name);
    for (const std::string& flag : c.flags) {
      out += fmt::format("complete -c draudit -n {} -l {}\n", when, flag.substr(2));
    }
    const std::vector<std::string> behind = words_behind(c.name);
    if (behind.empty()) continue;
    out += fmt::format("complete -c draudit -f -n {} -a '{}'\n", when, fmt::join(behind, " "));
  }
  return out;
}

}  // namespace

int completion_command(const Arguments& args, Io& io) {
  using Render = std::string (*)();
  static constexpr std::array kShells = {Choice<Render>{"bash", bash_completion},
                                         Choice<Render>{"zsh", zsh_completion},
                                         Choice<Render>{"fish", fish_completion}};
  io.out.write(choose("completion", args.node, kShells)());
  return kExitClean;
}

}  // namespace draudit
