#include "cli/result_flags.h"

#include <utility>

#include "cli/values.h"

namespace bloomery::cli {

Flag bank_output_flag(std::string& output) {
  return {.names = "-o,--output",
          .value = "FILE",
          .help = "bank to write",
          .section = "Result",
          .take = into(output),
          .complete = Complete::kFile,
          .is_required = true};
}

Flag force_flag(bool& force, std::string help) {
  return {.names = "-f,--force",
          .help = std::move(help),
          .section = "Result",
          .take = into(force),
          .is_basic = true};
}

}  // namespace bloomery::cli
