#include "merge/merge_parts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "merge/merge_frame.h"
#include "partial/blocks.h"

namespace bloomery {
namespace {

std::uint32_t windows_of(const FilterSpec& spec) {
  const std::uint32_t blocks = TableBlocks(spec).count();
  return (blocks + PartLayout::kWindowBlocks - 1) / PartLayout::kWindowBlocks;
}

std::uint64_t window_bytes(const FilterSpec& spec, std::uint32_t window) {
  const std::uint64_t whole = table_bytes(spec.kind, spec.bits);
  constexpr std::uint64_t kMost = PartLayout::kWindowBlocks * kPartialBlockBytes;
  return std::min(kMost, whole - window * kMost);
}

Error too_many_keys(std::string_view group) {
  return make_error(ErrorCode::kDamaged,
                    "group {}: its keys do not fit 64 bits; run the build again", group);
}

}  // namespace

PartLayout::PartLayout(const std::vector<GroupPlan>& plan, std::uint32_t parts)
    : plan_(&plan), parts_(std::max(1U, parts)) {
  for (const GroupPlan& group : plan) {
    bytes_before_.push_back(total_);
    total_ += table_bytes(group.spec.kind, group.spec.bits);
  }
}

Result<std::size_t> PartLayout::index_of(std::string_view group) const {
  const auto found = std::lower_bound(
      plan_->begin(), plan_->end(), group,
      [](const GroupPlan& plan, std::string_view name) { return plan.group < name; });
  if (found == plan_->end() || found->group != group) {
    return make_error(ErrorCode::kInvalidArgument,
                      "group \"{}\" is not in the plan; plan from data that has it",
                      escaped(group));
  }
  return static_cast<std::size_t>(found - plan_->begin());
}

// By the first byte of its window, so that windows stay whole and parts come out about equal.
std::uint32_t PartLayout::part_of(std::size_t group, std::uint32_t block) const {
  const std::uint32_t window = block / kWindowBlocks;
  const auto place =
      static_cast<double>(bytes_before_[group] + TableBlocks::first_byte(window * kWindowBlocks));
  const auto part =
      static_cast<std::uint32_t>(place / static_cast<double>(std::max<std::uint64_t>(1, total_)) *
                                 static_cast<double>(parts_));
  return std::min(part, parts_ - 1);
}

Result<std::vector<std::uint32_t>> PartLayout::parts_of(const Frame& frame) const {
  if (frame.encoding == Encoding::kTrailer) return std::vector{frame.task % parts_};
  const auto group = index_of(frame.group);
  if (!group) return group.error();
  if (frame.block != kWholeTable) return std::vector{part_of(*group, frame.block)};
  std::vector<std::uint32_t> parts;
  for (std::uint32_t window = 0; window < windows_of((*plan_)[*group].spec); ++window) {
    const std::uint32_t part = part_of(*group, window * kWindowBlocks);
    if (parts.empty() || parts.back() != part) parts.push_back(part);
  }
  return parts;
}

Result<void> Receipt::merge(const Receipt& other) {
  for (const std::uint32_t task : other.tasks_) {
    if (!add_task(task)) {
      return make_error(ErrorCode::kMismatch,
                        "task {} has sent its partial twice; run the build again", task);
    }
  }
  bytes_ += other.bytes_;
  for (const auto& [index, more] : other.groups_) {
    Group& sum = groups_[index];
    sum.received_frames += more.received_frames;
    sum.received_checksums += more.received_checksums;
    sum.promised_frames += more.promised_frames;
    sum.promised_checksums += more.promised_checksums;
    if (__builtin_add_overflow(sum.keys, more.keys, &sum.keys)) {
      return too_many_keys(fmt::format("number {}", index));
    }
    sum.received_copies += more.received_copies;
    sum.received_copy_checksums += more.received_copy_checksums;
    sum.due_copies += more.due_copies;
    sum.due_copy_checksums += more.due_copy_checksums;
  }
  return {};
}

Result<std::vector<std::uint64_t>> Receipt::settle(const std::vector<GroupPlan>& plan,
                                                   std::uint64_t tasks) const {
  if (tasks_.size() != tasks || (tasks > 0 && *tasks_.rbegin() + std::uint64_t{1} != tasks)) {
    return make_error(ErrorCode::kMismatch,
                      "{} tasks have sent their partials, and there were {}; run the build again",
                      tasks_.size(), tasks);
  }
  std::vector<std::uint64_t> keys(plan.size());
  for (const auto& [index, group] : groups_) {
    const std::string name = index < plan.size() ? escaped(plan[index].group) : "?";
    if (index >= plan.size() || group.received_frames != group.promised_frames) {
      return make_error(ErrorCode::kMismatch,
                        "group \"{}\": {} frames were sent and {} arrived; run the build again",
                        name, group.promised_frames, group.received_frames);
    }
    if (group.received_checksums != group.promised_checksums) {
      return make_error(ErrorCode::kMismatch,
                        "group \"{}\": other frames arrived than were sent: the input gave other "
                        "records when a task ran again; keep it still, and build again",
                        name);
    }
    if (group.received_copies != group.due_copies ||
        group.received_copy_checksums != group.due_copy_checksums) {
      return make_error(ErrorCode::kMismatch,
                        "group \"{}\": a frame for its whole table did not arrive once, and the "
                        "same, in every part of it; run the build again",
                        name);
    }
    keys[index] = group.keys;
  }
  return keys;
}

std::string Receipt::to_json() const {
  nlohmann::json groups = nlohmann::json::array();
  for (const auto& [index, group] : groups_) {
    groups.push_back({index, group.received_frames, group.received_checksums, group.promised_frames,
                      group.promised_checksums, group.keys, group.received_copies,
                      group.received_copy_checksums, group.due_copies, group.due_copy_checksums});
  }
  return nlohmann::json{{"groups", std::move(groups)}, {"tasks", tasks_}, {"bytes", bytes_}}.dump();
}

Result<Receipt> Receipt::from_json(std::string_view text) {
  try {
    const auto object = nlohmann::json::parse(text);
    Receipt receipt;
    for (const auto& task : object.at("tasks")) receipt.tasks_.insert(task.get<std::uint32_t>());
    for (const auto& group : object.at("groups")) {
      receipt.groups_[group.at(0)] = {group.at(1), group.at(2), group.at(3),
                                      group.at(4), group.at(5), group.at(6),
                                      group.at(7), group.at(8), group.at(9)};
    }
    receipt.bytes_ = object.at("bytes");
    return receipt;
  } catch (const std::exception& error) {
    return make_error(ErrorCode::kDamaged, "the receipt of a merger: {}", error.what());
  }
}

Result<void> PartMerger::add(std::span<const std::byte> bytes) {
  PartialReader reader(bytes, "a partial");
  const auto frame = reader.next();
  if (!frame) return frame.error();
  if (!frame->has_value()) return make_error(ErrorCode::kDamaged, "an empty frame");
  if ((*frame)->encoding == Encoding::kTrailer) {
    receipt_.add_bytes(bytes.size());
    return add_trailer(**frame);
  }
  const auto group = layout_->index_of((*frame)->group);
  if (!group) return group.error();
  const FilterSpec& spec = layout_->plan()[*group].spec;
  const bool is_whole = (*frame)->block == kWholeTable;
  const std::uint32_t first = is_whole ? 0 : (*frame)->block / PartLayout::kWindowBlocks;
  const std::uint32_t end = is_whole ? windows_of(spec) : first + 1;
  if (end > windows_of(spec)) {
    return make_error(ErrorCode::kDamaged, "{}: outside the table", describe(**frame));
  }
  const auto parts = layout_->parts_of(**frame);
  if (!parts) return parts.error();
  note(receipt_.group(*group), **frame, *parts);
  if (parts->front() == part_) receipt_.add_bytes(bytes.size());
  for (std::uint32_t window = first; window < end; ++window) {
    if (layout_->part_of(*group, window * PartLayout::kWindowBlocks) != part_) continue;
    if (auto merged = merge_into(*group, window, **frame); !merged) return merged;
  }
  return {};
}

void PartMerger::note(Receipt::Group& seen, const Frame& frame,
                      std::span<const std::uint32_t> parts) const {
  if (parts.front() == part_) {
    ++seen.received_frames;
    seen.received_checksums += frame.checksum;
    for (const std::uint32_t part : parts.subspan(1)) {
      seen.due_copies += part;
      seen.due_copy_checksums += frame.checksum * part;
    }
  } else if (std::ranges::find(parts, part_) != parts.end()) {
    seen.received_copies += part_;
    seen.received_copy_checksums += frame.checksum * part_;
  }
}

Result<void> PartMerger::add_trailer(const Frame& frame) {
  const auto groups = read_trailer(frame);
  if (!groups) return groups.error();
  if (!receipt_.add_task(frame.task)) {
    return make_error(ErrorCode::kMismatch, "{}: came twice; run the build again", describe(frame));
  }
  for (const TrailerGroup& group : *groups) {
    const auto index = layout_->index_of(group.group);
    if (!index) return index.error();
    if (group.spec_check != spec_check(layout_->plan()[*index].spec)) {
      return make_error(ErrorCode::kMismatch, "{}: group \"{}\" was made for another plan",
                        describe(frame), escaped(group.group));
    }
    Receipt::Group& sum = receipt_.group(*index);
    sum.promised_frames += group.frames;
    sum.promised_checksums += group.checksums;
    if (__builtin_add_overflow(sum.keys, group.keys, &sum.keys)) {
      return too_many_keys(fmt::format("\"{}\"", escaped(group.group)));
    }
  }
  return {};
}

Result<void> PartMerger::merge_into(std::size_t group, std::uint32_t window, const Frame& frame) {
  const FilterSpec& spec = layout_->plan()[group].spec;
  Window& words = windows_[{group, window}];
  if (words.empty()) words.resize(window_bytes(spec, window) / sizeof(std::uint64_t));
  return merge_frame(frame, spec,
                     {std::as_writable_bytes(std::span(words)),
                      TableBlocks::first_byte(window * PartLayout::kWindowBlocks)});
}

Result<void> PartMerger::finish(const UseBlock& use) {
  for (auto& [place, words] : windows_) {
    const auto bytes = std::as_bytes(std::span<const std::uint64_t>(words));
    const std::uint64_t first = TableBlocks::first_byte(place.second * PartLayout::kWindowBlocks);
    for (std::uint64_t at = 0; at < bytes.size(); at += kPartialBlockBytes) {
      const auto block = bytes.subspan(at, std::min(kPartialBlockBytes, bytes.size() - at));
      if (std::ranges::all_of(block, [](std::byte byte) { return byte == std::byte{}; })) continue;
      if (auto used = use(place.first, first + at, block); !used) return used;
    }
    Window().swap(words);
  }
  windows_.clear();
  return {};
}

}  // namespace bloomery
