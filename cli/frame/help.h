// What a command's table says, as text: on one screen, whole, as a manual page, as Markdown.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace bloomery::cli {

// "bloomery merge BANK... -o FILE [FLAG...]"
[[nodiscard]] std::string usage(const Command& command);

// At most 24 lines of 80 columns.
[[nodiscard]] std::string short_help(const Command& command);
[[nodiscard]] std::string long_help(const Command& command);
// The list of commands.
[[nodiscard]] std::string overview(const std::vector<Command>& commands);

// "bloomery-generate-ratings", or "bloomery" for no name.
[[nodiscard]] std::string page_name(std::string command);
// roff for man(1).
[[nodiscard]] std::string manual_page(const Command& command);
[[nodiscard]] std::string manual_overview(const std::vector<Command>& commands);

// docs/cli.md, whose examples are run by the tests.
[[nodiscard]] std::string markdown_manual(const std::vector<Command>& commands);

// For the shell named: bash, zsh or fish.
[[nodiscard]] std::string completions(const std::vector<Command>& commands, std::string_view shell);

// The sections of a command's flags in the order of their first flags, those of all commands last.
struct Section {
  std::string name;
  std::vector<Flag> flags;
};
[[nodiscard]] std::vector<Section> sections(const Command& command);
// "-p, --fpr RATE"
[[nodiscard]] std::string synopsis(const Flag& flag);
// Its help line.
[[nodiscard]] std::string help_line(const Flag& flag);
// The same with the default.
[[nodiscard]] std::string help_text(const Flag& flag);

}  // namespace bloomery::cli
