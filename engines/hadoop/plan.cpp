#include "base/error.h"
#include "engines/hadoop/bytes.h"
#include "engines/hadoop/engine.h"
#include "engines/hadoop/plan_job.h"

namespace bloomery::hadoop {
namespace {

// Counts and registers of a hundred thousand groups fit.
constexpr std::uint64_t kPlanMemory = std::uint64_t{256} << 20U;

}  // namespace

Result<std::vector<GroupPlan>> plan_with(Session& session, const SizingRequest& sizing,
                                         bool distinct, const JobInput& input) {
  WorkerJob job = session.worker_job(JobKind::kPlan);
  job.distinct = distinct;
  const Hasher hasher = counting_hasher(sizing);
  job.hash = hasher.id();
  job.seed = hasher.seed();
  JobNeeds needs;
  needs.what = "plan";
  needs.reducers = session.options().reducers.value_or(1);
  needs.map_memory = kPlanMemory;
  needs.reduce_memory = kPlanMemory;
  std::vector<GroupCount> counts;
  const auto outcome = session.run(job, needs, [&](const Letter& letter) -> Result<void> {
    ByteReader in(letter.payload);
    GroupCount count;
    count.group = letter.detail;
    count.records = in.number();
    count.planned = in.number();
    if (!distinct) count.planned = count.records;
    if (letter.subject != Subject::kGroup || !in.is_good()) {
      return make_error(ErrorCode::kDamaged, "a count that makes no sense; run the job again");
    }
    counts.push_back(std::move(count));
    return {};
  });
  if (!outcome) return outcome.error();
  if (auto fine = session.judge(*outcome); !fine) return fine.error();
  if (auto few = check_group_count(counts.size(), input.max_groups); !few) return few.error();
  return plan_groups(std::move(counts), sizing);
}

Result<PlanResult> run_plan(const PlanJob& job, const HadoopOptions& options,
                            JobProgress* progress) {
  auto session = Session::open(job.input, job.tasks, options, progress);
  if (!session) return session.error();
  auto groups = plan_with(**session, job.sizing, job.distinct, job.input);
  if (!groups) return groups.error();
  PlanResult result;
  result.groups = *std::move(groups);
  (*session)->clock().finish((*session)->facts());
  result.facts = std::move((*session)->facts());
  return result;
}

}  // namespace bloomery::hadoop
