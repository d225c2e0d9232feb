#include "query/batch_prober.h"

#include <algorithm>
#include <cassert>
#include <map>

#include "hash/hasher_order.h"

namespace bloomery {

BankHashers::BankHashers(const Bank& bank) {
  std::map<Hasher, std::uint32_t, HasherOrder> numbers;
  of_.reserve(bank.entries().size());
  for (const BankEntry& entry : bank.entries()) {
    const FilterSpec& spec = entry.filter().spec();
    if (!spec.takes_hashes() || spec.hasher.is_locked()) {
      of_.push_back(kByKey);
      continue;
    }
    const auto next = static_cast<std::uint32_t>(hashers_.size());
    const auto [number, is_new] = numbers.try_emplace(spec.hasher, next);
    if (is_new) hashers_.push_back(spec.hasher);
    of_.push_back(number->second);
  }
}

BatchProber::BatchProber(const Bank& bank, const BankHashers& hashers)
    : entries_(bank.entries()),
      hashers_(&hashers),
      kept_count_(std::clamp<std::size_t>(hashers.hashers().size(), 1, kMaxKept)),
      kept_(std::make_unique_for_overwrite<Kept[]>(kept_count_)) {}  // NOLINT(*-avoid-c-arrays)

void BatchProber::take(std::span<const std::string_view> keys) noexcept {
  assert(keys.size() <= kBatchKeys);
  keys_ = keys;
  for (Kept& kept : std::span(kept_.get(), kept_count_)) kept.hasher = BankHashers::kByKey;
}

std::span<const KeyHash> BatchProber::hashes_by(std::uint32_t hasher) noexcept {
  Kept& kept = kept_[hasher % kept_count_];
  if (kept.hasher != hasher) {
    hashers_->hashers()[hasher].hash_all(keys_, kept.hashes);
    kept.hasher = hasher;
  }
  return std::span(kept.hashes).first(keys_.size());
}

std::span<std::uint64_t> BatchProber::ask(std::size_t entry, Words& answers) {
  const auto words = std::span(answers).first((keys_.size() + 63) / 64);
  const FilterView& filter = entries_[entry].filter();
  const std::uint32_t hasher = hashers_->of_entry(entry);
  if (hasher == BankHashers::kByKey) {
    const Answers by_key = filter.may_contain(keys_);
    std::ranges::copy(by_key.words(), words.begin());
  } else {
    filter.may_contain(hashes_by(hasher), words);
  }
  return words;
}

}  // namespace bloomery
