// What one task keeps of its keys when the sizes are known: hashes, or positions where a filter's
// rule starts from the key.
//
//   takes   batches of keys, with the number of each key's group
//   gives   GroupKeys, to encode_partial(); or inserts them into filters
//
// Hashing needs no lock this way, whatever the rule; only inserting does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bloomery/filter.h"
#include "partial/encode.h"
#include "partial/hash_pieces.h"

namespace bloomery {

class TaskKeys {
 public:
  // The next group. All specs of a task have one hash, seed and dialect. They must outlive it.
  void add_group(std::string_view group, const FilterSpec& spec);
  [[nodiscard]] std::size_t group_count() const noexcept { return groups_.size(); }

  // Requires groups below group_count().
  void add(std::span<const std::string_view> keys, std::span<const std::uint32_t> groups);

  // Bytes of the hashes and positions held.
  [[nodiscard]] std::uint64_t held_bytes() const noexcept { return held_; }
  // Keys of a group since it was last forgotten.
  [[nodiscard]] std::uint64_t count(std::size_t group) const noexcept {
    return groups_[group].count;
  }
  // Of all groups with keys. Good until something is added or forgotten.
  [[nodiscard]] std::vector<GroupKeys> group_keys();
  void insert_into(Filter& filter, std::size_t group) const;
  void forget() noexcept;

 private:
  struct Group {
    std::string_view name;
    const FilterSpec* spec = nullptr;
    HashPieces hashes;
    PositionPieces positions;
    std::uint64_t count = 0;
    std::vector<std::span<const KeyHash>> hash_list;
    std::vector<std::span<const std::uint64_t>> position_list;
  };

  std::vector<Group> groups_;
  std::vector<Hasher> seed_hashers_;
  std::vector<KeyHash> batch_hashes_;
  std::uint64_t held_ = 0;
};

}  // namespace bloomery
