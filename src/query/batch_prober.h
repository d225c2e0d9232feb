// Asks the filters of a bank about one batch of keys, hashing it once for each distinct hash.
//
//   takes   a bank, and batches of keys
//   gives   bitmaps of answers, to bank_query and verify/
//
// A batch is asked group by group, not key by key: so its hashes stay in the first-level cache, and
// each filter is probed by the batch kernels, which wait for many lines of memory at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "bloomery/bank.h"

namespace bloomery {

// Which hash each entry of a bank needs, with equal ones counted once. Does not change, so threads
// may share one.
class BankHashers {
 public:
  // Filters that cannot take a ready hash: lists of seeds, and a secret that is not known.
  static constexpr std::uint32_t kByKey = UINT32_MAX;

  explicit BankHashers(const Bank& bank);

  [[nodiscard]] std::span<const Hasher> hashers() const noexcept { return hashers_; }
  // An index into hashers(), or kByKey.
  [[nodiscard]] std::uint32_t of_entry(std::size_t entry) const noexcept { return of_[entry]; }

 private:
  std::vector<Hasher> hashers_;
  std::vector<std::uint32_t> of_;
};

// Belongs to one thread. `bank` and `hashers` must outlive it.
class BatchProber {
 public:
  static constexpr std::size_t kBatchKeys = 1024;
  static constexpr std::size_t kBatchWords = kBatchKeys / 64;
  using Words = std::array<std::uint64_t, kBatchWords>;

  BatchProber(const Bank& bank, const BankHashers& hashers);

  // Starts a batch of at most kBatchKeys keys, which must stay until the next one.
  void take(std::span<const std::string_view> keys) noexcept;

  // Asks one entry. Bit i % 64 of word i / 64 is the answer for key i; other bits are 0. Returns
  // the words that hold answers.
  std::span<std::uint64_t> ask(std::size_t entry, Words& answers);

 private:
  // How many hashes of a batch are kept. Banks have one as a rule; this bounds the memory for those
  // with a seed a group.
  static constexpr std::size_t kMaxKept = 16;

  struct Kept {
    std::uint32_t hasher = BankHashers::kByKey;
    std::array<KeyHash, kBatchKeys> hashes;
  };

  std::span<const KeyHash> hashes_by(std::uint32_t hasher) noexcept;

  std::span<const BankEntry> entries_;
  const BankHashers* hashers_;
  std::span<const std::string_view> keys_;
  std::size_t kept_count_;
  std::unique_ptr<Kept[]> kept_;  // NOLINT(*-avoid-c-arrays)
};

}  // namespace bloomery
