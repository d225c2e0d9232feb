#include "cli/output/job_report.h"

#include <fmt/format.h>

#include "bank/bank_plan.h"
#include "base/error.h"
#include "base/file.h"
#include "bloomery/sizing.h"
#include "cli/output/numbers.h"
#include "engines/facts_json.h"

namespace bloomery::cli {
namespace {

// Of each category, on standard error; the rest is in --json and --rejects.
constexpr std::size_t kShownSamples = 3;

std::string input_text(const JobFacts& facts) {
  if (facts.inputs.empty()) return "nothing";
  const std::string& first = facts.inputs.front().description;
  if (facts.inputs.size() == 1) return first;
  return fmt::format("{} files; the first: {}", facts.inputs.size(), first);
}

std::string job_text(const ClusterJob& job) {
  return fmt::format("{} {}: {}, {}, {} bytes of map output, {}, {} of processor time", job.what,
                     job.id, counted(job.maps, "map"), counted(job.reduces, "reduce"),
                     grouped(job.map_output_bytes), duration(job.wall_seconds),
                     duration(job.cpu_seconds));
}

std::string with_note(std::string text, const std::string& note) {
  return note.empty() ? text : fmt::format("{} ({})", text, note);
}

}  // namespace

std::string accounting(const FileTally& tally) {
  return fmt::format("{} read = {} used + {} rejected + {} missing + {} blank + {} header",
                     grouped(tally.read), grouped(tally.used), grouped(tally.rejected_total()),
                     grouped(tally.missing), grouped(tally.blank), grouped(tally.header));
}

void add_facts(Report& report, const JobFacts& facts) {
  report.head.push_back({"sniffed", input_text(facts)});
  report.head.push_back({"passes", with_note(fmt::format("{}", facts.passes), facts.passes_note)});
  report.head.push_back(
      {"tasks",
       with_note(
           facts.cluster.empty()
               ? fmt::format("{} on {}", grouped(facts.tasks), counted(facts.threads, "thread"))
               : fmt::format("{} on {} ({})", counted(facts.tasks, "map"),
                             facts.engine == "spark" ? "Spark" : "Hadoop", facts.cluster),
           facts.tasks_note)});
  for (const ClusterJob& job : facts.jobs) report.head.push_back({"job", job_text(job)});
  report.head.push_back({"records", accounting(facts.tally.total())});
  report.document.update(facts_json(facts));
}

void talk_about(const JobFacts& facts, const Console& console) {
  const FileTally total = facts.tally.total();
  for (std::size_t i = 0; i < kRejectKinds; ++i) {
    if (total.rejected[i] == 0) continue;
    const auto category = static_cast<Reject>(i);
    console.note(fmt::format("{}: {} ({})", counted(total.rejected[i], "bad record"),
                             to_string(category), explain(category)));
    std::size_t shown = 0;
    for (const RejectedRecord& record : facts.tally.samples(category)) {
      if (++shown > kShownSamples) break;
      const std::string name = record.file < facts.inputs.size()
                                   ? printable_path(facts.inputs[record.file].name)
                                   : std::string("input");
      console.note(fmt::format("  {}: byte {}: {}: \"{}\"", name, record.offset, record.reason,
                               record.text));
    }
  }
  for (const std::string& warning : facts.warnings) console.warn(warning);
}

Table plan_table(const std::vector<GroupPlan>& groups) {
  Table table{.name = "groups",
              .columns = {{"group", "group", true},
                          {"records", "records"},
                          {"planned_keys", "planned keys"},
                          {"kind"},
                          {"bits", "bits"},
                          {"hashes", "k"},
                          {"bits_per_key", "bits/key"},
                          {"bytes", "bytes"},
                          {"fpr", "fpr"},
                          {"predicted_fpr", "predicted fpr"}}};
  for (const GroupPlan& plan : groups) {
    const FilterSpec& spec = plan.spec;
    const std::uint64_t bytes = table_bytes(spec.kind, spec.bits);
    const auto keys = static_cast<double>(spec.planned_keys);
    table.rows.push_back(
        {Cell::bytes(plan.group), Cell::count(plan.records), Cell::count(spec.planned_keys),
         Cell::text(std::string(to_string(spec.kind))), Cell::count(spec.bits),
         Cell::count(spec.hashes),
         keys > 0 ? Cell::number(static_cast<double>(bytes) * 8 / keys) : Cell{.shown = "-"},
         Cell::count(bytes), Cell::rate(spec.fpr),
         Cell::rate(predicted_fpr(spec.kind, spec.planned_keys, spec.bits, spec.hashes))});
  }
  return table;
}

Result<std::uint64_t> planned_bank_bytes(const std::vector<GroupPlan>& groups, const Recipe& recipe,
                                         const TextMap& metadata) {
  std::vector<BankWriter::Entry> entries;
  entries.reserve(groups.size());
  for (const GroupPlan& plan : groups) entries.push_back({plan.group, plan.spec, 0});
  WriteOptions options;
  options.recipe = to_text(recipe);
  options.metadata = metadata;
  const auto plan = BankPlan::create(std::move(entries), options);
  if (!plan) return plan.error();
  return plan->file_size();
}

}  // namespace bloomery::cli
