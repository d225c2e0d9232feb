#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "base/error.h"
#include "engines/hadoop/block_routes.h"
#include "engines/hadoop/bytes.h"
#include "engines/hadoop/group_weight.h"
#include "engines/hadoop/reduce_work.h"
#include "merge/merge_frame.h"
#include "partial/blocks.h"
#include "partial/frame.h"

namespace bloomery::hadoop {
namespace {

Error strange(const Letter& letter) {
  return make_error(ErrorCode::kDamaged, "task {}: a record that fits no group of the plan",
                    letter.task);
}

// Frames of one block come together: one block is held at a time, or one table where its hashes
// are for all of it.
class BuildReduce : public ReduceWork {
 public:
  BuildReduce(const WorkerJob& job, TaskOutput& output) : job_(&job), output_(&output) {}

  Result<void> take(const Letter& letter) override {
    if (letter.detail.size() != 2 * sizeof(std::uint32_t)) return strange(letter);
    const auto group = load_be<std::uint32_t>(letter.detail.data());
    const auto block = load_be<std::uint32_t>(letter.detail.data() + sizeof group);
    if (group >= job_->plan.size()) return strange(letter);
    if (letter.subject == Subject::kBlock) return take_frame(letter, group, block);
    if (letter.subject == Subject::kCount) {
      ByteReader in(letter.payload);
      counts_[group] += in.number();
      return in.is_good() ? Result<void>() : strange(letter);
    }
    if (letter.subject != Subject::kWeight) return strange(letter);
    const auto weight = decode_weight(letter.payload);
    if (!weight) return weight.error();
    GroupBytes& sum = weights_[group];
    sum.group = weight->group;
    sum.add(*weight);
    return {};
  }

  Result<void> finish() override {
    if (auto sent = send_window(); !sent) return sent;
    for (const auto& [group, count] : counts_) {
      ByteWriter payload;
      payload.number(count);
      if (auto sent = send(Subject::kCount, group, 0, payload.take()); !sent) return sent;
    }
    for (const auto& [group, weight] : weights_) {
      if (auto sent = send(Subject::kWeight, group, 0, encode(weight)); !sent) return sent;
    }
    return {};
  }

 private:
  Result<void> take_frame(const Letter& letter, std::uint32_t group, std::uint32_t block) {
    const FilterSpec& spec = job_->plan[group].spec;
    if (!has_window_ || group != group_ || block != block_) {
      if (auto sent = send_window(); !sent) return sent;
      if (block >= TableBlocks(spec).count()) return strange(letter);
      start_window(group, block);
    }
    PartialReader reader(std::as_bytes(std::span(letter.payload)), "a partial");
    while (true) {
      const auto frame = reader.next();
      if (!frame) return frame.error();
      if (!*frame) return {};
      if ((*frame)->group != job_->plan[group].group) return strange(letter);
      if (auto merged = merge_frame(**frame, spec, window()); !merged) return merged;
    }
  }

  void start_window(std::uint32_t group, std::uint32_t block) {
    const FilterSpec& spec = job_->plan[group].spec;
    const TableBlocks blocks(spec);
    group_ = group;
    block_ = block;
    has_window_ = true;
    is_whole_ = is_merged_whole(spec, job_->strategy);
    bytes_ = is_whole_ ? table_bytes(spec.kind, spec.bits) : blocks.bytes(block);
    words_.assign((bytes_ + 7) / 8, 0);
  }

  [[nodiscard]] TableWindow window() {
    return {std::as_writable_bytes(std::span(words_)).first(bytes_),
            is_whole_ ? 0 : TableBlocks::first_byte(block_)};
  }

  // Blocks of the table, those without a bit left out.
  Result<void> send_window() {
    if (!std::exchange(has_window_, false)) return {};
    const auto bytes = std::as_bytes(std::span(words_)).first(bytes_);
    for (std::uint64_t at = 0; at < bytes.size(); at += kPartialBlockBytes) {
      const auto part = bytes.subspan(at, std::min(kPartialBlockBytes, bytes.size() - at));
      if (std::ranges::all_of(part, [](std::byte byte) { return byte == std::byte{0}; })) continue;
      const auto block = static_cast<std::uint32_t>(block_ + at / kPartialBlockBytes);
      const std::string_view text(reinterpret_cast<const char*>(part.data()), part.size());
      if (auto sent = send(Subject::kBlock, group_, block, text); !sent) return sent;
    }
    return {};
  }

  Result<void> send(Subject subject, std::uint32_t group, std::uint32_t block,
                    std::string_view payload) {
    std::string detail;
    append_be(detail, group);
    append_be(detail, block);
    return output_->put(subject, detail, 0, payload);
  }

  const WorkerJob* job_;
  TaskOutput* output_;
  std::uint32_t group_ = 0;
  std::uint32_t block_ = 0;
  bool has_window_ = false;
  bool is_whole_ = false;
  std::uint64_t bytes_ = 0;
  std::vector<std::uint64_t> words_;
  std::map<std::uint32_t, std::uint64_t> counts_;
  std::map<std::uint32_t, GroupBytes> weights_;
};

}  // namespace

std::unique_ptr<ReduceWork> build_reduce(const WorkerJob& job, TaskOutput& output) {
  return std::make_unique<BuildReduce>(job, output);
}

}  // namespace bloomery::hadoop
