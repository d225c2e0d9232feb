// The map function of the verify job: asks every key of every group.
//
//   takes   records as (group, key), in batches
//   gives   VerifyCounts, and candidates for false positives to a sink
//
// Counts are per record. Counts and candidates of all tasks give the same table however the records
// were shared out.
//
// Candidates settle exactly when no record is denied by its own group and none of a group that the
// bank does not have is admitted anywhere: then two groups that share a key admit each other's
// records, and both are seen (candidate.h). This is checked on the data, not assumed. Where it does
// not hold, a true member may be taken for a false positive; Verification::is_exact is false, and
// running the job again with Evidence::kAllRecords gives exact numbers, at 32 bytes a record.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/bank.h"
#include "bloomery/result.h"
#include "group/key_reader.h"
#include "query/batch_prober.h"
#include "verify/candidate.h"
#include "verify/sample.h"
#include "verify/verify_counts.h"

namespace bloomery {

// Takes some thousand candidates at a time. An error ends the task.
using CandidateSink = std::function<Result<void>(std::span<const Candidate>)>;

struct VerifyOptions {
  KeySample sample;
  Evidence evidence = Evidence::kCandidates;
};

// One a task; belongs to one thread.
class VerifyMap {
 public:
  // Fails for a bank with a group that cannot be asked, because its secret is not known. `bank` and
  // `hashers`, which tasks share, must outlive the map.
  static Result<VerifyMap> create(const Bank& bank, const BankHashers& hashers, CandidateSink sink,
                                  const VerifyOptions& options = {});

  // Groups are numbered by the task, in the order of these calls: before add() uses an index, its
  // name must have been given.
  void add_group(std::string_view name);
  [[nodiscard]] std::size_t group_count() const noexcept { return groups_.size(); }

  // Records: keys[i] is of group groups[i]. Any number at a time; best are multiples of
  // BatchProber::kBatchKeys. After an error the task's counts mean nothing.
  Result<void> add(std::span<const std::string_view> keys, std::span<const std::uint32_t> groups);

  // The records of a batch, with the names of the groups that its reader knows by now.
  Result<void> add(const KeyBatch& batch, const GroupTable& names);

  // Asks what is left and sends the last candidates. The counts of the task, complete after this.
  Result<VerifyCounts> finish();

 private:
  struct TaskGroup {
    std::uint32_t entry = kOutside;
    std::string name;           // only of groups the bank does not have
    std::uint64_t records = 0;  // likewise
  };
  using Words = BatchProber::Words;

  VerifyMap(const Bank& bank, const BankHashers& hashers, CandidateSink sink,
            const VerifyOptions& options);

  void add_sampled(std::span<const std::string_view> keys, std::span<const std::uint32_t> groups);
  Result<void> ask_batch();
  void mark_owners();
  void unmark_owners();
  Result<void> ask_entry(std::size_t entry);
  Result<void> send_own_records();
  Result<void> add_candidate(std::size_t record, std::uint32_t hit);
  Result<void> send();
  const KeyId& id_of(std::size_t record);

  BatchProber prober_;
  CandidateSink sink_;
  VerifyCounts counts_;
  std::vector<TaskGroup> groups_;
  const Bank* bank_;

  // The batch at hand.
  std::vector<std::string_view> keys_;
  std::vector<std::string> copies_;     // of the keys, if there is a sample
  std::vector<std::uint32_t> owners_;   // entries, or kOutside
  std::vector<std::uint32_t> mask_of_;  // for each entry its place in masks_, or kNoMask
  std::vector<Words> masks_;            // for each group in the batch, which records are its own
  Words outside_{};                     // records of groups the bank does not have
  std::vector<KeyId> ids_;
  Words has_id_{};

  std::vector<Candidate> candidates_;
};

}  // namespace bloomery
