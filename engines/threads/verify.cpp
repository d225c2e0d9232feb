#include <mutex>

#include "engines/threads/engine.h"
#include "engines/threads/job.h"
#include "query/batch_prober.h"
#include "verify/candidate_store.h"
#include "verify/conclude.h"
#include "verify/verify_map.h"

namespace bloomery {
namespace {

// All tasks of one pass over the data.
class VerifyPass {
 public:
  VerifyPass(const Bank& bank, const BankHashers& hashers, VerifyOptions options,
             std::uint64_t memory, const std::string& tmp)
      : bank_(&bank),
        hashers_(&hashers),
        options_(options),
        counts_(bank, options.evidence, options.sample),
        store_(memory, tmp) {}

  MakeWork make_work() {
    return [this](std::size_t) { return std::make_unique<Work>(*this); };
  }

  Result<Verification> conclude(unsigned threads, std::uint64_t max_groups) {
    if (auto few = check_group_count(counts_.group_count(), max_groups); !few) return few.error();
    const auto settled = store_.settle_all(bank_->entries().size(), threads);
    if (!settled) return settled.error();
    return bloomery::conclude(*bank_, counts_, *settled);
  }

  [[nodiscard]] std::uint64_t spilled_bytes() const noexcept { return store_.spilled_bytes(); }

 private:
  class Work : public TaskWork {
   public:
    explicit Work(VerifyPass& pass)
        : pass_(&pass),
          map_(VerifyMap::create(
              *pass.bank_, *pass.hashers_,
              [&pass](std::span<const Candidate> found) { return pass.store_.add(found); },
              pass.options_)) {}

    Result<void> take(const KeyBatch& batch, const GroupTable& groups) override {
      return map_ ? map_->add(batch, groups) : map_.error();
    }

    Result<void> finish() override {
      if (!map_) return map_.error();
      const auto counts = map_->finish();
      if (!counts) return counts.error();
      const std::scoped_lock lock(pass_->mutex_);
      return pass_->counts_.merge(*counts);
    }

   private:
    VerifyPass* pass_;
    Result<VerifyMap> map_;
  };

  const Bank* bank_;
  const BankHashers* hashers_;
  VerifyOptions options_;
  std::mutex mutex_;
  VerifyCounts counts_;
  CandidateStore store_;
};

}  // namespace

Result<VerifyResult> run_verify(const Bank& bank, const VerifyJob& job, JobProgress* progress) {
  VerifyResult result;
  auto setup = set_up(job.input, job.tasks, result.facts);
  if (!setup) return setup.error();
  const auto sample = KeySample::create(job.sample);
  if (!sample) return sample.error();
  const BankHashers hashers(bank);
  VerifyOptions options{*sample, Evidence::kCandidates};
  while (true) {
    VerifyPass pass(bank, hashers, options, setup->memory / 2, job.tasks.tmp);
    set_step(progress, "verifying");
    auto tally = read_inputs(*setup, job.input, pass.make_work(), progress);
    if (!tally) return tally.error();
    auto verification = pass.conclude(setup->threads, job.input.max_groups);
    if (!verification) return verification.error();
    result.verification = *std::move(verification);
    result.facts.tally = *std::move(tally);
    result.facts.spilled_bytes += pass.spilled_bytes();
    const bool is_last = result.verification.is_exact ||
                         options.evidence == Evidence::kAllRecords ||
                         job.input.batches != nullptr || !can_reread(setup->inputs);
    if (is_last) break;
    // Rare: the bank denied records or admitted strangers, so every record must bear witness.
    options.evidence = Evidence::kAllRecords;
    result.facts.passes = 2;
    result.facts.passes_note =
        "the bank does not hold all of the data, so counting it exactly takes a second pass";
  }
  setup->clock.finish(result.facts);
  return result;
}

}  // namespace bloomery
