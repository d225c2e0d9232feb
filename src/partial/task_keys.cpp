#include "partial/task_keys.h"

#include "filter/cells.h"
#include "filter/key_positions.h"
#include "filter/table_ops.h"

namespace bloomery {

void TaskKeys::add_group(std::string_view group, const FilterSpec& spec) {
  if (groups_.empty()) seed_hashers_ = seed_hashers(spec);
  Group& added = groups_.emplace_back();
  added.name = group;
  added.spec = &spec;
}

void TaskKeys::add(std::span<const std::string_view> keys, std::span<const std::uint32_t> groups) {
  if (keys.empty()) return;
  const FilterSpec& any = *groups_.front().spec;
  if (any.takes_hashes()) {
    batch_hashes_.resize(keys.size());
    any.hasher.hash_all(keys, batch_hashes_);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Group& group = groups_[groups[i]];
    ++group.count;
    if (any.takes_hashes()) {
      held_ += group.hashes.push(batch_hashes_[i]);
      continue;
    }
    each_key_position(*group.spec, seed_hashers_, keys[i], [&](std::uint64_t position) {
      held_ += group.positions.push(position);
      return true;
    });
  }
}

std::vector<GroupKeys> TaskKeys::group_keys() {
  std::vector<GroupKeys> list;
  for (Group& group : groups_) {
    if (group.count == 0) continue;
    group.hash_list.clear();
    group.position_list.clear();
    group.hashes.append_to(group.hash_list);
    group.positions.append_to(group.position_list);
    list.push_back({group.name, group.spec, group.hash_list, group.position_list, group.count});
  }
  return list;
}

void TaskKeys::insert_into(Filter& filter, std::size_t group) const {
  std::vector<std::span<const KeyHash>> hashes;
  groups_[group].hashes.append_to(hashes);
  if (!hashes.empty()) filter.insert_pieces(hashes, 1);
  std::vector<std::span<const std::uint64_t>> positions;
  groups_[group].positions.append_to(positions);
  const FilterSpec& spec = filter.spec();
  const Cells cells{spec.kind, as_words(filter.mutable_table()).data(), spec.bits, spec.hashes};
  for (const auto piece : positions) insert_positions(cells, piece);
}

void TaskKeys::forget() noexcept {
  for (Group& group : groups_) {
    group.hashes.clear();
    group.positions.clear();
    group.count = 0;
  }
  held_ = 0;
}

}  // namespace bloomery
