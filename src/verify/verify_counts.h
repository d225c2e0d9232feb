// What map tasks of the verify job count; the counts of all tasks add up.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/checksum.h"
#include "bloomery/bank.h"
#include "bloomery/result.h"
#include "verify/sample.h"

namespace bloomery {

// For which records a task says in which group they are.
enum class Evidence : std::uint8_t {
  kCandidates = 0,  // those that a foreign group admits: all it takes, as a rule
  kAllRecords = 1,  // every record, at 32 bytes each: exact whatever the data; see verify_map.h
};

struct GroupTally {
  std::uint64_t members = 0;  // records of this group
  std::uint64_t denied = 0;   // of them, denied: false negatives
  std::uint64_t hits = 0;     // records of other groups that it admits

  friend bool operator==(const GroupTally&, const GroupTally&) = default;
};

struct VerifyCounts {
  VerifyCounts() = default;
  VerifyCounts(const Bank& bank, Evidence how, const KeySample& taken)
      : bank_digest(bank.digest()), evidence(how), sample(taken), groups(bank.entries().size()) {}

  Digest bank_digest{};
  Evidence evidence = Evidence::kCandidates;
  KeySample sample;

  std::uint64_t records = 0;       // that were asked
  std::uint64_t outside_hits = 0;  // answers "maybe" to records of groups the bank does not have
  std::vector<GroupTally> groups;  // in the order of the bank
  std::map<std::string, std::uint64_t> outside;  // records of groups the bank does not have

  // That the records were of.
  [[nodiscard]] std::uint64_t group_count() const noexcept;

  // Adds the counts of another task. Fails, changing nothing, unless both asked the same bank in
  // the same way.
  Result<void> merge(const VerifyCounts& other);

  friend bool operator==(const VerifyCounts&, const VerifyCounts&) = default;
};

}  // namespace bloomery
