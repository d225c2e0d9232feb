// Every command, one function and one file each.
#pragma once

#include <vector>

#include "cli/command.h"

namespace bloomery::cli {

[[nodiscard]] Command plan_command();
[[nodiscard]] Command build_command();
[[nodiscard]] Command verify_command();
[[nodiscard]] Command query_command();
[[nodiscard]] Command merge_command();
[[nodiscard]] Command inspect_command();
[[nodiscard]] Command export_command();
[[nodiscard]] Command import_command();
[[nodiscard]] Command bench_command();
[[nodiscard]] Command study_command();
[[nodiscard]] Command report_command();
[[nodiscard]] Command generate_ratings_command();
[[nodiscard]] Command generate_words_command();
[[nodiscard]] Command generate_key_command();
[[nodiscard]] Command formats_command();
[[nodiscard]] Command doctor_command();
[[nodiscard]] Command version_command();
[[nodiscard]] Command help_command();
[[nodiscard]] Command man_command();
[[nodiscard]] Command completions_command();

// In the order in which help shows them.
[[nodiscard]] std::vector<Command> all_commands();

}  // namespace bloomery::cli
