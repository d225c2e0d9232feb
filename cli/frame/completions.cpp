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

using Words = std::vector<std::string>;

Words first_words(const std::vector<Command>& commands) {
  std::set<std::string> words;
  for (const Command& command : commands) {
    words.insert(command.name.substr(0, command.name.find(' ')));
  }
  return {words.begin(), words.end()};
}

Words second_words(const std::vector<Command>& commands) {
  Words words;
  for (const Command& command : commands) {
    const std::size_t space = command.name.find(' ');
    if (space != std::string::npos) words.push_back(command.name.substr(space + 1));
  }
  return words;
}

// What the words after a command can be; nothing where they are files.
Words argument_words(const Command& command, const std::vector<Command>& commands) {
  for (const Argument& argument : command.arguments) {
    if (argument.complete == Complete::kCommand) return first_words(commands);
    if (!argument.choices.empty()) return argument.choices;
  }
  return {};
}

std::string spaced(const Words& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

// One a line, because names of groups have spaces.
std::string bash_list(const Words& words) {
  return shell_quoted(fmt::format("{}", fmt::join(words, "\n")));
}

std::string bash_command(const Command& command, const std::vector<Command>& commands) {
  std::string values;
  Words names;
  for (const Flag& flag : all_flags(command)) {
    for (const std::string& name : names_of(flag)) {
      names.push_back(name);
      if (!flag.choices.empty()) {
        values += fmt::format("        {}) words={} ;;\n", name, bash_list(flag.choices));
      } else if (flag.complete == Complete::kGroup) {
        values += fmt::format(
            "        {}) words=$(bloomery inspect --groups \"$bank\" 2>/dev/null) ;;\n", name);
      } else if (flag.complete == Complete::kNothing && !flag.value.empty()) {
        values += fmt::format("        {}) return ;;\n", name);
      }
    }
  }
  names.insert(names.end(), {"-h", "--help"});
  return fmt::format(
      "    {})\n      case \"$previous\" in\n{}"
      "        *) if [[ $current == -* ]]; then words={}; else words={}; fi ;;\n      esac ;;\n",
      shell_quoted(command.name), values, bash_list(names),
      bash_list(argument_words(command, commands)));
}

// Readline quotes what is offered (-o filenames); what is typed comes as it was typed.
constexpr std::string_view kBashStart = R"(# bloomery completions for bash
_bloomery() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command=${COMP_WORDS[1]-} words='' bank='' word
  for word in "${COMP_WORDS[@]}"; do
    word=${word//[\\\"\']/}
    [[ $word == *.bank ]] && bank=$word
  done
  # --flag=value comes as three words.
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  current=${current//[\\\"\']/}
)";
constexpr std::string_view kBashEnd = R"(  esac
  COMPREPLY=()
  if [[ -z $words ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    return
  fi
  while IFS= read -r word; do
    [[ $word == "$current"* ]] && COMPREPLY+=("$word")
  done <<< "$words"
}
complete -o filenames -F _bloomery bloomery
)";

std::string bash(const std::vector<Command>& commands) {
  Words first = first_words(commands);
  first.emplace_back("--version");
  std::string out(kBashStart);
  out += fmt::format(
      "  if [[ $command == generate ]] && ((COMP_CWORD > 2)); then\n"
      "    command=\"generate ${{COMP_WORDS[2]}}\"\n"
      "  fi\n"
      "  ((COMP_CWORD == 1)) && command=''\n"
      "  case \"$command\" in\n"
      "    '') words={} ;;\n"
      "    generate) words={} ;;\n",
      bash_list(first), bash_list(second_words(commands)));
  for (const Command& command : commands) out += bash_command(command, commands);
  return out + std::string(kBashEnd);
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
      "  found=(${(f)\"$(bloomery inspect --groups ${(Q)words[(r)*.bank]} 2>/dev/null)\"})\n"
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
      spaced(first_words(commands)) + " --version", spaced(second_words(commands)));
  for (const Command& command : commands) {
    out += fmt::format("    {})\n      _arguments", shell_quoted(command.name));
    for (const Flag& flag : all_flags(command)) out += zsh_flag(flag);
    const Words words = argument_words(command, commands);
    out += words.empty() ? " \\\n        '*:file:_files' ;;\n"
                         : fmt::format(" \\\n        '*:word:({})' ;;\n", spaced(words));
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
                     shell_quoted(spaced(first_words(commands)) + " --version"));
  out += fmt::format("complete -c bloomery -n '__fish_seen_subcommand_from generate' -f -a {}\n",
                     shell_quoted(spaced(second_words(commands))));
  for (const Command& command : commands) {
    for (const Flag& flag : all_flags(command)) out += fish_flag(command, flag);
    const Words words = argument_words(command, commands);
    if (words.empty()) continue;
    out += fmt::format("complete -c bloomery -n {} -f -a {}\n", fish_condition(command),
                       shell_quoted(spaced(words)));
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
