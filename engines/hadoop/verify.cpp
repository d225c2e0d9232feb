#include "base/error.h"
#include "engines/hadoop/engine.h"
#include "engines/hadoop/session.h"
#include "verify/conclude.h"
#include "verify/wire.h"

#include <filesystem>

namespace bloomery::hadoop {
namespace {

constexpr std::uint64_t kVerifyMemory = std::uint64_t{256} << 20U;

// One pass over the data.
Result<Verification> verify_once(Session& session, const Bank& bank, const VerifyOptions& options,
                                 const std::string& bank_file) {
  WorkerJob job = session.worker_job(JobKind::kVerify);
  job.sample_last = options.sample.last();
  job.evidence = options.evidence;
  JobNeeds needs;
  needs.what = "verify";
  needs.reducers = session.options().reducers.value_or(1);
  // A mapped bank is no memory of ours, but a container counts it.
  needs.map_memory = kVerifyMemory + bank.file_size();
  needs.reduce_memory = kVerifyMemory + bank.file_size();
  needs.files = {fmt::format("{}#{}", bank_file, kBankFile)};
  SettledGroups settled(bank.entries().size());
  std::optional<VerifyCounts> counts;
  const auto outcome = session.run(job, needs, [&](const Letter& letter) -> Result<void> {
    const auto bytes = std::as_bytes(std::span(letter.payload));
    if (letter.subject == Subject::kSettled) {
      const auto part = decode_settled(bytes, bank);
      if (!part) return part.error();
      merge(settled, *part);
      return {};
    }
    auto found = decode_counts(bytes, bank);
    if (!found) return found.error();
    if (counts) return counts->merge(*found);
    counts = *std::move(found);
    return {};
  });
  if (!outcome) return outcome.error();
  if (auto fine = session.judge(*outcome); !fine) return fine.error();
  if (!counts) return make_error(ErrorCode::kDamaged, "no counts have come; run the job again");
  if (auto few = check_group_count(counts->group_count(), session.input().max_groups); !few)
    return few.error();
  return conclude(bank, *counts, settled);
}

}  // namespace

Result<VerifyResult> run_verify(const Bank& bank, const std::string& bank_path,
                                const VerifyJob& job, const HadoopOptions& options,
                                JobProgress* progress) {
  const auto sample = KeySample::create(job.sample);
  if (!sample) return sample.error();
  auto session = Session::open(job.input, job.tasks, options, progress);
  if (!session) return session.error();
  // The very file that was opened here. Its path may hold what means something to Hadoop; a link
  // beside the job's files does not.
  const std::filesystem::path link = std::filesystem::path((*session)->folder()) / kBankFile;
  std::error_code error;
  std::filesystem::create_symlink(std::filesystem::absolute(bank_path), link, error);
  if (error) return make_error(ErrorCode::kIo, "{}: {}", link.string(), error.message());
  const std::string bank_file = "file://" + link.string();
  VerifyOptions verify{*sample, Evidence::kCandidates};
  VerifyResult result;
  while (true) {
    auto verification = verify_once(**session, bank, verify, bank_file);
    if (!verification) return verification.error();
    result.verification = *std::move(verification);
    if (result.verification.is_exact || verify.evidence == Evidence::kAllRecords) break;
    // Rare: the bank denied records or admitted strangers, so every record must bear witness.
    verify.evidence = Evidence::kAllRecords;
    (*session)->facts().passes = 2;
    (*session)->facts().passes_note =
        "the bank does not hold all of the data, so counting it exactly takes a second job";
  }
  (*session)->clock().finish((*session)->facts());
  result.facts = std::move((*session)->facts());
  return result;
}

}  // namespace bloomery::hadoop
