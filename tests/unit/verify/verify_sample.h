// Records and banks to verify, and the same counts made the slow and obvious way.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "bloomery/bank.h"
#include "support/sample_banks.h"
#include "verify/candidate_store.h"
#include "verify/conclude.h"
#include "verify/verify_map.h"

namespace bloomery::test {

struct Record {
  std::string group;
  std::string key;
};

// A bank in memory with the records in it, one group of every kind and hash, one of them empty.
class VerifyBank {
 public:
  // Filters for about `keys` keys a group. Records of groups that are not the bank's are left out.
  VerifyBank(std::span<const Record> records, std::uint64_t keys, double fpr);

  [[nodiscard]] const Bank& bank() const noexcept { return bank_; }
  // The groups of the bank, the empty one last.
  static std::vector<std::string> groups();

 private:
  AlignedBytes bytes_;
  Bank bank_;
};

// Records of the groups of a VerifyBank: `count` keys, some of them twice, some in two, three or
// all groups, some both.
std::vector<Record> mixed_records(std::size_t count, std::uint64_t seed);

// Runs the job: records in tasks of `task_size`, candidates into `store`.
struct JobRun {
  VerifyCounts counts;
  std::vector<Candidate> candidates;
};
JobRun run_tasks(const Bank& bank, std::span<const Record> records, std::size_t task_size,
                 const VerifyOptions& options = {});
Verification verify_in_memory(const Bank& bank, const JobRun& run);
Verification verify_all(const Bank& bank, std::span<const Record> records,
                        const VerifyOptions& options = {});

// With a set of keys for every group, and one question a record and group.
struct TrueCounts {
  std::uint64_t members = 0;
  std::uint64_t false_negatives = 0;
  std::uint64_t negatives = 0;
  std::uint64_t false_positives = 0;

  friend bool operator==(const TrueCounts&, const TrueCounts&) = default;
};
using TrueTable = std::map<std::string, TrueCounts>;
TrueTable count_by_brute_force(const Bank& bank, std::span<const Record> records);
TrueTable counts_of(const Verification& verification);
void PrintTo(const TrueCounts& counts, std::ostream* stream);  // NOLINT(*-identifier-naming)

}  // namespace bloomery::test
