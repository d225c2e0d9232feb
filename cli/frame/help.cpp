#include "cli/frame/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "cli/frame/parse.h"

namespace bloomery::cli {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kHelpColumn = 27;

// `text` in lines of at most kWidth columns, the later ones indented.
std::string wrapped(std::string_view text, std::size_t first_column, std::size_t indent) {
  std::string out;
  std::size_t column = first_column;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (column > indent && column + 1 + end > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!out.empty()) {
      out += ' ';
      ++column;
    }
    out += text.substr(0, end);
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// A command in lines that a shell reads as one.
std::string shell_lines(std::string_view command, std::size_t indent) {
  std::string out(indent, ' ');
  std::size_t column = indent;
  while (!command.empty()) {
    const std::size_t end = std::min(command.find(' '), command.size());
    if (column > indent && column + end + 3 > kWidth) {
      out += "\\\n" + std::string(indent + 2, ' ');
      column = indent + 2;
    }
    out += command.substr(0, end);
    column += end + 1;
    command.remove_prefix(std::min(end + 1, command.size()));
    if (!command.empty()) out += ' ';
  }
  return out + "\n";
}

std::string entry(const std::string& left, const std::string& help) {
  std::string line = "  " + left;
  if (line.size() + 2 > kHelpColumn) {
    line += "\n" + std::string(kHelpColumn, ' ');
  } else {
    line.resize(kHelpColumn, ' ');
  }
  return line + wrapped(help, kHelpColumn, kHelpColumn) + "\n";
}

std::string flag_entry(const Flag& flag) {
  // Long names stand below each other, whether or not there is a short one.
  const std::string left = flag.names.starts_with("--") ? "    " + synopsis(flag) : synopsis(flag);
  return entry(left, help_text(flag));
}

std::string argument_entries(const Command& command) {
  std::string out;
  for (const Argument& argument : command.arguments) out += entry(argument.name, argument.help);
  return out;
}

}  // namespace

std::string synopsis(const Flag& flag) {
  std::string text = fmt::format("{}", fmt::join(names_of(flag), ", "));
  if (!flag.value.empty()) text += " " + flag.value;
  return text;
}

std::string help_line(const Flag& flag) {
  return flag.help + (flag.is_repeatable ? "; may be given again" : "");
}

std::string help_text(const Flag& flag) {
  const std::string help = help_line(flag);
  return flag.fallback.empty() ? help : fmt::format("{} [{}]", help, flag.fallback);
}

std::string usage(const Command& command) {
  std::string text = "bloomery " + command.name;
  for (const Argument& argument : command.arguments) {
    std::string name = argument.name;
    if (argument.max > 1) name += "...";
    text += argument.min == 0 ? fmt::format(" [{}]", name) : " " + name;
  }
  for (const Flag& flag : command.flags) {
    if (flag.is_required) {
      text += fmt::format(" {} {}", names_of(flag).front(), flag.value);
    }
  }
  return text + " [FLAG...]";
}

std::vector<Section> sections(const Command& command) {
  OutputOptions unused;
  std::vector<Flag> flags = command.flags;
  for (Flag& flag : common_flags(unused)) flags.push_back(std::move(flag));
  std::vector<Section> found;
  for (Flag& flag : flags) {
    flag.take = {};  // those of `unused` must not outlive it
    auto section = std::ranges::find(found, flag.section, &Section::name);
    if (section == found.end()) section = found.insert(found.end(), {flag.section, {}});
    section->flags.push_back(flag);
  }
  return found;
}

std::string short_help(const Command& command) {
  std::string out = fmt::format("Usage: {}\n\n{}\n\n", wrapped(usage(command), 7, 11),
                                wrapped(command.summary, 0, 0));
  out += argument_entries(command);
  for (const Flag& flag : command.flags) {
    if (flag.is_basic || flag.is_required) out += flag_entry(flag);
  }
  out += entry("    --help", "all flags, what they mean, and more examples");
  if (!command.examples.empty()) {
    out += "\nExample:\n" + shell_lines(command.examples.front().command, 2);
  }
  return out;
}

std::string long_help(const Command& command) {
  std::string out = fmt::format("Usage: {}\n\n{}\n", wrapped(usage(command), 7, 11),
                                wrapped(command.summary, 0, 0));
  for (const std::string& paragraph : command.description) {
    out += "\n" + wrapped(paragraph, 0, 0) + "\n";
  }
  if (!command.arguments.empty()) out += "\nArguments:\n" + argument_entries(command);
  for (const Section& section : sections(command)) {
    out += "\n" + section.name + ":\n";
    for (const Flag& flag : section.flags) out += flag_entry(flag);
  }
  out += "\nExamples:\n";
  for (const Example& example : command.examples) {
    out += "  " + example.what + "\n" + shell_lines(example.command, 4);
  }
  if (!command.statuses.empty()) {
    out += "\nExit status:\n";
    for (std::size_t i = 0; i < command.statuses.size(); ++i) {
      if (command.statuses[i].empty()) continue;
      out += entry(fmt::format("{}", i), command.statuses[i]);
    }
  }
  return out;
}

std::string overview(const std::vector<Command>& commands) {
  std::string out =
      "Usage: bloomery COMMAND [ARGUMENT...] [FLAG...]\n\n"
      "Banks of Bloom filters, one filter per group of your data, in one file.\n\n";
  for (std::size_t i = 0; i < commands.size(); ++i) {
    std::string name = commands[i].name;
    std::string summary = commands[i].summary;
    // Those of two words share a line, so that all of it stays on one screen.
    const std::size_t space = name.find(' ');
    if (space != std::string::npos) {
      summary = "Make what is needed to try it:";
      for (const auto family = name.substr(0, space + 1);
           i < commands.size() && commands[i].name.starts_with(family); ++i) {
        summary += " " + commands[i].name.substr(space + 1) + ",";
      }
      summary.pop_back();
      name.resize(space);
      --i;
    }
    std::string line = "  " + name;
    line.resize(std::max<std::size_t>(line.size() + 2, 15), ' ');
    out += line + summary + "\n";
  }
  return out + "\nCOMMAND -h shows a command on one screen, --help all of it; -V: what this is.\n";
}

}  // namespace bloomery::cli
