// A bank against the data: exact counts per group, and whether the rate keeps its promise.
#pragma once

#include <cstdint>
#include <string>

namespace bloomery {

struct VerifiedGroup {
  std::string group;
  std::uint64_t members = 0;          // records of this group
  std::uint64_t false_negatives = 0;  // of them, denied
  std::uint64_t negatives = 0;        // records whose key is not in this group
  std::uint64_t false_positives = 0;  // of them, admitted
  double rate = 0;                    // false_positives / negatives
  double low = 0;                     // its 95 % interval, after Wilson
  double high = 0;
  double target = 0;     // the fpr it was planned for
  double predicted = 0;  // by the formula, for the keys it holds
  bool is_ok = true;     // no false negative, and low <= 1.02 * max(target, predicted)
  // Negatives that a rate as small as the target needs to be shown to within 5 %.
  std::uint64_t needed_negatives = 0;
};

}  // namespace bloomery
