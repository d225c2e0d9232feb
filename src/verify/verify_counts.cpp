#include "verify/verify_counts.h"

#include "base/error.h"

namespace bloomery {

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
