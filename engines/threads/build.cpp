// The build job: read once and keep the hashes where they fit, else read twice or spill; then fill
// the filters and write the bank.
#include <fmt/core.h>

#include <algorithm>

#include "base/atomic_file.h"
#include "base/error.h"
#include "engines/describe_bank.h"
#include "engines/threads/collect.h"
#include "engines/threads/engine.h"
#include "engines/threads/filter_set.h"
#include "engines/threads/job.h"
#include "engines/threads/partials.h"

namespace bloomery {
namespace {

class Build {
 public:
  Build(const BuildJob& job, JobProgress* progress) : job_(&job), progress_(progress) {}

  Result<BuildResult> run() {
    if (!job_->overwrite) {
      if (auto absent = check_absent(job_->output); !absent) return absent.error();
    }
    auto setup = set_up(job_->input, job_->tasks, facts_);
    if (!setup) return setup.error();
    setup_ = *std::move(setup);
    auto filters = job_->plan ? fill_from_plan() : collect_and_fill();
    if (!filters) return filters.error();
    return write(*filters);
  }

 private:
  [[nodiscard]] std::uint64_t hash_memory() const { return bloomery::hash_memory(setup_->memory); }

  // Sizes are known: insert as the input is read.
  Result<FilterSet> fill_from_plan() {
    facts_.passes_note = "sizes come from the plan";
    return read_into_filters(*job_->plan);
  }

  Result<FilterSet> read_into_filters(std::vector<GroupPlan> plan) {
    auto filters = FilterSet::create(std::move(plan), filter_memory(setup_->memory));
    if (!filters) return filters;
    set_step(progress_, "building");
    if (job_->strategy) return read_through_partials(*std::move(filters));
    auto tally = read_inputs(*setup_, job_->input,
                             filters->fill_work(hash_memory() / 2 / setup_->threads), progress_);
    if (!tally) return tally.error();
    facts_.tally = *std::move(tally);
    return filters;
  }

  Result<FilterSet> read_through_partials(FilterSet filters) {
    auto pass = PartialPass::create(filters, setup_->tasks.size(), *job_->strategy,
                                    hash_memory() / setup_->threads);
    if (!pass) return pass.error();
    auto tally = read_inputs(*setup_, job_->input, (*pass)->make_work(), progress_);
    if (!tally) return tally.error();
    facts_.tally = *std::move(tally);
    auto shipped = (*pass)->finish();
    if (!shipped) return shipped.error();
    shipped_ = *std::move(shipped);
    return filters;
  }

  // Whether a key's hash can be kept until the size is known.
  [[nodiscard]] bool has_hashes() const {
    return job_->sizing.seeds.empty() && job_->sizing.dialect == Dialect::kBloomery;
  }
  [[nodiscard]] std::string_view why_no_hashes() const {
    return job_->sizing.seeds.empty() ? to_string(job_->sizing.dialect) : "a list of seeds";
  }

  Result<FilterSet> collect_and_fill() {
    CollectOptions options;
    options.needs_hashes = has_hashes();
    options.hasher = counting_hasher(job_->sizing);
    options.max_groups = job_->input.max_groups;
    options.counts_distinct = job_->distinct;
    options.hash_memory = hash_memory();
    options.count_memory = setup_->memory;
    options.may_reread = !job_->input.batches && can_reread(setup_->inputs);
    options.tmp = job_->tasks.tmp;
    if (!options.needs_hashes && !options.may_reread) {
      return make_error(ErrorCode::kUnsupported,
                        "{} has no single hash to keep and needs the input twice, but a pipe can "
                        "be read only once; give a file, or --plan-from",
                        why_no_hashes());
    }
    Collector collector(options);
    set_step(progress_, "reading");
    auto tally = read_inputs(*setup_, job_->input,
                             collector.make_work(task_count(*setup_, job_->input)), progress_);
    if (!tally) return tally.error();
    facts_.tally = *std::move(tally);
    auto plan = plan_groups(collector.take_counts(), job_->sizing);
    if (!plan) return plan.error();
    return fill(collector, *std::move(plan), options.may_reread);
  }

  Result<FilterSet> fill(Collector& collector, std::vector<GroupPlan> plan, bool may_reread) {
    if (job_->strategy && has_hashes() && !collector.has_all_hashes()) {
      return make_error(ErrorCode::kResource,
                        "--strategy needs the hashes of all tasks in memory, and they do not fit "
                        "{} bytes; allow more with --memory",
                        hash_memory());
    }
    if (!collector.has_all_hashes() && may_reread) {
      facts_.passes = 2;
      facts_.passes_note = has_hashes()
                               ? fmt::format("hashes do not fit {} bytes", hash_memory())
                               : fmt::format("{} has no single hash to keep", why_no_hashes());
      collector.drop_hashes();
      return read_into_filters(std::move(plan));
    }
    auto filters = FilterSet::create(std::move(plan), filter_memory(setup_->memory));
    if (!filters) return filters;
    set_step(progress_, "building");
    if (!collector.has_all_hashes()) {
      facts_.spilled_bytes = collector.spilled_bytes();
      facts_.passes_note = fmt::format("hashes do not fit {} bytes: {} spilled", hash_memory(),
                                       facts_.spilled_bytes);
      const auto filled = filters->fill_from_spill(collector, setup_->threads);
      if (!filled) return filled.error();
    } else if (job_->strategy) {
      auto shipped =
          fill_through_partials(*filters, collector.tasks(), *job_->strategy, setup_->threads);
      if (!shipped) return shipped.error();
      shipped_ = *std::move(shipped);
    } else {
      facts_.passes_note = "all hashes fit in memory";
      filters->fill_from(collector.tasks(), setup_->threads);
    }
    return filters;
  }

  Result<BuildResult> write(FilterSet& filters) {
    set_step(progress_, "writing");
    if (progress_ != nullptr && progress_->is_cancelled) {
      return make_error(ErrorCode::kIo, "interrupted; nothing was written");
    }
    std::vector<GroupFilter> entries;
    for (std::size_t i = 0; i < filters.size(); ++i) {
      if (filters.count(i) == 0) continue;
      entries.push_back({filters.plan(i).group, &filters.filter(i), filters.count(i)});
    }
    WriteOptions options;
    options.recipe = to_text(job_->input.recipe);
    options.metadata = job_->metadata;
    options.overwrite = job_->overwrite;
    options.threads = setup_->threads;
    if (const auto written = write_bank(job_->output, entries, options); !written) {
      return written.error();
    }
    std::vector<GroupPlan> plan;
    for (std::size_t i = 0; i < filters.size(); ++i) plan.push_back(filters.plan(i));
    auto result = describe_bank(job_->output, plan, setup_->threads);
    if (!result) return result;
    result->shipped = std::move(shipped_);
    warn_of_repeats(result->groups, facts_);
    setup_->clock.finish(facts_);
    result->facts = std::move(facts_);
    return result;
  }

  const BuildJob* job_;
  JobProgress* progress_;
  std::optional<JobSetup> setup_;
  JobFacts facts_;
  std::optional<ShippedBytes> shipped_;
};

}  // namespace

Result<BuildResult> run_build(const BuildJob& job, JobProgress* progress) {
  return Build(job, progress).run();
}

}  // namespace bloomery
