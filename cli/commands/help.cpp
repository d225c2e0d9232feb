// bloomery help, man and completions: what the tables say, for people and for shells.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/error.h"
#include "cli/commands/commands.h"
#include "cli/frame/help.h"
#include "cli/frame/parse.h"
#include "cli/output/console.h"
#include "cli/values.h"

namespace bloomery::cli {
namespace {

using Words = std::vector<std::string>;

// "generate ratings" may come as one word or as two.
Result<Command> command_named(const Words& words) {
  const std::string name = fmt::format("{}", fmt::join(words, " "));
  std::vector<std::string> known;
  std::vector<std::string> below;
  for (Command& command : all_commands()) {
    if (command.name == name) return std::move(command);
    known.push_back(command.name);
    if (command.name.starts_with(name + " ")) below.push_back(command.name.substr(name.size() + 1));
  }
  if (!below.empty()) {
    return make_error(ErrorCode::kInvalidArgument, "{}: say what: {}", name, one_of(below));
  }
  return make_error(ErrorCode::kNotFound, "{}: no such command{}", escaped(name),
                    suggestion(name, known, "; bloomery help lists them"));
}

// Those whose first word is the only word, as "generate".
std::vector<Command> family_of(const std::vector<Command>& commands, const Words& words) {
  std::vector<Command> family;
  for (const Command& command : commands) {
    if (words.size() == 1 && command.name.starts_with(words[0] + " ")) family.push_back(command);
  }
  return family;
}

Json describe(const Command& command) {
  Json flags = Json::array();
  for (const Section& section : sections(command)) {
    for (const Flag& flag : section.flags) {
      flags.push_back({{"names", names_of(flag)},
                       {"value", flag.value},
                       {"help", help_line(flag)},
                       {"default", flag.fallback},
                       {"section", section.name},
                       {"choices", flag.choices}});
    }
  }
  return {{"name", command.name}, {"summary", command.summary}, {"flags", std::move(flags)}};
}

Result<ExitCode> run_help(const Words& words, Console& console) {
  std::vector<Command> commands = all_commands();
  if (!words.empty()) {
    std::vector<Command> wanted = family_of(commands, words);
    if (wanted.empty()) {
      auto command = command_named(words);
      if (!command) return command.error();
      wanted = {std::move(*command)};
    }
    commands = std::move(wanted);
  }
  if (console.is_json()) {
    Report report;
    report.document["commands"] = Json::array();
    for (const Command& command : commands)
      report.document["commands"].push_back(describe(command));
    console.print(report);
  } else if (console.format() == Format::kMarkdown) {
    console.out().put(markdown_manual(commands));
  } else {
    std::string text = words.empty() ? overview(commands) : long_help(commands.front());
    for (std::size_t i = 1; !words.empty() && i < commands.size(); ++i) {
      text += "\n" + long_help(commands[i]);
    }
    console.out().put(text);
  }
  return ExitCode::kOk;
}

void print_text(Console& console, const std::string& text) {
  if (!console.is_json()) {
    console.out().put(text);
    return;
  }
  Report report;
  report.document["text"] = text;
  console.print(report);
}

Result<void> write_page(const std::string& folder, const std::string& name,
                        const std::string& page) {
  auto file = AtomicFile::create(fmt::format("{}/{}.1", folder, name), true);
  if (!file) return file.error();
  const auto written = file->write(0, std::as_bytes(std::span(page)));
  return written ? file->commit() : written;
}

Result<ExitCode> write_pages(const std::string& folder) {
  const auto commands = all_commands();
  auto written = write_page(folder, "bloomery", manual_overview(commands));
  for (const Command& command : commands) {
    if (!written) return written.error();
    written = write_page(folder, page_name(command.name), manual_page(command));
  }
  if (!written) return written.error();
  return ExitCode::kOk;
}

Result<ExitCode> run_man(const Words& words, const std::string& folder, Console& console) {
  if (!folder.empty()) return write_pages(folder);
  if (words.empty()) {
    print_text(console, manual_overview(all_commands()));
    return ExitCode::kOk;
  }
  const auto command = command_named(words);
  if (!command) return command.error();
  print_text(console, manual_page(*command));
  return ExitCode::kOk;
}

Argument command_argument(Words& words) {
  return {.name = "COMMAND",
          .help = "a command; without one, all of them",
          .min = 0,
          .max = 2,
          .take = into(words),
          .complete = Complete::kCommand};
}

}  // namespace

Command help_command() {
  const auto words = std::make_shared<Words>();
  return {
      .name = "help",
      .summary = "Explain a command",
      .description = {"bloomery COMMAND --help does the same. --format md gives docs/cli.md."},
      .arguments = {command_argument(*words)},
      .examples = {{"The commands", "bloomery help"},
                   {"One of them", "bloomery help build"},
                   {"The table of flags, for a program", "bloomery help build --json"}},
      .run = [words](Console& console) { return run_help(*words, console); },
  };
}

Command man_command() {
  const auto words = std::make_shared<Words>();
  const auto folder = std::make_shared<std::string>();
  return {
      .name = "man",
      .summary = "Print a manual page",
      .description = {"The page is in roff: man -l - shows it."},
      .arguments = {command_argument(*words)},
      .flags = {{.names = "--all",
                 .value = "FOLDER",
                 .help = "write every page into this folder instead",
                 .section = "Result",
                 .take = into(*folder),
                 .complete = Complete::kFile,
                 .is_basic = true}},
      .examples = {{"One page, in a file", "bloomery man build > bloomery-build.1"},
                   {"One that has two words", "bloomery man generate ratings > ratings.1"},
                   {"All of them", "mkdir man1 && bloomery man --all man1"}},
      .run = [words, folder](Console& console) { return run_man(*words, *folder, console); },
  };
}

Command completions_command() {
  const auto shell = std::make_shared<std::string>();
  return {
      .name = "completions",
      .summary = "Print completions for a shell: bash, zsh or fish",
      .description = {"Commands, flags, their values, files, and the groups of the bank that "
                      "stands on the command line."},
      .arguments = {{.name = "SHELL",
                     .help = "bash, zsh or fish",
                     .take = into(*shell),
                     .choices = {"bash", "zsh", "fish"}}},
      .examples = {{"In this bash", "source <(bloomery completions bash)"},
                   {"For every zsh", "bloomery completions zsh > _bloomery"},
                   {"For every fish", "bloomery completions fish > bloomery.fish"}},
      .run = [shell](Console& console) -> Result<ExitCode> {
        print_text(console, completions(all_commands(), *shell));
        return ExitCode::kOk;
      },
  };
}

}  // namespace bloomery::cli
