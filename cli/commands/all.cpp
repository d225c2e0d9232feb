// The table of commands: a new one is a file and a line here.
#include "cli/commands/commands.h"

namespace bloomery::cli {

std::vector<Command> all_commands() {
  return {plan_command(),
          build_command(),
          verify_command(),
          query_command(),
          merge_command(),
          inspect_command(),
          export_command(),
          import_command(),
          bench_command(),
          study_command(),
          report_command(),
          generate_ratings_command(),
          generate_words_command(),
          generate_key_command(),
          formats_command(),
          doctor_command(),
          version_command(),
          help_command(),
          man_command(),
          completions_command()};
}

}  // namespace bloomery::cli
