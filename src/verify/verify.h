// A bank against the data: exact counts per group, and whether the rate keeps its promise.
//
//   takes   a bank, and the records as (group, key)
//   gives   VerifiedGroups, to the report
//
// The job in three steps, the same on every engine:
//   map     VerifyMap: probes every key in every group; counts, and candidates (verify_map.h)
//   reduce  settle(): candidates of one key together give true members and false positives
//           (candidate.h); CandidateStore does it on one machine
//   end     conclude(): counts to the table (conclude.h)
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace bloomery {

struct VerifiedGroup {
  std::string group;
  std::uint64_t members = 0;          // records of this group
  std::uint64_t false_negatives = 0;  // of them, denied
  std::uint64_t negatives = 0;        // records whose key is not in this group
  std::uint64_t false_positives = 0;  // of them, admitted
  double rate = 0;                    // false_positives / negatives
  // Its 95 % interval, after Wilson. A key that comes w times is one trial and not w, so where keys
  // that were admitted repeat, the interval is that of fewer negatives: conclude.h.
  double low = 0;
  double high = 0;
  double target = 0;     // the fpr it was planned for
  double predicted = 0;  // by the formula, for the keys it holds
  bool is_ok = true;     // no false negative, and not surely above 1.02 * max(target, predicted)
  // Negatives that a rate as small as the target needs to be shown to within 5 %.
  std::uint64_t needed_negatives = 0;
};

struct Verification {
  std::vector<VerifiedGroup> groups;  // in the order of the bank
  std::uint64_t records = 0;          // all that were asked: in the sample, if there is one
  // Records of groups that the bank does not have, by name. They are negatives of every group.
  std::map<std::string, std::uint64_t> outside;
  // The numbers are exact, to the unit. Where this is false, negatives and false positives may be
  // too high, never too low: verify_map.h says when, and how to make them exact.
  bool is_exact = true;
  bool is_ok = true;  // all groups are
};

}  // namespace bloomery
