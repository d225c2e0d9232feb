// What bloomery build has to say when it is done.
#pragma once

#include "cli/output/console.h"
#include "engines/jobs.h"

namespace bloomery::cli {

Result<ExitCode> report_build(const BuildJob& job, const BuildResult& result, Console& console);
Result<ExitCode> report_dry_run(const BuildJob& job, const PlanResult& result, Console& console);

}  // namespace bloomery::cli
