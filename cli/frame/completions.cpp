// Completions for bash, zsh and fish. Names of groups are asked of the bank on the command line.
#include <fmt/format.h>

#include <set>
#include <string_view>

#include "cli/frame/help.h"
#include "cli/frame/parse.h"

namespace bloomery::cli {
namespace {

// In single quotes, for a shell.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::vector<Flag> all_flags(const Command& command) {
  std::vector<Flag> flags;
  for (const Section& section : sections(command)) {
    flags.insert(flags.end(), section.flags.begin(), section.flags.end());
  }
  return flags;
}

std::string first_words(const std::vector<Command>& commands) {
  std::set<std::string> words{"--version"};
  for (const Command& command : commands) {
    words.insert(command.name.substr(0, command.name.find(' ')));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

std::string second_words(const std::vector<Command>& commands) {
  std::vector<std::string> words;
  for (const Command& command : commands) {
    const std::size_t space = command.name.find(' ');
    if (space != std::string::npos) words.push_back(command.name.substr(space + 1));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

std::string bash_command(const Command& command) {
  std::string values;
  std::string names;
  for (const Flag& flag : all_flags(command)) {
    for (const std::string& name : names_of(flag)) {
      names += name + " ";
      if (!flag.choices.empty()) {
        values += fmt::format("        {}) words={} ;;\n", name,
                              shell_quoted(fmt::format("{}", fmt::join(flag.choices, " "))));
      } else if (flag.complete == Complete::kGroup) {
        values += fmt::format(
            "        {}) words=$(bloomery inspect --groups \"$bank\" 2>/dev/null) ;;\n", name);
      } else if (flag.complete == Complete::kNothing && !flag.value.empty()) {
        values += fmt::format("        {}) return ;;\n", name);
      }
    }
  }
  return fmt::format(
      "    {})\n      case \"$previous\" in\n{}"
      "        *) [[ $current == -* ]] && words={} ;;\n      esac ;;\n",
      shell_quoted(command.name), values, shell_quoted(names + "-h --help"));
}

std::string bash(const std::vector<Command>& commands) {
  std::string out = fmt::format(
      "# bloomery completions for bash\n"
      "_bloomery() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  local command=${{COMP_WORDS[1]-}} words='' bank='' word\n"
      "  for word in \"${{COMP_WORDS[@]}}\"; do [[ $word == *.bank ]] && bank=$word; done\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W {} -- \"$current\")); return\n"
      "  fi\n"
      "  if [[ $command == generate ]]; then\n"
      "    ((COMP_CWORD > 2)) || {{ COMPREPLY=($(compgen -W {} -- \"$current\")); return; }}\n"
      "    command=\"generate ${{COMP_WORDS[2]}}\"\n"
      "  fi\n"
      "  case \"$command\" in\n",
      shell_quoted(first_words(commands)), shell_quoted(second_words(commands)));
  for (const Command& command : commands) out += bash_command(command);
  return out +
         "  esac\n"
         "  if [[ -n $words ]]; then\n"
         "    local IFS=$' \\n'\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _bloomery bloomery\n";
}

// A text inside [...] of a zsh _arguments spec.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_flag(const Flag& flag) {
  std::string action;
  if (!flag.value.empty()) {
    action = ":" + flag.value + ":";
    if (!flag.choices.empty()) action += fmt::format("({})", fmt::join(flag.choices, " "));
    if (flag.complete == Complete::kFile) action += "_files";
    if (flag.complete == Complete::kGroup) action += "_bloomery_groups";
  }
  std::string out;
  for (const std::string& name : names_of(flag)) {
    out +=
        " \\\n        " + shell_quoted(fmt::format("*{}[{}]{}", name, zsh_text(flag.help), action));
  }
  return out;
}

std::string zsh(const std::vector<Command>& commands) {
  std::string out =
      "#compdef bloomery\n"
      "_bloomery_groups() {\n"
      "  local -a found\n"
      "  found=(${(f)\"$(bloomery inspect --groups ${words[(r)*.bank]} 2>/dev/null)\"})\n"
      "  compadd -a found\n"
      "}\n"
      "_bloomery() {\n";
  out += fmt::format(
      "  if ((CURRENT == 2)); then compadd -- {}; return; fi\n"
      "  local command=${{words[2]}}\n"
      "  if [[ $command == generate ]]; then\n"
      "    if ((CURRENT == 3)); then compadd -- {}; return; fi\n"
      "    command=\"generate ${{words[3]}}\"\n"
      "  fi\n"
      "  case $command in\n",
      first_words(commands), second_words(commands));
  for (const Command& command : commands) {
    out += fmt::format("    {})\n      _arguments", shell_quoted(command.name));
    for (const Flag& flag : all_flags(command)) out += zsh_flag(flag);
    out += " \\\n        '*:file:_files' ;;\n";
  }
  return out + "  esac\n}\n_bloomery \"$@\"\n";
}

std::string fish_condition(const Command& command) {
  std::string condition;
  std::size_t begin = 0;
  while (begin < command.name.size()) {
    const std::size_t end = std::min(command.name.find(' ', begin), command.name.size());
    if (!condition.empty()) condition += "; and ";
    condition += "__fish_seen_subcommand_from " + command.name.substr(begin, end - begin);
    begin = end + 1;
  }
  return shell_quoted(condition);
}

std::string fish_flag(const Command& command, const Flag& flag) {
  std::string out = "complete -c bloomery -n " + fish_condition(command);
  for (const std::string& name : names_of(flag)) {
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!flag.value.empty()) out += flag.complete == Complete::kFile ? " -r" : " -x";
  if (!flag.choices.empty()) {
    out += " -a " + shell_quoted(fmt::format("{}", fmt::join(flag.choices, " ")));
  }
  if (flag.complete == Complete::kGroup) out += " -a '(__bloomery_groups)'";
  return out + " -d " + shell_quoted(flag.help) + "\n";
}

std::string fish(const std::vector<Command>& commands) {
  std::string out =
      "# bloomery completions for fish\n"
      "function __bloomery_groups\n"
      "  for word in (commandline -opc)\n"
      "    string match -q '*.bank' -- $word; and bloomery inspect --groups $word 2>/dev/null\n"
      "  end\n"
      "end\n";
  out += fmt::format("complete -c bloomery -n __fish_use_subcommand -f -a {}\n",
                     shell_quoted(first_words(commands)));
  out += fmt::format("complete -c bloomery -n '__fish_seen_subcommand_from generate' -f -a {}\n",
                     shell_quoted(second_words(commands)));
  for (const Command& command : commands) {
    for (const Flag& flag : all_flags(command)) out += fish_flag(command, flag);
  }
  return out;
}

}  // namespace

std::string completions(const std::vector<Command>& commands, std::string_view shell) {
  if (shell == "bash") return bash(commands);
  if (shell == "zsh") return zsh(commands);
  return fish(commands);
}

}  // namespace bloomery::cli
