// A command line to the options of one command.
//
//   takes   the command's table and what was typed after its name
//   gives   every value in its place, or an error that names flag, value and next step
#pragma once

#include <string>
#include <vector>

#include "bloomery/result.h"
#include "cli/command.h"
#include "cli/output/console.h"

namespace bloomery::cli {

// The flags that every command has.
[[nodiscard]] std::vector<Flag> common_flags(OutputOptions& options);

// Calls the Takes of the command's flags and arguments, and fills `output`.
Result<void> parse(const Command& command, const std::vector<std::string>& typed,
                   OutputOptions& output);

// "--fpr" of "-p,--fpr".
[[nodiscard]] std::string long_name(const Flag& flag);
// "-p" and "--fpr".
[[nodiscard]] std::vector<std::string> names_of(const Flag& flag);

// "a, b or c"
[[nodiscard]] std::string one_of(const std::vector<std::string>& choices);

// "; did you mean X?", or `otherwise` when nothing is near.
[[nodiscard]] std::string suggestion(std::string_view typed, const std::vector<std::string>& known,
                                     std::string_view otherwise);

}  // namespace bloomery::cli
