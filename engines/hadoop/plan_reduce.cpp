#include "base/error.h"
#include "engines/hadoop/bytes.h"
#include "engines/hadoop/reduce_work.h"
#include "plan/distinct.h"

namespace bloomery::hadoop {
namespace {

// Letters of one group come together: one group is held at a time.
class PlanReduce : public ReduceWork {
 public:
  explicit PlanReduce(TaskOutput& output) : output_(&output) {}

  Result<void> take(const Letter& letter) override {
    if (letter.detail != group_) {
      if (auto sent = finish(); !sent) return sent;
      group_ = letter.detail;
    }
    ByteReader in(letter.payload);
    records_ += in.number();
    const auto distinct = DistinctCounter::from_bytes(in.text());
    if (!in.is_good() || !distinct) {
      return make_error(ErrorCode::kDamaged, "task {}: a count that makes no sense", letter.task);
    }
    distinct_.merge(*distinct);
    return {};
  }

  Result<void> finish() override {
    if (records_ == 0) return {};
    ByteWriter payload;
    payload.number(records_).number(distinct_.estimate());
    records_ = 0;
    distinct_ = {};
    return output_->put(Subject::kGroup, group_, 0, payload.take());
  }

 private:
  TaskOutput* output_;
  std::string group_;
  std::uint64_t records_ = 0;
  DistinctCounter distinct_;
};

}  // namespace

std::unique_ptr<ReduceWork> plan_reduce(TaskOutput& output) {
  return std::make_unique<PlanReduce>(output);
}

}  // namespace bloomery::hadoop
