// The merge of a build on many machines: which part of the tables each merger has, what it does
// with its frames, and the receipts by which the end can tell that nothing is missing.
//
//   takes   frames of all tasks, each sent to the part that has its block
//   gives   blocks of tables, and a receipt
//
// A part holds windows of tables, up to 16 MiB of one, and makes a window when its first frame
// comes. Trailers are added up wherever they arrive; at the end, what all trailers promise must be
// what all parts received, group by group: as many frames with the same sum of checksums, of every
// task. So a frame that is lost, comes twice or is changed on the way stops the build. Hashes for a
// whole table go to all parts that have a window of it: the first holds them against the trailer
// and says what is due in the others. For engines that deliver each frame of one attempt of a task
// once, such as Spark.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bloomery/result.h"
#include "partial/frame.h"
#include "plan/plan.h"

namespace bloomery {

// Which part has which block. The same on every machine that has the plan.
class PartLayout {
 public:
  static constexpr std::uint32_t kWindowBlocks = 16;

  // `plan` is sorted by group and must stay. Parts of about equal size, at most `parts` of them.
  PartLayout(const std::vector<GroupPlan>& plan, std::uint32_t parts);

  [[nodiscard]] const std::vector<GroupPlan>& plan() const noexcept { return *plan_; }
  // Fails for a group that is not in the plan.
  [[nodiscard]] Result<std::size_t> index_of(std::string_view group) const;
  // The part of a block of the group with this index; several for hashes of a whole table.
  [[nodiscard]] std::uint32_t part_of(std::size_t group, std::uint32_t block) const;
  // Where a frame must go: one part, or all that have a window of its group, in order.
  [[nodiscard]] Result<std::vector<std::uint32_t>> parts_of(const Frame& frame) const;

 private:
  const std::vector<GroupPlan>* plan_;
  std::uint32_t parts_;
  std::uint64_t total_ = 0;                  // bytes of all tables
  std::vector<std::uint64_t> bytes_before_;  // of each group
};

// What a part has seen, or all of them together.
class Receipt {
 public:
  struct Group {
    std::uint64_t received_frames = 0;
    std::uint64_t received_checksums = 0;
    std::uint64_t promised_frames = 0;
    std::uint64_t promised_checksums = 0;
    std::uint64_t keys = 0;
    // Of frames for a whole table, outside the first part. Each counts as often as the number of
    // its part says, so that one too many here does not stand for one too few there.
    std::uint64_t received_copies = 0;
    std::uint64_t received_copy_checksums = 0;
    std::uint64_t due_copies = 0;
    std::uint64_t due_copy_checksums = 0;
  };

  [[nodiscard]] Group& group(std::size_t index) { return groups_[index]; }
  // False for a task whose trailer is here already.
  [[nodiscard]] bool add_task(std::uint32_t task) { return tasks_.insert(task).second; }
  [[nodiscard]] std::uint64_t task_count() const noexcept { return tasks_.size(); }
  void add_bytes(std::uint64_t bytes) noexcept { bytes_ += bytes; }

  // Adds another part's. Fails for a task that both have.
  Result<void> merge(const Receipt& other);
  // The keys of each group of the plan, when everything is there: of exactly these tasks.
  [[nodiscard]] Result<std::vector<std::uint64_t>> settle(const std::vector<GroupPlan>& plan,
                                                          std::uint64_t tasks) const;
  // Of all frames.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

  [[nodiscard]] std::string to_json() const;
  static Result<Receipt> from_json(std::string_view text);

 private:
  std::map<std::size_t, Group> groups_;
  std::set<std::uint32_t> tasks_;
  std::uint64_t bytes_ = 0;
};

// One part's merger.
class PartMerger {
 public:
  // `layout` must stay.
  PartMerger(const PartLayout& layout, std::uint32_t part) : layout_(&layout), part_(part) {}

  // Exactly one frame that was sent to this part.
  Result<void> add(std::span<const std::byte> bytes);

  // A group's index, an offset in its table, and bytes of it. An error ends the calls.
  using UseBlock = std::function<Result<void>(std::size_t group, std::uint64_t offset,
                                              std::span<const std::byte> bytes)>;
  // All blocks that are not zero, each at most 1 MiB; forgets them.
  Result<void> finish(const UseBlock& use);

  [[nodiscard]] const Receipt& receipt() const noexcept { return receipt_; }

 private:
  using Window = std::vector<std::uint64_t>;

  Result<void> add_trailer(const Frame& frame);
  void note(Receipt::Group& seen, const Frame& frame, std::span<const std::uint32_t> parts) const;
  Result<void> merge_into(std::size_t group, std::uint32_t window, const Frame& frame);

  const PartLayout* layout_;
  std::uint32_t part_;
  Receipt receipt_;
  std::map<std::pair<std::size_t, std::uint32_t>, Window> windows_;
};

}  // namespace bloomery
