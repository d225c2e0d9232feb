#include <array>

#include "engines/hadoop/bytes.h"
#include "engines/hadoop/map_work.h"
#include "engines/hadoop/route.h"
#include "plan/distinct.h"

namespace bloomery::hadoop {
namespace {

class PlanWork : public TaskWork {
 public:
  PlanWork(const WorkerJob& job, const Hasher& hasher, TaskOutput& output)
      : counts_distinct_(job.distinct), hasher_(hasher), output_(&output) {}

  Result<void> take(const KeyBatch& batch, const GroupTable& names) override {
    names_ = &names;
    records_.resize(names.size());
    for (const std::uint32_t group : batch.groups) ++records_[group];
    if (!counts_distinct_) return {};
    distinct_.resize(names.size());
    hasher_.hash_all(batch.keys, hashes_);
    for (std::size_t i = 0; i < batch.keys.size(); ++i) {
      distinct_[batch.groups[i]].insert(hashes_[i]);
    }
    return {};
  }

  Result<void> finish() override {
    for (std::uint32_t i = 0; i < records_.size(); ++i) {
      if (records_[i] == 0) continue;
      ByteWriter payload;
      payload.number(records_[i]);
      payload.text(counts_distinct_ ? distinct_[i].to_bytes() : std::string());
      const std::string& name = names_->name(i);
      auto sent = output_->put(Subject::kGroup, name, partition_of(name, output_->receivers()),
                               payload.take());
      if (!sent) return sent;
    }
    return {};
  }

 private:
  bool counts_distinct_;
  Hasher hasher_;
  TaskOutput* output_;
  const GroupTable* names_ = nullptr;
  std::vector<std::uint64_t> records_;
  std::vector<DistinctCounter> distinct_;
  std::array<KeyHash, KeyReader::kBatchKeys> hashes_{};
};

}  // namespace

std::unique_ptr<TaskWork> plan_work(const WorkerJob& job, const Hasher& hasher,
                                    TaskOutput& output) {
  return std::make_unique<PlanWork>(job, hasher, output);
}

}  // namespace bloomery::hadoop
