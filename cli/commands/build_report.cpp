#include "cli/commands/build_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/file.h"
#include "cli/output/bank_table.h"
#include "cli/output/job_report.h"
#include "cli/output/numbers.h"

namespace bloomery::cli {
namespace {

// More groups than this are for programs to read, or for inspect.
constexpr std::size_t kShownGroups = 40;

Table built_table(const BuildResult& result) {
  Table table{.name = "groups",
              .columns = {{"group", "group", true},
                          {"keys", "keys"},
                          {"planned_keys"},
                          {"estimated_keys"},
                          {"kind"},
                          {"bits", "bits"},
                          {"hashes", "k"},
                          {"fill", "fill"},
                          {"fpr", "fpr"},
                          {"achieved_fpr", "achieved fpr"}}};
  for (const BuiltGroup& group : result.groups) {
    const FilterSpec& spec = group.plan.spec;
    table.rows.push_back(
        {Cell::bytes(group.plan.group), Cell::count(group.count), Cell::count(spec.planned_keys),
         Cell::number(group.estimated_keys), Cell::text(std::string(to_string(spec.kind))),
         Cell::count(spec.bits), Cell::count(spec.hashes),
         Cell::number(static_cast<double>(group.ones) / static_cast<double>(spec.bits)),
         Cell::rate(spec.fpr), Cell::rate(group.achieved_fpr)});
  }
  return table;
}

// What `auto` sent most blocks as, and what that saved.
std::string reason(const GroupBytes& group) {
  const auto forms =
      std::to_array<std::pair<std::uint64_t, const char*>>({{group.gap_blocks, "gaps between bits"},
                                                            {group.hash_blocks, "hashes"},
                                                            {group.raw_blocks, "raw bits"},
                                                            {group.empty_blocks, "nothing"}});
  const auto* const most =
      std::ranges::max_element(forms, {}, [](const auto& form) { return form.first; });
  const std::uint64_t other = std::min(group.indexes, group.filters);
  return fmt::format("{}: {:.0f} % of {}", most->second,
                     100 * static_cast<double>(group.automatic) /
                         static_cast<double>(std::max<std::uint64_t>(other, 1)),
                     group.indexes < group.filters ? "indexes" : "filters");
}

Table shipped_table(const ShippedBytes& shipped) {
  Table table{.name = "shipped",
              .columns = {{"group", "group", true},
                          {"indexes", "indexes"},
                          {"filters", "filters"},
                          {"auto", "auto"},
                          {"entropy_bytes", "entropy"},
                          {"raw_blocks", "raw"},
                          {"gap_blocks", "gaps"},
                          {"hash_blocks", "hashes"},
                          {"empty_blocks", "empty"},
                          {"", "auto chose", true}}};
  for (const GroupBytes& group : shipped.groups) {
    Cell entropy = Cell::number(group.entropy_bytes);
    entropy.shown = grouped(nearest(group.entropy_bytes));
    table.rows.push_back({Cell::bytes(group.group),
                          Cell::count(group.indexes),
                          Cell::count(group.filters),
                          Cell::count(group.automatic),
                          std::move(entropy),
                          Cell::count(group.raw_blocks),
                          Cell::count(group.gap_blocks),
                          Cell::count(group.hash_blocks),
                          Cell::count(group.empty_blocks),
                          {.shown = reason(group)}});
  }
  return table;
}

void add_table(Report& report, Table table, const Console& console) {
  const std::size_t groups = table.rows.size();
  if (console.format() == Format::kTable && groups > kShownGroups) {
    table.rows.resize(kShownGroups);
    report.foot.push_back({"groups", fmt::format("{} of {} are shown; --format csv shows all",
                                                 kShownGroups, grouped(groups))});
  }
  report.tables.push_back(std::move(table));
}

std::string next_step(const BuildJob& job) {
  std::string files;
  for (const std::string& path : job.input.paths) files += " " + printable_path(path);
  if (job.input.paths.size() > 3) files = " FILE...";
  return fmt::format("bloomery verify {}{}", printable_path(job.output), files);
}

}  // namespace

Result<ExitCode> report_build(const BuildJob& job, const BuildResult& result, Console& console) {
  Report report;
  put_bytes(report.document, "output", job.output);
  report.document["bytes"] = result.bank_bytes;
  report.document["digest"] = digest_text(result.digest);
  add_facts(report, result.facts);
  add_table(report, built_table(result), console);
  if (result.shipped) {
    report.document["strategy"] = to_string(result.shipped->strategy);
    report.document["shipped_bytes"] = result.shipped->bytes;
    if (!result.shipped->groups.empty()) {
      Table table = shipped_table(*result.shipped);
      if (console.format() == Format::kTable)
        table.rows.resize(std::min(table.rows.size(), kShownGroups));
      report.tables.push_back(std::move(table));
    }
    report.foot.push_back(
        {"shipped", fmt::format("{} bytes with strategy {}", grouped(result.shipped->bytes),
                                to_string(result.shipped->strategy))});
  }
  report.foot.push_back(
      {"wrote", fmt::format("{}   {} bytes   {}   digest {}", printable_path(job.output),
                            grouped(result.bank_bytes), counted(result.groups.size(), "filter"),
                            digest_text(result.digest))});
  report.foot.push_back(
      {"took", fmt::format("{}, {} of memory", duration(result.facts.wall_seconds),
                           size_text(result.facts.peak_memory))});
  report.foot.push_back({"next", next_step(job)});
  console.print(report);
  talk_about(result.facts, console);
  return ExitCode::kOk;
}

Result<ExitCode> report_dry_run(const BuildJob& job, const PlanResult& result, Console& console) {
  const auto bytes = planned_bank_bytes(result.groups, job.input.recipe, job.metadata);
  if (!bytes) return bytes.error();
  Report report;
  put_bytes(report.document, "output", job.output);
  report.document["bytes"] = *bytes;
  report.document["dry_run"] = true;
  if (!job.plan) add_facts(report, result.facts);
  add_table(report, plan_table(result.groups), console);
  report.foot.push_back(
      {"would write", fmt::format("{}   {} bytes   {}", printable_path(job.output), grouped(*bytes),
                                  counted(result.groups.size(), "filter"))});
  console.print(report);
  talk_about(result.facts, console);
  return ExitCode::kOk;
}

}  // namespace bloomery::cli
