// The flags of commands that write a bank, or another result.
#pragma once

#include <string>

#include "cli/command.h"

namespace bloomery::cli {

// Both store into what they are given, which must outlive the parsing.
[[nodiscard]] Flag bank_output_flag(std::string& output);
[[nodiscard]] Flag force_flag(bool& force, std::string help = "replace the output if it exists");

}  // namespace bloomery::cli
