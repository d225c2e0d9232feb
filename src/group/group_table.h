// Group names and their indexes, in the order they were first seen.
//
// Fast where the same few groups come again and again, which is the usual case: a small cache
// before the map finds those without hashing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "bloomery/result.h"

namespace bloomery {

inline constexpr std::size_t kMaxGroupNameBytes = 65535;
inline constexpr std::uint64_t kDefaultMaxGroups = 100'000;

// Fails for more groups than `max_groups`. Tasks see their own groups only, so who adds them up
// asks again.
Result<void> check_group_count(std::uint64_t groups, std::uint64_t max_groups);

class GroupTable {
 public:
  static constexpr std::uint32_t kFull = UINT32_MAX;

  explicit GroupTable(std::uint64_t max_groups = kDefaultMaxGroups)
      : max_groups_(max_groups < kFull ? max_groups : kFull - 16) {}

  // The index of a group, new or not; kFull when it would be one too many.
  [[nodiscard]] std::uint32_t index_of(std::string_view name) {
    CacheEntry& entry = cache_[cache_place(name)];
    if (entry.name == name && entry.name.data() != nullptr) return entry.index;
    const std::uint32_t index = find_or_add(name);
    if (index != kFull) entry = {names_[index], index};
    return index;
  }

  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }
  [[nodiscard]] const std::string& name(std::uint32_t index) const { return names_[index]; }
  [[nodiscard]] std::uint64_t max_groups() const noexcept { return max_groups_; }

 private:
  struct CacheEntry {
    std::string_view name;
    std::uint32_t index = 0;
  };
  static constexpr std::size_t kCacheEntries = 256;

  // From the length, the first and the last byte: enough to tell countries, years and digits apart.
  static std::size_t cache_place(std::string_view name) noexcept {
    if (name.empty()) return 0;
    const auto first = static_cast<std::uint8_t>(name.front());
    const auto last = static_cast<std::uint8_t>(name.back());
    return (first * 31U + last * 7U + name.size() * 131U) % kCacheEntries;
  }

  std::uint32_t find_or_add(std::string_view name) {
    if (const auto found = indexes_.find(name); found != indexes_.end()) return found->second;
    if (names_.size() >= max_groups_) return kFull;
    const auto index = static_cast<std::uint32_t>(names_.size());
    names_.emplace_back(name);
    indexes_.emplace(names_.back(), index);
    return index;
  }

  std::uint64_t max_groups_;
  std::deque<std::string> names_;  // a deque, because the map and the cache hold views of them
  std::unordered_map<std::string_view, std::uint32_t> indexes_;
  std::array<CacheEntry, kCacheEntries> cache_{};
};

}  // namespace bloomery
