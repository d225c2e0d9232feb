// bloomery --version: what this program is made of.
#include <fmt/format.h>

#include "bloomery/kernel.h"
#include "cli/commands/commands.h"
#include "cli/machine.h"
#include "cli/output/console.h"

namespace bloomery::cli {
namespace {

Result<ExitCode> run_version(Console& console) {
  Report report;
  report.document = {{"version", version()},      {"commit", commit()},
                     {"compiler", compiler()},    {"kernel", to_string(active_kernel())},
                     {"kernels", kernel_names()}, {"reads", {"bank 1"}},
                     {"writes", {"bank 1"}}};
  report.head = {{"bloomery", version()},
                 {"commit", commit()},
                 {"compiler", compiler()},
                 {"kernels", fmt::format("{} (in use: {})", fmt::join(kernel_names(), ", "),
                                         to_string(active_kernel()))},
                 {"reads", "bank format 1; bloomery formats lists the rest"},
                 {"writes", "bank format 1"}};
  console.print(report);
  return ExitCode::kOk;
}

}  // namespace

Command version_command() {
  return {
      .name = "version",
      .summary = "Show version, commit, compiler, kernels and formats",
      .description = {"bloomery --version does the same."},
      .examples = {{"All of it", "bloomery --version"},
                   {"For a program", "bloomery --version --json"},
                   {"The same", "bloomery version"}},
      .run = run_version,
  };
}

}  // namespace bloomery::cli
