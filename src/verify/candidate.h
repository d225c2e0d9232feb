// Candidates for false positives, and what becomes of them.
//
//   takes   candidates from every map task, in any order
//   gives   per group the true members among them and the false positives
//
// A record of group a that group b admits is a candidate (key, a, b). It is a true member of b if
// some candidate of the same key has b as its own group, and a false positive otherwise. That is
// all that must be known, because filters deny no key they hold: had b a record with this key, that
// record would be admitted by a, and so be a candidate itself. Candidates are few (the rate times
// the records), so the data is never sorted or held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hash/key_id.h"

namespace bloomery {

// Stands for groups that the bank does not have.
inline constexpr std::uint32_t kOutside = UINT32_MAX;

// `records` records of group `own` with this key were admitted by `hit`. Both are indexes into
// Bank::entries(); `own` may be kOutside. With hit == own it says only that there are such records
// (Evidence::kAllRecords).
struct Candidate {
  KeyId key;
  std::uint32_t own = 0;
  std::uint32_t hit = 0;
  std::uint64_t records = 1;

  friend bool operator==(const Candidate&, const Candidate&) = default;
};

// Sorts by key, own and hit, and adds the records of equal ones up. What a combiner does; it
// changes no result.
void compact(std::vector<Candidate>& candidates);

// What the candidates say about one group. All of it adds, but for where it says otherwise.
struct SettledGroup {
  std::uint64_t shared = 0;           // records of other groups whose key is in this one too
  std::uint64_t true_hits = 0;        // of them, admitted: all, unless there are false negatives
  std::uint64_t false_positives = 0;  // records admitted whose key is not in this group
  // The sum over keys of the square of their false positives; stops at its largest value.
  std::uint64_t square_sum = 0;

  friend bool operator==(const SettledGroup&, const SettledGroup&) = default;
};

// One for each entry of the bank.
using SettledGroups = std::vector<SettledGroup>;

// Adds what `candidates` say to `groups`. Requires compact() candidates that hold all of a key's or
// none. Any way to share keys out to calls gives the same sums.
void settle(std::span<const Candidate> candidates, SettledGroups& groups);

// Adds the groups of `other`, of the same bank.
void merge(SettledGroups& groups, const SettledGroups& other);

}  // namespace bloomery
