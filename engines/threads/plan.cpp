#include "engines/threads/collect.h"
#include "engines/threads/engine.h"
#include "engines/threads/job.h"

namespace bloomery {

Result<PlanResult> run_plan(const PlanJob& job, JobProgress* progress) {
  PlanResult result;
  auto setup = set_up(job.input, job.tasks, result.facts);
  if (!setup) return setup.error();
  CollectOptions options;
  options.hasher = counting_hasher(job.sizing);
  options.max_groups = job.input.max_groups;
  options.needs_hashes = false;
  options.counts_distinct = job.distinct;
  options.count_memory = setup->memory;
  Collector collector(options);
  set_step(progress, "reading");
  auto tally =
      read_inputs(*setup, job.input, collector.make_work(task_count(*setup, job.input)), progress);
  if (!tally) return tally.error();
  auto groups = plan_groups(collector.take_counts(), job.sizing);
  if (!groups) return groups.error();
  result.groups = *std::move(groups);
  result.facts.tally = *std::move(tally);
  setup->clock.finish(result.facts);
  return result;
}

}  // namespace bloomery
