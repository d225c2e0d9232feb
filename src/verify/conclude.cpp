#include "verify/conclude.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "bloomery/sizing.h"
#include "verify/interval.h"

namespace bloomery {
namespace {

// How far above its promise a rate must surely be to fail.
constexpr double kMargin = 1.02;
// A rate counts as shown when it is known to within this share of itself.
constexpr double kShown = 0.05;

double predicted_for(const BankEntry& entry) {
  const FilterSpec& spec = entry.filter().spec();
  std::uint64_t keys = entry.count();
  const double estimate = estimated_keys(spec, entry.ones());
  const auto count = static_cast<double>(keys);
  if (estimate < count - 6 * std::sqrt(count))
    keys = static_cast<std::uint64_t>(std::llround(estimate));
  return predicted_fpr(spec.kind, keys, spec.bits, spec.hashes);
}

// What the filter's own bits promise, as far as chance explains it: of a few hundred keys some more
// positions differ than usual, or more keys share a block. 4 is sure for any number of groups that
// a bank can hold; a filter with too many keys is beyond it.
double promised_by_bits(const BankEntry& entry, double promise) {
  const FilterSpec& spec = entry.filter().spec();
  const auto keys = static_cast<double>(std::max<std::uint64_t>(1, entry.count()));
  const double load = spec.hashes * keys / static_cast<double>(spec.bits);
  const double spread = spec.hashes * load / std::expm1(load) / std::sqrt(keys);
  return std::min(entry.filter().achieved_fpr(), promise * (1 + 4 * spread));
}

// Accidents that do not depend on each other: records of one key that is admitted are one.
struct Accidents {
  double seen = 0;
  double trials = 0;
};

Accidents accidents_of(const VerifiedGroup& group, std::uint64_t square_sum,
                       std::uint64_t doubtful = 0) {
  const auto seen =
      static_cast<double>(group.false_positives - std::min(doubtful, group.false_positives));
  // Of false positives without repeats the squares sum up to their number.
  const double repeats = seen == 0 ? 1 : std::max(1.0, static_cast<double>(square_sum) / seen);
  return {seen / repeats, static_cast<double>(group.negatives) / repeats};
}

// No group of a bank that keeps its promise may fail by accident, however many there are: `surely`
// is the lower end that 95 % of such banks are above in no group.
bool keeps_promise(const BankEntry& entry, const VerifiedGroup& group, double surely) {
  const double promise = std::max(group.target, group.predicted);
  if (surely <= kMargin * promise) return true;
  return surely <= kMargin * promised_by_bits(entry, promise);
}

// `doubtful`: false positives that may be none, of this group or another.
VerifiedGroup judge(const BankEntry& entry, const GroupTally& tally, const SettledGroup& settled,
                    const VerifyCounts& counts, std::uint64_t doubtful) {
  VerifiedGroup group;
  group.group = entry.group();
  group.members = tally.members;
  group.false_negatives = tally.denied;
  group.negatives = counts.records - tally.members - settled.shared;
  group.false_positives = settled.false_positives;
  if (group.negatives != 0) {
    group.rate = static_cast<double>(group.false_positives) / static_cast<double>(group.negatives);
  }
  const Accidents all = accidents_of(group, settled.square_sum);
  const Interval interval = wilson_interval(all.seen, all.trials);
  group.low = interval.low;
  group.high = interval.high;
  group.target = entry.filter().spec().fpr;
  group.predicted = predicted_for(entry);
  const Accidents certain = accidents_of(group, settled.square_sum, doubtful);
  const double surely = sure_low(certain.seen, certain.trials, counts.groups.size());
  group.is_ok = group.false_negatives == 0 && keeps_promise(entry, group, surely);
  group.needed_negatives = trials_to_show(group.target, kShown);
  return group;
}

// Every hit is a candidate, and every candidate is settled one way or the other.
Result<void> check_all_settled(const Bank& bank, const VerifyCounts& counts,
                               const SettledGroups& settled) {
  if (counts.bank_digest != bank.digest() || counts.groups.size() != settled.size()) {
    return make_error(ErrorCode::kMismatch,
                      "counts of another bank; give every task of the job the same bank");
  }
  for (std::size_t i = 0; i < settled.size(); ++i) {
    const GroupTally& tally = counts.groups[i];
    const SettledGroup& group = settled[i];
    const std::uint64_t found = group.true_hits + group.false_positives;
    if (found == tally.hits && group.true_hits <= group.shared &&
        tally.members + group.shared + group.false_positives <= counts.records) {
      continue;
    }
    return make_error(ErrorCode::kMismatch,
                      "group \"{}\": {} hits were counted and {} arrived; a task's candidates were "
                      "lost or came twice, run the job again",
                      escaped(bank.entries()[i].group()), tally.hits, found);
  }
  return {};
}

}  // namespace

Result<Verification> conclude(const Bank& bank, const VerifyCounts& counts,
                              const SettledGroups& settled) {
  if (auto checked = check_all_settled(bank, counts, settled); !checked) return checked.error();
  Verification result;
  result.records = counts.records;
  result.outside = counts.outside;
  const bool has_denials =
      std::ranges::any_of(counts.groups, [](const GroupTally& tally) { return tally.denied != 0; });
  result.is_exact =
      counts.evidence == Evidence::kAllRecords || (!has_denials && counts.outside_hits == 0);
  // A stranger that a group admits may be one of its keys: that is no reason to fail it.
  const std::uint64_t doubtful = result.is_exact ? 0 : counts.outside_hits;
  for (std::size_t i = 0; i < settled.size(); ++i) {
    result.groups.push_back(
        judge(bank.entries()[i], counts.groups[i], settled[i], counts, doubtful));
    result.is_ok = result.is_ok && result.groups.back().is_ok;
  }
  return result;
}

}  // namespace bloomery
