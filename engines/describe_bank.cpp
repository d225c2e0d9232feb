#include "engines/describe_bank.h"

#include <algorithm>

#include "base/error.h"

namespace bloomery {

Result<BuildResult> describe_bank(const std::string& path, std::span<const GroupPlan> plan,
                                  unsigned threads) {
  OpenOptions options;
  options.allow_locked = true;
  options.threads = threads;
  const auto bank = Bank::open(path, options);
  if (!bank) return bank.error();
  BuildResult result;
  for (const BankEntry& entry : bank->entries()) {
    const auto found = std::ranges::lower_bound(plan, entry.group(), {}, &GroupPlan::group);
    if (found == plan.end() || found->group != entry.group()) {
      return make_error(ErrorCode::kMismatch, "{}: somebody else has replaced it",
                        escaped(path, 4096));
    }
    result.groups.push_back({*found, entry.count(), entry.ones(),
                             estimated_keys(entry.filter().spec(), entry.ones()),
                             entry.filter().achieved_fpr()});
  }
  result.bank_bytes = bank->file_size();
  result.digest = bank->digest();
  return result;
}

void warn_of_repeats(const std::vector<BuiltGroup>& groups, JobFacts& facts) {
  std::size_t repeating = 0;
  for (const BuiltGroup& group : groups) {
    // A plan may be for other data, with more keys.
    const std::uint64_t expected = std::min(group.count, group.plan.spec.planned_keys);
    if (group.count >= 100 && group.estimated_keys < 0.8 * static_cast<double>(expected)) {
      ++repeating;
    }
  }
  if (repeating > 0) {
    facts.warnings.push_back(
        fmt::format("{} of {} groups hold far fewer distinct keys than records; --distinct sizes "
                    "for the keys and saves the space",
                    repeating, groups.size()));
  }
}

}  // namespace bloomery
