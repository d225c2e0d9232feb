#include "verify/candidate.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace bloomery {
namespace {

auto order_of(const Candidate& candidate) {
  return std::tie(candidate.key, candidate.own, candidate.hit);
}

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

std::uint64_t saturating_square(std::uint64_t a) noexcept {
  std::uint64_t square = 0;
  return __builtin_mul_overflow(a, a, &square) ? UINT64_MAX : square;
}

// One group that a key has records in, or that admits it, and how many records that concerns.
struct Share {
  std::uint32_t entry = 0;
  std::uint64_t records = 0;
};

class KeySettler {
 public:
  explicit KeySettler(SettledGroups& groups) : groups_(&groups) {}

  // All candidates of one key, compact.
  void settle(std::span<const Candidate> candidates) {
    collect_owners(candidates);
    for (const Share& owner : owners_) {
      if (owner.entry != kOutside) (*groups_)[owner.entry].shared += total_ - owner.records;
    }
    count_hits(candidates);
  }

 private:
  // The groups that have records with this key. Every record of one group with one key is admitted
  // by the same groups, so any of their candidates has the number of the records.
  void collect_owners(std::span<const Candidate> candidates) {
    owners_.clear();
    total_ = 0;
    for (const Candidate& candidate : candidates) {
      if (!owners_.empty() && owners_.back().entry == candidate.own) continue;
      owners_.push_back({candidate.own, candidate.records});
      total_ += candidate.records;
    }
  }

  [[nodiscard]] bool has_owner(std::uint32_t entry) const {
    return std::ranges::binary_search(owners_, entry, {}, &Share::entry);
  }

  void count_hits(std::span<const Candidate> candidates) {
    false_.clear();
    for (const Candidate& candidate : candidates) {
      if (candidate.hit == candidate.own) continue;
      if (has_owner(candidate.hit)) {
        (*groups_)[candidate.hit].true_hits += candidate.records;
      } else {
        false_.push_back({candidate.hit, candidate.records});
      }
    }
    std::ranges::sort(false_, {}, &Share::entry);
    for (auto at = false_.begin(); at != false_.end();) {
      const std::uint32_t entry = at->entry;
      std::uint64_t records = 0;
      for (; at != false_.end() && at->entry == entry; ++at) records += at->records;
      SettledGroup& group = (*groups_)[entry];
      group.false_positives += records;
      group.square_sum = saturating_add(group.square_sum, saturating_square(records));
    }
  }

  SettledGroups* groups_;
  std::vector<Share> owners_;  // sorted by entry, because the candidates are
  std::vector<Share> false_;
  std::uint64_t total_ = 0;
};

}  // namespace

void compact(std::vector<Candidate>& candidates) {
  if (candidates.empty()) return;
  std::ranges::sort(candidates, {}, order_of);
  auto last = candidates.begin();
  for (auto at = last + 1; at != candidates.end(); ++at) {
    if (order_of(*at) == order_of(*last)) {
      last->records += at->records;
    } else {
      *++last = *at;
    }
  }
  candidates.erase(last + 1, candidates.end());
}

void settle(std::span<const Candidate> candidates, SettledGroups& groups) {
  KeySettler settler(groups);
  for (std::size_t begin = 0; begin < candidates.size();) {
    std::size_t end = begin + 1;
    while (end < candidates.size() && candidates[end].key == candidates[begin].key) ++end;
    settler.settle(candidates.subspan(begin, end - begin));
    begin = end;
  }
}

void merge(SettledGroups& groups, const SettledGroups& other) {
  assert(groups.size() == other.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i].shared += other[i].shared;
    groups[i].true_hits += other[i].true_hits;
    groups[i].false_positives += other[i].false_positives;
    groups[i].square_sum = saturating_add(groups[i].square_sum, other[i].square_sum);
  }
}

}  // namespace bloomery
