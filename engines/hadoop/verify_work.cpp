#include <array>
#include <vector>

#include "engines/hadoop/bytes.h"
#include "engines/hadoop/map_work.h"
#include "verify/verify_map.h"
#include "verify/wire.h"

namespace bloomery::hadoop {
namespace {

// Candidates of one key must meet, so they are sent by key, in parts that a reducer settles one
// after the other.
constexpr std::size_t kParts = 256;
constexpr std::size_t kSendAt = 4096;

class VerifyWork : public TaskWork {
 public:
  VerifyWork(const WorkerJob& job, const Bank& bank, const BankHashers& hashers, TaskOutput& output)
      : bank_(&bank),
        output_(&output),
        map_(VerifyMap::create(bank, hashers,
                               [this](std::span<const Candidate> found) { return sort_out(found); },
                               {KeySample::up_to(job.sample_last), job.evidence})) {}

  Result<void> take(const KeyBatch& batch, const GroupTable& groups) override {
    return map_ ? map_->add(batch, groups) : map_.error();
  }

  Result<void> finish() override {
    if (!map_) return map_.error();
    const auto counts = map_->finish();
    if (!counts) return counts.error();
    for (std::size_t part = 0; part < kParts; ++part) {
      if (auto sent = send(part); !sent) return sent;
    }
    return output_->put(Subject::kAsked, "", 0, as_text(encode(*counts)));
  }

 private:
  Result<void> sort_out(std::span<const Candidate> found) {
    for (const Candidate& candidate : found) {
      const std::size_t part = candidate.key.low % kParts;
      parts_[part].push_back(candidate);
      if (parts_[part].size() < kSendAt) continue;
      if (auto sent = send(part); !sent) return sent;
    }
    return {};
  }

  Result<void> send(std::size_t part) {
    std::vector<Candidate>& candidates = parts_[part];
    if (candidates.empty()) return {};
    compact(candidates);
    const auto bytes = encode(candidates, *bank_);
    candidates.clear();
    const auto reducer = static_cast<std::uint32_t>(part % output_->receivers());
    return output_->put(Subject::kCandidates, std::string(1, static_cast<char>(part)), reducer,
                        as_text(bytes));
  }

  const Bank* bank_;
  TaskOutput* output_;
  std::array<std::vector<Candidate>, kParts> parts_;
  Result<VerifyMap> map_;
};

}  // namespace

std::unique_ptr<TaskWork> verify_work(const WorkerJob& job, const Bank& bank,
                                      const BankHashers& hashers, TaskOutput& output) {
  return std::make_unique<VerifyWork>(job, bank, hashers, output);
}

}  // namespace bloomery::hadoop
