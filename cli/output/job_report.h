// What the jobs of an engine report, for people and for programs.
#pragma once

#include <string>

#include "cli/output/console.h"
#include "engines/jobs.h"

namespace bloomery::cli {

// Adds what was read and what became of every record to the head and the document of a report.
void add_facts(Report& report, const JobFacts& facts);

// Bad records by category with samples, and the engine's warnings, to standard error.
void talk_about(const JobFacts& facts, const Console& console);

// "used 1,254,184 + rejected 0 + ..."
[[nodiscard]] std::string accounting(const FileTally& tally);

// A sized group for the tables of plan and build --dry-run.
[[nodiscard]] Table plan_table(const std::vector<GroupPlan>& groups);
// Exactly the bytes of the bank that the plan makes.
Result<std::uint64_t> planned_bank_bytes(const std::vector<GroupPlan>& groups, const Recipe& recipe,
                                         const TextMap& metadata);

}  // namespace bloomery::cli
