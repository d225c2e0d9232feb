#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "engines/hadoop/bytes.h"
#include "engines/hadoop/reduce_work.h"
#include "verify/candidate.h"
#include "verify/wire.h"

namespace bloomery::hadoop {
namespace {

// Candidates of one part come together: one part is held at a time.
class VerifyReduce : public ReduceWork {
 public:
  VerifyReduce(const Bank& bank, TaskOutput& output)
      : bank_(&bank), output_(&output), settled_(bank.entries().size()) {}

  Result<void> take(const Letter& letter) override {
    const auto bytes = std::as_bytes(std::span(letter.payload));
    if (letter.subject == Subject::kAsked) {
      const auto counts = decode_counts(bytes, *bank_);
      if (!counts) return counts.error();
      if (counts_) return counts_->merge(*counts);
      counts_ = *counts;
      return {};
    }
    if (letter.subject != Subject::kCandidates) {
      return make_error(ErrorCode::kDamaged, "task {}: a record of another job", letter.task);
    }
    if (letter.detail != part_) settle_part();
    part_ = letter.detail;
    const auto candidates = decode_candidates(bytes, *bank_);
    if (!candidates) return candidates.error();
    candidates_.insert(candidates_.end(), candidates->begin(), candidates->end());
    return {};
  }

  Result<void> finish() override {
    settle_part();
    if (auto sent = output_->put(Subject::kSettled, "", 0, as_text(encode(settled_, *bank_)));
        !sent) {
      return sent;
    }
    return counts_ ? output_->put(Subject::kAsked, "", 0, as_text(encode(*counts_)))
                   : Result<void>();
  }

 private:
  void settle_part() {
    compact(candidates_);
    settle(candidates_, settled_);
    candidates_.clear();
  }

  const Bank* bank_;
  TaskOutput* output_;
  std::string part_;
  std::vector<Candidate> candidates_;
  SettledGroups settled_;
  std::optional<VerifyCounts> counts_;
};

}  // namespace

std::unique_ptr<ReduceWork> verify_reduce(const Bank& bank, TaskOutput& output) {
  return std::make_unique<VerifyReduce>(bank, output);
}

}  // namespace bloomery::hadoop
