#include "verify/verify_map.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "base/error.h"

namespace bloomery {
namespace {

constexpr std::size_t kBatchKeys = BatchProber::kBatchKeys;
// Candidates that go to the sink together.
constexpr std::size_t kSendCandidates = 4096;
constexpr std::uint32_t kNoMask = UINT32_MAX;

std::uint64_t ones(std::uint64_t word) noexcept {
  return static_cast<std::uint64_t>(std::popcount(word));
}

void set_bit(BatchProber::Words& words, std::size_t i) noexcept {
  words[i / 64] |= std::uint64_t{1} << (i % 64);
}

bool has_bit(const BatchProber::Words& words, std::size_t i) noexcept {
  return ((words[i / 64] >> (i % 64)) & 1U) != 0;
}

}  // namespace

VerifyMap::VerifyMap(const Bank& bank, const BankHashers& hashers, CandidateSink sink,
                     const VerifyOptions& options)
    : prober_(bank, hashers),
      sink_(std::move(sink)),
      counts_(bank, options.evidence, options.sample),
      bank_(&bank),
      copies_(options.sample.takes_all() ? 0 : kBatchKeys),
      mask_of_(bank.entries().size(), kNoMask),
      ids_(kBatchKeys) {
  keys_.reserve(kBatchKeys);
  owners_.reserve(kBatchKeys);
  candidates_.reserve(kSendCandidates);
}

Result<VerifyMap> VerifyMap::create(const Bank& bank, const BankHashers& hashers,
                                    CandidateSink sink, const VerifyOptions& options) {
  for (const BankEntry& entry : bank.entries()) {
    if (!entry.filter().spec().hasher.is_locked()) continue;
    return make_error(ErrorCode::kInvalidArgument,
                      "group \"{}\": cannot be verified without its secret; give the key file it "
                      "was built with",
                      escaped(entry.group()));
  }
  return VerifyMap(bank, hashers, std::move(sink), options);
}

void VerifyMap::add_group(std::string_view name) {
  TaskGroup group;
  if (const BankEntry* entry = bank_->find(name); entry != nullptr) {
    group.entry = static_cast<std::uint32_t>(entry - bank_->entries().data());
  } else {
    group.name = name;
  }
  groups_.push_back(std::move(group));
}

Result<void> VerifyMap::add(const KeyBatch& batch, const GroupTable& names) {
  for (std::size_t i = group_count(); i < names.size(); ++i) {
    add_group(names.name(static_cast<std::uint32_t>(i)));
  }
  return add(batch.keys, batch.groups);
}

Result<void> VerifyMap::add(std::span<const std::string_view> keys,
                            std::span<const std::uint32_t> groups) {
  assert(keys.size() == groups.size());
  while (!keys.empty()) {
    const std::size_t size = std::min(keys.size(), kBatchKeys - keys_.size());
    add_sampled(keys.first(size), groups.first(size));
    keys = keys.subspan(size);
    groups = groups.subspan(size);
    // The keys are good only during this call, unless they were copied.
    if (keys_.size() == kBatchKeys || (keys.empty() && copies_.empty())) {
      if (auto asked = ask_batch(); !asked) return asked;
    }
  }
  return {};
}

// Takes what the sample takes into the batch. A sample is copied, to wait until the batch is full:
// the groups of a large bank are not asked for a handful of keys.
void VerifyMap::add_sampled(std::span<const std::string_view> keys,
                            std::span<const std::uint32_t> groups) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!counts_.sample.takes_all()) {
      const KeyId id = key_id(keys[i]);
      if (!counts_.sample.takes(id)) continue;
      ids_[keys_.size()] = id;
      set_bit(has_id_, keys_.size());
    }
    TaskGroup& group = groups_[groups[i]];
    if (group.entry == kOutside) ++group.records;
    keys_.push_back(copies_.empty() ? keys[i] : copies_[keys_.size()].assign(keys[i]));
    owners_.push_back(group.entry);
  }
}

Result<void> VerifyMap::ask_batch() {
  counts_.records += keys_.size();
  prober_.take(keys_);
  mark_owners();
  if (counts_.evidence == Evidence::kAllRecords) {
    if (auto sent = send_own_records(); !sent) return sent;
  }
  for (std::size_t entry = 0; entry < counts_.groups.size(); ++entry) {
    if (auto asked = ask_entry(entry); !asked) return asked;
  }
  unmark_owners();
  keys_.clear();
  owners_.clear();
  has_id_ = {};
  return {};
}

void VerifyMap::mark_owners() {
  for (std::size_t i = 0; i < owners_.size(); ++i) {
    const std::uint32_t owner = owners_[i];
    if (owner == kOutside) {
      set_bit(outside_, i);
      continue;
    }
    if (mask_of_[owner] == kNoMask) {
      mask_of_[owner] = static_cast<std::uint32_t>(masks_.size());
      masks_.emplace_back();
    }
    set_bit(masks_[mask_of_[owner]], i);
  }
}

void VerifyMap::unmark_owners() {
  for (const std::uint32_t owner : owners_) {
    if (owner != kOutside) mask_of_[owner] = kNoMask;
  }
  masks_.clear();
  outside_ = {};
}

Result<void> VerifyMap::ask_entry(std::size_t entry) {
  static constexpr Words kNone{};
  Words found;
  const auto answers = prober_.ask(entry, found);
  const Words& own = mask_of_[entry] == kNoMask ? kNone : masks_[mask_of_[entry]];
  GroupTally& tally = counts_.groups[entry];
  for (std::size_t w = 0; w < answers.size(); ++w) {
    const std::uint64_t foreign = answers[w] & ~own[w];
    tally.members += ones(own[w]);
    tally.denied += ones(own[w] & ~answers[w]);
    tally.hits += ones(foreign);
    counts_.outside_hits += ones(foreign & outside_[w]);
    for (std::uint64_t rest = foreign; rest != 0; rest &= rest - 1) {
      const std::size_t record = w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
      auto added = add_candidate(record, static_cast<std::uint32_t>(entry));
      if (!added) return added;
    }
  }
  return {};
}

Result<void> VerifyMap::send_own_records() {
  for (std::size_t i = 0; i < owners_.size(); ++i) {
    if (auto added = add_candidate(i, owners_[i]); !added) return added;
  }
  return {};
}

Result<void> VerifyMap::add_candidate(std::size_t record, std::uint32_t hit) {
  candidates_.push_back({id_of(record), owners_[record], hit, 1});
  return candidates_.size() < kSendCandidates ? Result<void>() : send();
}

Result<void> VerifyMap::send() {
  auto sent = sink_(candidates_);
  candidates_.clear();
  return sent;
}

// Most records are no candidates, so their identity is never computed.
const KeyId& VerifyMap::id_of(std::size_t record) {
  if (!has_bit(has_id_, record)) {
    ids_[record] = key_id(keys_[record]);
    set_bit(has_id_, record);
  }
  return ids_[record];
}

Result<VerifyCounts> VerifyMap::finish() {
  if (auto asked = ask_batch(); !asked) return asked.error();
  if (!candidates_.empty()) {
    if (auto sent = send(); !sent) return sent.error();
  }
  for (TaskGroup& group : groups_) {
    if (group.records != 0) counts_.outside[group.name] += std::exchange(group.records, 0);
  }
  return counts_;
}

}  // namespace bloomery
