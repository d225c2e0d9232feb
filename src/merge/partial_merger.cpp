#include "merge/partial_merger.h"

#include <algorithm>
#include <mutex>

#include "base/error.h"
#include "merge/ledger.h"
#include "merge/merge_frame.h"

namespace bloomery {

struct PartialMerger::State {
  // Too large to move with its mutex, so it stays where it is.
  struct Group {
    Group(std::string name, Filter table) : merged{std::move(name), std::move(table)} {}

    MergedGroup merged;
    std::mutex mutex;
  };

  // Null when there is none.
  [[nodiscard]] Group* find(std::string_view name) const {
    const auto name_of = [](const auto& group) { return std::string_view(group->merged.group); };
    const auto at = std::ranges::lower_bound(groups, name, {}, name_of);
    return at != groups.end() && name_of(*at) == name ? at->get() : nullptr;
  }

  Result<bool> note(const Frame& frame) {
    const std::lock_guard lock(mutex);
    if (error) return *error;
    return ledger.note(frame);
  }

  Error fail(Error problem) {
    const std::lock_guard lock(mutex);
    if (!error) error = std::move(problem);
    return *error;
  }

  Result<void> add(const Frame& frame) {
    Group* const group = frame.encoding == Encoding::kTrailer ? nullptr : find(frame.group);
    if (frame.encoding != Encoding::kTrailer && group == nullptr) {
      return make_error(ErrorCode::kMismatch,
                        "{}: the merger has no such group; give both the "
                        "same plan",
                        describe(frame));
    }
    const auto is_new = note(frame);
    if (!is_new) return is_new.error();
    if (!*is_new || group == nullptr) return {};
    const std::lock_guard lock(group->mutex);
    Filter& filter = group->merged.filter;
    return merge_frame(frame, filter.spec(), {filter.mutable_table(), 0});
  }

  std::vector<std::unique_ptr<Group>> groups;  // sorted
  std::mutex mutex;                            // for what follows
  PartialLedger ledger;
  std::optional<Error> error;
};

PartialMerger::PartialMerger(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
PartialMerger::PartialMerger(PartialMerger&&) noexcept = default;
PartialMerger& PartialMerger::operator=(PartialMerger&&) noexcept = default;
PartialMerger::~PartialMerger() = default;

Result<PartialMerger> PartialMerger::create(std::vector<MergeGroup> groups) {
  std::ranges::sort(groups, {}, &MergeGroup::group);
  const auto twice = std::ranges::adjacent_find(groups, {}, &MergeGroup::group);
  if (twice != groups.end()) {
    return make_error(ErrorCode::kInvalidArgument, "group '{}': given twice",
                      escaped(twice->group));
  }
  auto state = std::make_unique<State>();
  for (MergeGroup& group : groups) {
    auto filter = Filter::create(std::move(group.spec));
    if (!filter) {
      return make_error(filter.error().code, "group '{}': {}", escaped(group.group),
                        filter.error().message);
    }
    state->groups.push_back(
        std::make_unique<State::Group>(std::move(group.group), std::move(*filter)));
  }
  return PartialMerger(std::move(state));
}

Result<void> PartialMerger::add(const Frame& frame) {
  auto added = state_->add(frame);
  if (!added) return state_->fail(std::move(added).error());
  return {};
}

Result<void> PartialMerger::add(std::span<const std::byte> bytes, std::string_view name) {
  PartialReader reader(bytes, name);
  while (true) {
    const auto frame = reader.next();
    if (!frame) return state_->fail(frame.error());
    if (!*frame) return {};
    if (auto added = add(**frame); !added) return added;
  }
}

Result<std::vector<MergedGroup>> PartialMerger::finish(std::optional<std::uint64_t> tasks) {
  if (state_->error) return *state_->error;
  std::vector<PartialLedger::Group> names;
  for (const auto& group : state_->groups) {
    names.push_back({group->merged.group, spec_check(group->merged.filter.spec())});
  }
  const auto counts = state_->ledger.settle(names, tasks);
  if (!counts) return counts.error();
  std::vector<MergedGroup> merged;
  for (std::size_t i = 0; i < names.size(); ++i) {
    merged.push_back(std::move(state_->groups[i]->merged));
    merged.back().count = (*counts)[i];
  }
  return merged;
}

}  // namespace bloomery
