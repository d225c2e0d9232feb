// Many keys against a bank: which groups may hold each, how many are admitted, which to keep.
//
//   takes   a bank, all of its groups or some, and keys in large calls
//   gives   answers in the order of the keys, whatever the number of threads
//
// Keys are shared out to threads in runs of 16,384, so a call should bring that many for each
// thread; smaller ones are answered on the calling thread. Ask for lists in calls of up to some
// 100,000 keys: the memory of larger ones is new, and costs as much as the asking. Every key is
// asked of every group: n keys and g groups are n * g probes, and cost.h says beforehand what that
// takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/bank.h"
#include "bloomery/result.h"
#include "query/batch_prober.h"

namespace bloomery {

// For each key the entries that may hold it.
class GroupLists {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  // Indexes into Bank::entries(), ascending.
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t key) const noexcept {
    const std::size_t begin = key == 0 ? 0 : ends_[key - 1];
    return std::span(entries_).subspan(begin, ends_[key] - begin);
  }

 private:
  friend class BankQuery;

  std::vector<std::size_t> ends_;
  std::vector<std::uint32_t> entries_;
};

struct QueryCounts {
  std::uint64_t admitted = 0;  // keys that at least one group may hold
  std::uint64_t rejected = 0;  // keys that no group holds
  // For each group asked, in the order of BankQuery::asked(), the keys it may hold.
  std::vector<std::uint64_t> by_group;

  // Adds the counts of another call to the same query.
  void merge(const QueryCounts& other);
};

// Safe to use from any number of threads at once.
class BankQuery {
 public:
  // Asks all groups, or those named. Fails for a name the bank does not have. `threads` share each
  // call; 0: as many as the machine has.
  static Result<BankQuery> create(const Bank& bank, std::span<const std::string> groups = {},
                                  unsigned threads = 1);

  // Indexes into Bank::entries() of the groups that are asked, ascending.
  [[nodiscard]] std::span<const std::uint32_t> asked() const noexcept { return asked_; }

  [[nodiscard]] GroupLists groups_of(std::span<const std::string_view> keys) const;
  [[nodiscard]] QueryCounts count(std::span<const std::string_view> keys) const;

  // Bit i: some group may hold key i. Stops asking about a batch when all of its keys are admitted.
  [[nodiscard]] Answers any_of(std::span<const std::string_view> keys) const;
  // The opposite. Bit i: key i is surely in no group.
  [[nodiscard]] Answers none_of(std::span<const std::string_view> keys) const;

 private:
  BankQuery(const Bank& bank, std::vector<std::uint32_t> asked, unsigned threads);

  // Calls work(keys of the run, number of its first key, run) for every run, on threads.
  template <typename Work>
  void each_run(std::span<const std::string_view> keys, const Work& work) const;
  [[nodiscard]] GroupLists lists_of_run(std::span<const std::string_view> keys) const;
  [[nodiscard]] QueryCounts counts_of_run(std::span<const std::string_view> keys) const;

  Bank bank_;
  BankHashers hashers_;
  std::vector<std::uint32_t> asked_;
  unsigned threads_;
};

}  // namespace bloomery
