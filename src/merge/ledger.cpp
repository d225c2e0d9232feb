#include "merge/ledger.h"

#include "base/error.h"

namespace bloomery {
namespace {

Error two_results(const Frame& frame) {
  return make_error(ErrorCode::kMismatch,
                    "{}: frame {} came twice with different content; was the input changed while "
                    "the job ran?",
                    describe(frame), frame.number);
}

}  // namespace

Result<bool> PartialLedger::note(const Frame& frame) {
  Task& task = tasks_[frame.task];
  if (frame.encoding == Encoding::kTrailer) return note_trailer(task, frame);
  const auto [at, is_new] = task.seen.try_emplace(frame.number, frame.checksum);
  if (!is_new) {
    if (at->second != frame.checksum) return two_results(frame);
    return false;
  }
  auto group = task.received.find(frame.group);
  if (group == task.received.end()) {
    group = task.received.try_emplace(std::string(frame.group)).first;
  }
  ++group->second.frames;
  group->second.checksums += frame.checksum;
  return true;
}

Result<bool> PartialLedger::note_trailer(Task& task, const Frame& frame) {
  if (task.trailer) {
    if (*task.trailer != frame.checksum) return two_results(frame);
    return false;
  }
  auto groups = read_trailer(frame);
  if (!groups) return groups.error();
  for (TrailerGroup& group : *groups) {
    std::string name = group.group;
    task.promised.try_emplace(std::move(name), std::move(group));
  }
  task.trailer = frame.checksum;
  return true;
}

Result<void> PartialLedger::check_tasks(std::optional<std::uint64_t> tasks) const {
  for (const auto& [number, task] : tasks_) {
    if (!task.trailer) {
      return make_error(ErrorCode::kDamaged,
                        "partial of task {}: its trailer is missing, so it did not end; run the "
                        "task again",
                        number);
    }
  }
  if (!tasks) return {};
  if (tasks_.size() > *tasks || (!tasks_.empty() && tasks_.rbegin()->first >= *tasks)) {
    return make_error(ErrorCode::kMismatch, "task {}: a job of {} tasks has none of this number",
                      tasks_.rbegin()->first, *tasks);
  }
  std::uint64_t expected = 0;
  for (const auto& [number, task] : tasks_) {
    if (number != expected) break;
    ++expected;
  }
  if (expected == *tasks) return {};
  return make_error(ErrorCode::kDamaged,
                    "partial of task {}: nothing has come of it, nor a trailer; {} of {} tasks are "
                    "here; run the task again",
                    expected, tasks_.size(), *tasks);
}

Result<std::uint64_t> PartialLedger::settle_group(std::uint32_t number, const Task& task,
                                                  const Group& group) {
  const auto promise = task.promised.find(group.group);
  const auto found = task.received.find(group.group);
  const Received received = found == task.received.end() ? Received{} : found->second;
  const bool is_promised = promise != task.promised.end();
  const std::uint64_t frames = is_promised ? promise->second.frames : 0;
  if (received.frames != frames) {
    return make_error(ErrorCode::kDamaged,
                      "partial of task {}, group '{}': {} frames have come where its trailer says "
                      "{}; run the task again",
                      number, escaped(group.group), received.frames, frames);
  }
  if (!is_promised) return std::uint64_t{0};
  if (received.checksums != promise->second.checksums) {
    return make_error(ErrorCode::kDamaged,
                      "partial of task {}, group '{}': other frames have come than its trailer "
                      "says; run the task again",
                      number, escaped(group.group));
  }
  if (promise->second.spec_check != group.spec_check) {
    return make_error(ErrorCode::kMismatch,
                      "partial of task {}, group '{}': made for another spec than the merger has; "
                      "give both the same plan",
                      number, escaped(group.group));
  }
  return promise->second.keys;
}

Result<std::vector<std::uint64_t>> PartialLedger::settle(std::span<const Group> groups,
                                                         std::optional<std::uint64_t> tasks) const {
  if (auto checked = check_tasks(tasks); !checked) return checked.error();
  std::vector<std::uint64_t> keys(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const auto& [number, task] : tasks_) {
      const auto count = settle_group(number, task, groups[i]);
      if (!count) return count.error();
      if (__builtin_add_overflow(keys[i], *count, &keys[i])) {
        return make_error(ErrorCode::kDamaged, "group '{}': its keys do not fit 64 bits",
                          escaped(groups[i].group));
      }
    }
  }
  return keys;
}

}  // namespace bloomery
