#include "verify/verify_counts.h"

#include <algorithm>

#include "base/error.h"

namespace bloomery {

std::uint64_t VerifyCounts::group_count() const noexcept {
  const auto is_used = [](const GroupTally& group) { return group.members > 0; };
  return outside.size() + static_cast<std::uint64_t>(std::ranges::count_if(groups, is_used));
}

Result<void> VerifyCounts::merge(const VerifyCounts& other) {
  if (bank_digest != other.bank_digest || groups.size() != other.groups.size()) {
    return make_error(ErrorCode::kMismatch,
                      "counts of two banks; give every task of the job the same bank");
  }
  if (evidence != other.evidence || sample != other.sample) {
    return make_error(ErrorCode::kMismatch,
                      "counts of two samples; give every task of the job the same options");
  }
  records += other.records;
  outside_hits += other.outside_hits;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i].members += other.groups[i].members;
    groups[i].denied += other.groups[i].denied;
    groups[i].hits += other.groups[i].hits;
  }
  for (const auto& [name, count] : other.outside) outside[name] += count;
  return {};
}

}  // namespace bloomery
