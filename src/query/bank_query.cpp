#include "query/bank_query.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/error.h"
#include "base/parallel.h"

namespace bloomery {
namespace {

// What a thread takes at a time: long enough to start a prober for, short enough to share out well.
constexpr std::size_t kRunKeys = 16 * BatchProber::kBatchKeys;

using Keys = std::span<const std::string_view>;

Keys batch_at(Keys keys, std::size_t begin) {
  return keys.subspan(begin, std::min(BatchProber::kBatchKeys, keys.size() - begin));
}

std::size_t count_ones(std::span<const std::uint64_t> words) {
  std::size_t ones = 0;
  for (const std::uint64_t word : words) ones += static_cast<std::size_t>(std::popcount(word));
  return ones;
}

// A hit: which key of a batch, and which entry.
struct Hit {
  std::uint32_t key = 0;
  std::uint32_t entry = 0;
};

void collect_hits(std::span<const std::uint64_t> answers, std::uint32_t entry,
                  std::vector<Hit>& hits) {
  for (std::size_t w = 0; w < answers.size(); ++w) {
    for (std::uint64_t word = answers[w]; word != 0; word &= word - 1) {
      hits.push_back(
          {static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(word)),
           entry});
    }
  }
}

}  // namespace

void QueryCounts::merge(const QueryCounts& other) {
  admitted += other.admitted;
  rejected += other.rejected;
  by_group.resize(std::max(by_group.size(), other.by_group.size()));
  for (std::size_t i = 0; i < other.by_group.size(); ++i) by_group[i] += other.by_group[i];
}

BankQuery::BankQuery(const Bank& bank, std::vector<std::uint32_t> asked, unsigned threads)
    : bank_(bank), hashers_(bank), asked_(std::move(asked)), threads_(threads) {}

Result<BankQuery> BankQuery::create(const Bank& bank, std::span<const std::string> groups,
                                    unsigned threads) {
  std::vector<std::uint32_t> asked;
  if (groups.empty()) {
    asked.resize(bank.entries().size());
    std::iota(asked.begin(), asked.end(), 0U);
  }
  for (const std::string& group : groups) {
    const BankEntry* entry = bank.find(group);
    if (entry == nullptr) {
      return make_error(ErrorCode::kNotFound,
                        "group \"{}\": not in the bank, which has {}; inspect lists them",
                        escaped(group), bank.entries().size());
    }
    asked.push_back(static_cast<std::uint32_t>(entry - bank.entries().data()));
  }
  std::ranges::sort(asked);
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  return BankQuery(bank, std::move(asked), thread_count(threads));
}

template <typename Work>
void BankQuery::each_run(Keys keys, const Work& work) const {
  const std::size_t runs = (keys.size() + kRunKeys - 1) / kRunKeys;
  parallel_for(threads_, runs, [&](std::size_t run) {
    const std::size_t begin = run * kRunKeys;
    work(keys.subspan(begin, std::min(kRunKeys, keys.size() - begin)), begin, run);
  });
}

Answers BankQuery::any_of(Keys keys) const {
  Answers answers(keys.size());
  const std::span<std::uint64_t> all = answers.words();
  each_run(keys, [&](Keys run, std::size_t begin, std::size_t) {
    BatchProber prober(bank_, hashers_);
    BatchProber::Words found{};
    for (std::size_t at = 0; at < run.size(); at += BatchProber::kBatchKeys) {
      const Keys batch = batch_at(run, at);
      const auto words = all.subspan((begin + at) / 64, (batch.size() + 63) / 64);
      prober.take(batch);
      for (const std::uint32_t entry : asked_) {
        const auto in_entry = prober.ask(entry, found);
        for (std::size_t w = 0; w < words.size(); ++w) words[w] |= in_entry[w];
        if (count_ones(words) == batch.size()) break;
      }
    }
  });
  return answers;
}

Answers BankQuery::none_of(Keys keys) const {
  Answers answers = any_of(keys);
  const auto words = answers.words();
  for (std::uint64_t& word : words) word = ~word;
  if (keys.size() % 64 != 0) words.back() &= (std::uint64_t{1} << (keys.size() % 64)) - 1;
  return answers;
}

QueryCounts BankQuery::counts_of_run(Keys keys) const {
  QueryCounts counts;
  counts.by_group.resize(asked_.size());
  BatchProber prober(bank_, hashers_);
  BatchProber::Words found{};
  for (std::size_t at = 0; at < keys.size(); at += BatchProber::kBatchKeys) {
    prober.take(batch_at(keys, at));
    BatchProber::Words any{};
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const auto words = prober.ask(asked_[i], found);
      counts.by_group[i] += count_ones(words);
      for (std::size_t w = 0; w < words.size(); ++w) any[w] |= words[w];
    }
    counts.admitted += count_ones(any);
  }
  counts.rejected = keys.size() - counts.admitted;
  return counts;
}

QueryCounts BankQuery::count(Keys keys) const {
  std::vector<QueryCounts> runs((keys.size() + kRunKeys - 1) / kRunKeys);
  each_run(keys, [&](Keys run_keys, std::size_t, std::size_t run) {
    runs[run] = counts_of_run(run_keys);
  });
  QueryCounts counts;
  counts.by_group.resize(asked_.size());
  for (const QueryCounts& run : runs) counts.merge(run);
  return counts;
}

GroupLists BankQuery::lists_of_run(Keys keys) const {
  GroupLists lists;
  lists.ends_.resize(keys.size());
  BatchProber prober(bank_, hashers_);
  BatchProber::Words found{};
  std::vector<Hit> hits;
  for (std::size_t at = 0; at < keys.size(); at += BatchProber::kBatchKeys) {
    const Keys batch = batch_at(keys, at);
    prober.take(batch);
    hits.clear();
    for (const std::uint32_t entry : asked_) collect_hits(prober.ask(entry, found), entry, hits);
    // Hits come by entry. Counting them by key, and then putting each where its key's begin, keeps
    // the entries of a key in order.
    std::array<std::size_t, BatchProber::kBatchKeys> next{};
    for (const Hit& hit : hits) ++next[hit.key];
    std::size_t place = lists.entries_.size();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::size_t size = std::exchange(next[i], place);
      place += size;
      lists.ends_[at + i] = place;
    }
    lists.entries_.resize(place);
    for (const Hit& hit : hits) lists.entries_[next[hit.key]++] = hit.entry;
  }
  return lists;
}

GroupLists BankQuery::groups_of(Keys keys) const {
  std::vector<GroupLists> runs((keys.size() + kRunKeys - 1) / kRunKeys);
  each_run(keys, [&](Keys run_keys, std::size_t, std::size_t run) {
    runs[run] = lists_of_run(run_keys);
  });
  if (runs.size() == 1) return std::move(runs.front());
  GroupLists lists;
  lists.ends_.reserve(keys.size());
  for (GroupLists& run : runs) {
    const std::size_t start = lists.entries_.size();
    lists.entries_.insert(lists.entries_.end(), run.entries_.begin(), run.entries_.end());
    for (const std::size_t end : run.ends_) lists.ends_.push_back(start + end);
    run = {};
  }
  return lists;
}

}  // namespace bloomery
