// The build job: plan and build, two jobs, unless the plan is given; then the bank, block by block.
#include <algorithm>
#include <filesystem>
#include <map>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/file.h"
#include "engines/describe_bank.h"
#include "engines/hadoop/block_routes.h"
#include "engines/hadoop/bytes.h"
#include "engines/hadoop/engine.h"
#include "engines/hadoop/group_weight.h"
#include "engines/hadoop/plan_job.h"
#include "engines/hadoop/session.h"
#include "partial/blocks.h"

namespace bloomery::hadoop {
namespace {

// What a worker may take where nobody says otherwise.
constexpr std::uint64_t kDefaultMemory = std::uint64_t{1} << 30U;
// For what is not a table: hashes, buffers, the program.
constexpr std::uint64_t kBesideTables = std::uint64_t{192} << 20U;
constexpr std::uint64_t kReducerBytes = std::uint64_t{256} << 20U;
constexpr std::uint64_t kMostReducers = 64;

class Build {
 public:
  Build(const BuildJob& job, const HadoopOptions& options, JobProgress* progress)
      : job_(&job),
        options_(&options),
        progress_(progress),
        strategy_(job.strategy.value_or(Strategy::kAuto)) {}

  Result<BuildResult> run() {
    if (auto fine = check_output(); !fine) return fine.error();
    auto session = Session::open(job_->input, job_->tasks, *options_, progress_);
    if (!session) return session.error();
    session_ = session->get();
    JobFacts& facts = session_->facts();
    if (job_->plan) {
      plan_ = *job_->plan;
      facts.passes_note = "sizes come from the plan";
    } else {
      auto plan = plan_with(*session_, job_->sizing, job_->distinct, job_->input);
      if (!plan) return plan.error();
      plan_ = *std::move(plan);
      facts.passes = 2;
      facts.passes_note = "one job to plan, one to build";
    }
    auto needs = needs_of();
    if (!needs) return needs.error();
    auto result = build(*needs);
    if (!result) return result;
    session_->clock().finish(facts);
    result->facts = std::move(facts);
    return result;
  }

 private:
  Result<void> check_output() {
    if (!is_remote(job_->output)) {
      return job_->overwrite ? Result<void>() : check_absent(job_->output);
    }
    if (job_->output.find_first_of("{}[]*?\\\n") != std::string::npos) {
      return make_error(ErrorCode::kInvalidArgument,
                        "--output {}: Hadoop takes {{ }} [ ] * ? and \\ in a name for a pattern; "
                        "name a file",
                        printable_path(job_->output));
    }
    const auto found = Client(options_->commands).list({job_->output});
    if (!found) {
      return found.error().code == ErrorCode::kNotFound ? Result<void>()
                                                        : Result<void>(found.error());
    }
    if (found->front().is_folder) {
      return make_error(ErrorCode::kInvalidArgument, "--output {}: is a folder; name a file in it",
                        printable_path(job_->output));
    }
    return job_->overwrite ? Result<void>() : Result<void>(exists_error(job_->output));
  }

  // A key is hashed once, for all groups.
  [[nodiscard]] Result<void> check_hashes() const {
    if (plan_.empty()) {
      return make_error(ErrorCode::kInvalidArgument, "the plan has no group; plan from the data");
    }
    const GroupPlan& first = plan_.front();
    for (const GroupPlan& group : plan_) {
      if (group.spec.hasher == first.spec.hasher && group.spec.seeds == first.spec.seeds) continue;
      return make_error(ErrorCode::kMismatch,
                        "groups \"{}\" and \"{}\" are planned with different hashes or seeds; "
                        "plan them together",
                        escaped(first.group), escaped(group.group));
    }
    return {};
  }

  // Refuses what no task could hold, before the job starts.
  Result<JobNeeds> needs_of() {
    if (const auto fine = check_hashes(); !fine) return fine.error();
    const std::uint64_t limit = job_->tasks.memory != 0 ? job_->tasks.memory : kDefaultMemory;
    std::uint64_t all = 0;
    std::uint64_t largest = 0;
    std::uint64_t whole = kPartialBlockBytes;
    const GroupPlan* heaviest = nullptr;
    for (const GroupPlan& group : plan_) {
      const std::uint64_t bytes = table_bytes(group.spec.kind, group.spec.bits);
      all += bytes;
      if (bytes > largest) heaviest = &group;
      largest = std::max(largest, bytes);
      if (is_merged_whole(group.spec, strategy_)) whole = std::max(whole, bytes);
    }
    const bool takes_hashes = plan_.front().spec.takes_hashes();
    if (!takes_hashes && strategy_ == Strategy::kIndexes) {
      return make_error(ErrorCode::kUnsupported,
                        "--strategy indexes: filters of this kind of hash are shipped as bits; use "
                        "auto or filters");
    }
    JobNeeds needs;
    needs.what = "build";
    // A map holds one table at a time, and what encodes it; or all, where keys go straight in.
    const std::uint64_t tables = !takes_hashes                     ? all
                                 : strategy_ == Strategy::kIndexes ? 0
                                                                   : 2 * largest;
    needs.map_memory = tables + kBesideTables;
    needs.reduce_memory = whole + (kBesideTables / 2);
    const std::uint64_t most = std::max(needs.map_memory, needs.reduce_memory);
    if (most > limit) {
      return make_error(ErrorCode::kResource,
                        "group \"{}\": its filter takes {} bytes, and a task with strategy {} "
                        "would take {}, more than {} {}; allow more with --memory, use a higher "
                        "-p{}",
                        escaped(heaviest->group), largest, to_string(strategy_), most,
                        job_->tasks.memory != 0 ? "--memory" : "the default of --memory,", limit,
                        takes_hashes && strategy_ != Strategy::kIndexes
                            ? ", or --strategy indexes, which holds no filter"
                            : "");
    }
    const std::uint64_t wanted = std::clamp<std::uint64_t>(all / kReducerBytes, 1, kMostReducers);
    needs.reducers = options_->reducers.value_or(static_cast<std::uint32_t>(wanted));
    return needs;
  }

  Result<BuildResult> build(const JobNeeds& needs) {
    WorkerJob job = session_->worker_job(JobKind::kBuild);
    job.plan = plan_;
    job.strategy = strategy_;
    job.memory = needs.map_memory;
    // They are in the file already, from the plan's records.
    if (!job_->plan) job.wants_rejects = false;
    const auto outcome =
        session_->run(job, needs, [&](const Letter& letter) { return take(letter); });
    if (!outcome) return outcome.error();
    if (job_->plan) {
      if (auto fine = session_->judge(*outcome); !fine) return fine.error();
    } else if (outcome->reports.tally.files() != session_->facts().tally.files()) {
      return make_error(ErrorCode::kMismatch,
                        "the plan job and the build job have read different records; was the input "
                        "changed while they ran?");
    }
    if (session_->is_cancelled()) {
      return make_error(ErrorCode::kIo, "interrupted; nothing was written");
    }
    return write(*outcome);
  }

  // All but the blocks, which are read again when the bank is there to take them.
  Result<void> take(const Letter& letter) {
    const auto group = group_of(letter);
    if (!group) return group.error();
    if (letter.subject == Subject::kCount) counts_[*group] += ByteReader(letter.payload).number();
    if (letter.subject != Subject::kWeight) return {};
    auto weight = decode_weight(letter.payload);
    if (!weight) return weight.error();
    weights_.push_back(*std::move(weight));
    return {};
  }

  [[nodiscard]] Result<std::uint32_t> group_of(const Letter& letter) const {
    if (letter.detail.size() == 2 * sizeof(std::uint32_t)) {
      const auto group = load_be<std::uint32_t>(letter.detail.data());
      if (group < plan_.size()) return group;
    }
    return make_error(ErrorCode::kDamaged, "a record of no group; run the job again");
  }

  Result<BuildResult> write(const JobOutcome& outcome) {
    if (progress_ != nullptr) progress_->step = "writing";
    const bool is_far = is_remote(job_->output);
    const std::string path = is_far ? session_->folder() + "/bank" : job_->output;
    std::vector<BankWriter::Entry> entries;
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      const auto count = counts_.find(static_cast<std::uint32_t>(i));
      if (count == counts_.end() || count->second == 0) continue;
      entries.push_back({plan_[i].group, plan_[i].spec, count->second});
    }
    WriteOptions options;
    options.recipe = to_text(job_->input.recipe);
    options.metadata = job_->metadata;
    options.overwrite = job_->overwrite;
    auto writer = BankWriter::create(path, std::move(entries), options);
    if (!writer) return writer.error();
    const auto read = Session::each_letter_of(outcome, [&](const Letter& letter) {
      return letter.subject == Subject::kBlock ? put_block(*writer, letter) : Result<void>();
    });
    if (!read) return read.error();
    if (auto done = writer->commit(); !done) return done.error();
    auto result = describe_bank(path, plan_, 0);
    if (!result) return result;
    if (is_far) {
      if (auto put = put_bank(path); !put) return put.error();
    }
    result->shipped.emplace();
    result->shipped->strategy = strategy_;
    result->shipped->bytes = session_->facts().jobs.back().map_output_bytes;
    std::ranges::sort(weights_, {}, &GroupBytes::group);
    result->shipped->groups = std::move(weights_);
    warn_of_repeats(result->groups, session_->facts());
    return result;
  }

  Result<void> put_block(BankWriter& writer, const Letter& letter) const {
    const auto group = group_of(letter);
    if (!group) return group.error();
    const auto block = load_be<std::uint32_t>(letter.detail.data() + sizeof *group);
    return writer.write(plan_[*group].group, TableBlocks::first_byte(block),
                        std::as_bytes(std::span(letter.payload)));
  }

  // Beside its place first, and then moved: a bank appears whole. There is no rename that replaces,
  // so one that is to be replaced steps aside, and comes back if the new one cannot take its place.
  // Those few moves are not interrupted.
  Result<void> put_bank(const std::string& path) const {
    const Client firm(options_->commands);
    const std::string temporary = job_->output + "._tmp_" + session_->token();
    const std::string old = job_->output + "._old_" + session_->token();
    auto put = session_->client().put(path, temporary);
    if (put && session_->is_cancelled()) {
      put = make_error(ErrorCode::kIo, "interrupted; nothing was written");
    }
    if (!put) {
      (void)firm.remove_file(temporary);
      return put;
    }
    const auto has_old = job_->overwrite ? firm.exists(job_->output) : Result<bool>(false);
    if (!has_old) return has_old.error();
    if (*has_old) {
      if (auto aside = firm.move(job_->output, old); !aside) return aside;
    }
    if (auto moved = firm.move(temporary, job_->output); !moved) {
      const bool is_back = !*has_old || firm.move(old, job_->output);
      if (is_back) (void)firm.remove_file(temporary);
      return make_error(ErrorCode::kIo, "{}{}", moved.error().message,
                        is_back ? std::string()
                                : fmt::format("; the old bank is {}, the new one {}",
                                              printable_path(old), printable_path(temporary)));
    }
    if (*has_old) (void)firm.remove_file(old);
    return {};
  }

  const BuildJob* job_;
  const HadoopOptions* options_;
  JobProgress* progress_;
  Strategy strategy_;
  Session* session_ = nullptr;
  std::vector<GroupPlan> plan_;
  std::map<std::uint32_t, std::uint64_t> counts_;
  std::vector<GroupBytes> weights_;
};

}  // namespace

Result<BuildResult> run_build(const BuildJob& job, const HadoopOptions& options,
                              JobProgress* progress) {
  return Build(job, options, progress).run();
}

}  // namespace bloomery::hadoop
