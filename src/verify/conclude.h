// The end of the verify job: counts to the table, with a verdict for every group.
//
//   takes   the merged counts of all tasks, and what became of all candidates
//   gives   a Verification, to the report
//
// Decisions.
// - A group fails when it denied one of its records, or when its rate is surely above
//   1.02 * max(target, predicted): docs/decisions/verdict.md. Surely: by the lower end of an
//   interval that is 95 % for all groups of the bank together; and by more than the filter's own
//   bits explain, where these are as chance may set them.
// - predicted is the formula's rate for the distinct keys that the filter holds. That is the count
//   of the bank, unless the fill says that there are clearly fewer, by more than 6 * sqrt(count):
//   then keys repeat, and it is the estimate from the fill.
// - Keys repeat in the data too. w records of one key are one trial, so with the weights w of the
//   keys that were false positives the interval is Wilson's for counts divided by
//   sum(w^2) / sum(w). Without repeats this is 1 and changes nothing.
#pragma once

#include "bloomery/bank.h"
#include "bloomery/result.h"
#include "verify/candidate.h"
#include "verify/verify.h"
#include "verify/verify_counts.h"

namespace bloomery {

// Fails when the counts are of another bank, or when candidates are missing or came twice.
Result<Verification> conclude(const Bank& bank, const VerifyCounts& counts,
                              const SettledGroups& settled);

}  // namespace bloomery
