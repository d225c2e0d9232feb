// A bank: one file with one filter per group. Start here.
//
//   takes   filters from filter.h
//   gives   one file that any machine can open and ask
//
// Opening validates: there is no object for a bank that was not checked from the first byte to the
// last. A file that is damaged is refused with offset and group; one that is something else is
// named as what it is. docs/format.md describes every byte.
//
// Threads. A Bank does not change, so any number of threads may use one at once.
//
// Lifetime. Copies of a Bank share one file, which is unmapped or freed with the last of them.
// Entries, their groups and filters, and the texts belong to it: keep a copy of the Bank as long as
// you use any of them. A copy of an entry or of its filter is a view too, and does not keep it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/filter.h"
#include "bloomery/result.h"

namespace bloomery {

// Names and texts that travel with a bank, sorted by name. Bytes of any value.
using TextMap = std::map<std::string, std::string, std::less<>>;

struct OpenOptions {
  // The key of banks built with HashId::kSip. Without it, or with another one, such a bank is
  // refused, unless `allow_locked` is set: then its facts can be read and it can be merged, and it
  // answers "maybe" to every key, never "no".
  std::optional<SecretKey> secret;
  bool allow_locked = false;
  unsigned threads = 0;  // that check the file; 0: as many as the machine has
  // load() fails rather than read a larger file than this, and open() rather than copy more of its
  // head than this: entries, seeds, checksums, names and texts, as long as it opens. The default is
  // no limit. Beside that, a bank takes memory for what was made of its head, however it is opened:
  // about twice the bytes of the entries, once those of the names, and of the checksums while it is
  // checked, and up to twelve times those of texts and seeds, where these are short and many.
  std::uint64_t max_bytes = UINT64_MAX;
};

// One group's filter in a bank. Dies with the last copy of the Bank it came from, copied or not.
class BankEntry {
 public:
  BankEntry(std::string_view group, FilterView filter, std::uint64_t count, std::uint64_t ones)
      : group_(group), filter_(std::move(filter)), count_(count), ones_(ones) {}

  // 1 to 65,535 bytes of any value. Escape it before printing it; never use it as a path.
  [[nodiscard]] std::string_view group() const noexcept { return group_; }
  [[nodiscard]] const FilterView& filter() const noexcept { return filter_; }
  // How many keys were inserted, repeats included.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  // filter().ones() without reading the table.
  [[nodiscard]] std::uint64_t ones() const noexcept { return ones_; }

 private:
  std::string_view group_;
  FilterView filter_;
  std::uint64_t count_;
  std::uint64_t ones_;
};

struct GroupFilter;
struct WriteOptions;

class Bank {
 public:
  // Maps the file: ready as soon as it is checked, and shared with other processes. The file must
  // not be written in place while it is open (bloomery never does: it replaces files).
  static Result<Bank> open(const std::string& path, const OpenOptions& options = {});
  // Reads the file into huge pages while checking it: for many questions to a large bank.
  static Result<Bank> load(const std::string& path, const OpenOptions& options = {});
  // A bank in memory. `bytes` must be 64-byte aligned and outlive the bank; `name` stands for the
  // path in messages.
  static Result<Bank> from_bytes(std::span<const std::byte> bytes, std::string_view name,
                                 const OpenOptions& options = {});
  // A bank in memory of copies of these filters: what opening the file that write_bank() makes of
  // them would give. `texts` gives recipe, metadata and threads.
  static Result<Bank> from_filters(std::span<const GroupFilter> filters, std::string_view name,
                                   const WriteOptions& texts);

  // Sorted by group, compared as bytes. They die with the last copy of this bank.
  [[nodiscard]] std::span<const BankEntry> entries() const& noexcept;
  // Null when there is no such group.
  [[nodiscard]] const BankEntry* find(std::string_view group) const& noexcept;
  // Indexes into entries() of the groups that may hold `key`, in order. Hashes the key once for
  // each distinct hash, not once a group.
  [[nodiscard]] std::vector<std::size_t> groups_of(std::string_view key) const;

  // How keys and groups were made from records.
  [[nodiscard]] const TextMap& recipe() const& noexcept;
  // Whatever the builder wanted to say.
  [[nodiscard]] const TextMap& metadata() const& noexcept;
  [[nodiscard]] std::uint64_t file_size() const noexcept;
  // 16 bytes that stand for the whole content: equal digests, equal banks. It finds accidents; it
  // is no protection against an enemy.
  [[nodiscard]] std::array<std::byte, 16> digest() const noexcept;

  // Not of a bank without a name: `for (auto& e : Bank::open(p).value().entries())` would go over
  // entries of a bank that is gone.
  void entries() const&& = delete;
  void find(std::string_view group) const&& = delete;
  void recipe() const&& = delete;
  void metadata() const&& = delete;

 private:
  struct State;
  explicit Bank(std::shared_ptr<const State> state) noexcept : state_(std::move(state)) {}

  std::shared_ptr<const State> state_;
};

struct WriteOptions {
  TextMap recipe;
  TextMap metadata;
  bool overwrite = false;  // replace a file that exists, and keep its permissions
  unsigned threads = 0;    // that compute checksums; 0: as many as the machine has
};

// Writes a bank piece by piece, for filters that do not fit memory together. Nothing appears under
// `path` before commit(), and then the whole bank does, or what was there before stays. A writer
// that is destroyed without commit() leaves nothing behind.
class BankWriter {
 public:
  struct Entry {
    std::string group;
    FilterSpec spec;
    std::uint64_t count = 0;
  };

  // Reserves the disk space, so that a full disk shows before the work. `entries` in any order.
  // Fails for two entries of one group, an invalid spec, or a file that exists without
  // `overwrite`.
  static Result<BankWriter> create(const std::string& path, std::vector<Entry> entries,
                                   const WriteOptions& options = {});

  BankWriter(BankWriter&& other) noexcept;
  BankWriter& operator=(BankWriter&& other) noexcept;
  ~BankWriter();

  // Puts `bytes` at `offset` of the group's table. What is never written stays zero; no byte may be
  // written twice, except after a write of it that failed. Any number of threads may write at once.
  Result<void> write(std::string_view group, std::uint64_t offset,
                     std::span<const std::byte> bytes);
  // For counts that are known only when the tables are.
  Result<void> set_count(std::string_view group, std::uint64_t count);

  // Reads the tables back, fails where they are not what was written, counts them, adds the header,
  // and puts the file in place: fsync, rename, fsync of the folder. Call it once: nothing can be
  // written or committed afterwards.
  Result<void> commit();

  [[nodiscard]] std::uint64_t file_size() const noexcept;

 private:
  struct State;
  explicit BankWriter(std::unique_ptr<State> state) noexcept;

  std::unique_ptr<State> state_;
};

// A filter on its way into a bank.
struct GroupFilter {
  std::string_view group;
  const FilterView* filter = nullptr;
  std::uint64_t count = 0;
};

// The whole of BankWriter in one call.
Result<void> write_bank(const std::string& path, std::span<const GroupFilter> filters,
                        const WriteOptions& options = {});

// The bytes that the file would have, 64-byte aligned only by chance: for tests and for transport.
Result<std::vector<std::byte>> bank_bytes(std::span<const GroupFilter> filters,
                                          const WriteOptions& options = {});

// A bank of all groups of all banks. Groups of one name are merged and their counts added, so their
// specs must be equal; so must the recipes, and a metadata name may not have two texts. Holds one
// small piece of a table at a time. `options` gives overwrite and threads; recipe and metadata come
// from the banks.
Result<void> merge_banks(std::span<const Bank* const> banks, const std::string& path,
                         const WriteOptions& options = {});

}  // namespace bloomery
