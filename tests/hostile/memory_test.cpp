// Nothing is allocated because a file says so: only what the file holds, and a little for the
// message.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <new>
#include <string>

#include "bank/record.h"
#include "bloomery/bank.h"
#include "support/bank_repair.h"
#include "support/contains.h"
#include "support/sample_banks.h"
#include "support/temporary_folder.h"

namespace {

// All memory that `new` gives out in this program is counted here.
std::atomic<std::size_t> allocated = 0;
std::atomic<std::size_t> largest = 0;
std::atomic<std::size_t> held = 0;  // and not given back
// More than this at once is refused.
std::atomic<std::size_t> allowed = SIZE_MAX;
// How many more are given out before one is refused; below zero, none is.
std::atomic<std::int64_t> given_before_refusal = -1;

// Each piece has its size before it.
constexpr std::size_t kBefore = alignof(std::max_align_t);

void* counted(std::size_t size) {
  if (size > allowed || given_before_refusal-- == 0) throw std::bad_alloc();
  allocated += size;
  std::size_t seen = largest;
  while (size > seen && !largest.compare_exchange_weak(seen, size)) {
  }
  void* memory = std::malloc(kBefore + size);
  if (memory == nullptr) throw std::bad_alloc();
  std::memcpy(memory, &size, sizeof size);
  held += size;
  return static_cast<char*>(memory) + kBefore;
}

void give_back(void* memory) noexcept {
  if (memory == nullptr) return;
  void* all = static_cast<char*>(memory) - kBefore;
  std::size_t size = 0;
  std::memcpy(&size, all, sizeof size);
  held -= size;
  std::free(all);
}

}  // namespace

void* operator new(std::size_t size) {
  return counted(size);
}
void* operator new[](std::size_t size) {
  return counted(size);
}
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return counted(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
  return operator new(size, tag);
}
void operator delete(void* memory) noexcept {
  give_back(memory);
}
void operator delete[](void* memory) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, std::size_t /*size*/) noexcept {
  give_back(memory);
}

namespace bloomery {
namespace {

using test::AlignedBytes;

// What messages and the like take, whatever the file.
constexpr std::size_t kFixed = std::size_t{16} << 10U;

struct Cost {
  std::size_t all;
  std::size_t largest;
  std::size_t held;  // by the bank
};

template <typename Open>
Cost cost_of(const Open& open) {
  OpenOptions options = test::with_secret();
  options.threads = 1;
  const std::size_t before = held;
  allocated = 0;
  largest = 0;
  const Result<Bank> bank = open(options);
  return {allocated, largest, held - before};
}

// Opens the same bytes in each way. The file itself is mapped, or lies in memory that `new` does
// not give: what is counted comes beside it.
void for_each_way(std::span<const std::byte> bytes,
                  const std::function<void(const std::string& way, const Cost& cost)>& look) {
  const AlignedBytes copy(bytes);
  look("from_bytes", cost_of([&](const OpenOptions& options) {
         return Bank::from_bytes(copy.bytes(), "x", options);
       }));
  const test::TemporaryFolder folder;
  const std::string path = folder.path("x.bank");
  test::write_file(path, bytes);
  look("open", cost_of([&](const OpenOptions& options) { return Bank::open(path, options); }));
  look("load", cost_of([&](const OpenOptions& options) { return Bank::load(path, options); }));
}

// What a bank holds, and what opening it takes in all. A mapped file may change, so its head is
// copied first, and given back in the end.
void expect_below(std::size_t factor, std::span<const std::byte> bytes) {
  const std::size_t head = decode_header(bytes.first<kHeaderBytes>()).payload_offset;
  for_each_way(bytes, [&](const std::string& way, const Cost& cost) {
    const std::size_t limit = factor * bytes.size() + kFixed;
    EXPECT_GT(cost.held, 0U) << way;
    EXPECT_LE(cost.held, limit) << way;
    EXPECT_LE(cost.all, limit + (way == "open" ? 2 * head : 0)) << way;
  });
}

TEST(Memory, OfARightBankStaysBelowTwiceItsSize) {
  expect_below(2, test::bytes_of(test::samples_of_every_kind(), test::sample_texts()));
}

TEST(Memory, OfManySmallEntriesStaysBelowTwiceTheirSize) {
  FilterSpec spec;
  spec.planned_keys = 1;
  spec.bits = 512;
  spec.hashes = 8;
  const Filter filter = Filter::create(spec).value();
  std::vector<std::string> groups;
  for (int i = 0; i < 20'000; ++i) groups.push_back(std::to_string(i));
  std::vector<GroupFilter> filters;
  for (const auto& group : groups) filters.push_back({group, &filter, 0});
  expect_below(2, bank_bytes(filters).value());
}

// What bank.h says of texts and seeds.
TEST(Memory, OfManyTextsStaysBelowTwelveTimesTheirSize) {
  WriteOptions options;
  for (int i = 0; i < 65'536; ++i) {
    options.metadata[{static_cast<char>(i / 256), static_cast<char>(i % 256)}] = "";
  }
  expect_below(12, bank_bytes({}, options).value());
}

TEST(Memory, OfManySeedsStaysBelowTwelveTimesTheirSize) {
  FilterSpec spec;
  spec.kind = Kind::kClassic;
  spec.planned_keys = 1;
  spec.bits = 64;
  spec.hashes = 64;
  for (std::uint64_t seed = 0; seed < 64; ++seed) spec.seeds.push_back(seed);
  const Filter filter = Filter::create(spec).value();
  std::vector<std::string> groups;
  for (int i = 0; i < 2'000; ++i) groups.push_back(std::to_string(i));
  std::vector<GroupFilter> filters;
  for (const auto& group : groups) filters.push_back({group, &filter, 0});
  expect_below(12, bank_bytes(filters).value());
}

TEST(Memory, IsNotTakenForWhatALyingBankClaims) {
  const auto bytes = test::bytes_of(test::samples_of_every_kind(), test::sample_texts());
  const AlignedBytes copy(bytes);
  const test::TemporaryFolder folder;
  const std::string path = folder.path("x.bank");
  const std::uint64_t head = decode_header(std::span(bytes).first<kHeaderBytes>()).payload_offset;
  const auto expect_little = [&](const Cost& cost, std::size_t more) {
    ASSERT_LE(cost.all, 2 * bytes.size() + kFixed + more);
    ASSERT_LE(cost.largest, bytes.size() + kFixed);
  };
  for (std::size_t at = 0; at < head; ++at) {
    for (const int value : {0x00, 0x01, 0x10, 0x7F, 0xFF}) {
      SCOPED_TRACE(std::to_string(at) + ": " + std::to_string(value));
      std::ranges::copy(bytes, copy.bytes().begin());
      copy.bytes()[at] = static_cast<std::byte>(value);
      test::repair(copy.bytes());
      expect_little(cost_of([&](const OpenOptions& options) {
                      return Bank::from_bytes(copy.bytes(), "x", options);
                    }),
                    0);
      // Files take longer: a bit of every byte, in turn.
      if (value != (at % 2 == 0 ? 0xFF : 0x01)) continue;
      test::write_file(path, copy.bytes());
      expect_little(cost_of([&](const OpenOptions& options) { return Bank::open(path, options); }),
                    2 * head);
      expect_little(cost_of([&](const OpenOptions& options) { return Bank::load(path, options); }),
                    0);
    }
  }
}

// An empty bank, but for a part of its head that has `size` bytes of zeros, which take no room on
// the disk.
void write_hollow_bank(const std::string& path, std::uint64_t size,
                       const std::function<void(Header&)>& claim) {
  Header header;
  claim(header);
  header.payload_offset = kHeaderBytes + size;
  header.file_size = header.payload_offset;
  std::vector<std::byte> bytes(kHeaderBytes);
  encode_header(header, std::span(bytes).first<kHeaderBytes>());
  test::write_file(path, bytes);
  std::filesystem::resize_file(path, header.file_size);
}

TEST(Memory, OfAnExtensionIsNotTaken) {
  constexpr std::uint64_t kExtension = std::uint64_t{4} << 20U;
  const test::TemporaryFolder folder;
  const std::string path = folder.path("x.bank");
  write_hollow_bank(path, kExtension, [](Header& header) {
    header.may_ignore = 1;
    header.extension_size = kExtension;
  });
  OpenOptions options;
  options.threads = 1;
  options.max_bytes = kFixed;
  allocated = 0;
  const auto damaged = Bank::open(path, options);
  EXPECT_LE(allocated, kFixed);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::kDamaged);
  EXPECT_PRED2(test::contains, damaged.error().message, "the digest does not match");

  auto bytes = test::read_file(path);
  test::repair(bytes);
  test::write_file(path, bytes);
  allocated = 0;
  const auto right = Bank::open(path, options);
  EXPECT_LE(allocated, kFixed);
  ASSERT_TRUE(right) << right.error().message;
  EXPECT_EQ(right->file_size(), kHeaderBytes + kExtension);
}

TEST(Memory, OfAHeadIsNotTakenBeyondWhatIsAllowed) {
  constexpr std::uint64_t kTexts = std::uint64_t{1} << 40U;
  const test::TemporaryFolder folder;
  const std::string path = folder.path("x.bank");
  write_hollow_bank(path, kTexts, [](Header& header) { header.metadata_size = kTexts; });
  OpenOptions options;
  options.max_bytes = std::uint64_t{1} << 20U;
  for (const auto open : {Bank::open, Bank::load}) {
    const auto bank = open(path, options);
    ASSERT_FALSE(bank);
    EXPECT_EQ(bank.error().code, ErrorCode::kResource);
    EXPECT_PRED2(test::contains, bank.error().message, "1048576 are allowed; allow more");
  }
}

TEST(Memory, OfSeedsIsNotTakenForMoreOfThemThanHashes) {
  FilterSpec spec;
  spec.planned_keys = 1;
  spec.bits = 512;
  spec.hashes = 8;
  const Filter filter = Filter::create(spec).value();
  const GroupFilter group{"group", &filter, 0};
  // Texts that stand where a lie says that seeds stand.
  WriteOptions texts;
  texts.metadata["text"] = std::string(std::size_t{1} << 20U, 'x');
  auto bytes = bank_bytes({&group, 1}, texts).value();
  Header header = decode_header(std::span(bytes).first<kHeaderBytes>());
  const auto entry_bytes = std::span(bytes).subspan<kHeaderBytes, kEntryBytes>();
  EntryRecord entry = decode_entry(entry_bytes);
  header.extras_size = header.metadata_size;
  header.metadata_size = 0;
  entry.extra_offset = kHeaderBytes + kEntryBytes;
  entry.extra_size = header.extras_size;
  entry.name_offset += header.extras_size;
  // Behind the extras lie checksum and name, which were before the texts.
  std::rotate(bytes.begin() + kHeaderBytes + kEntryBytes,
              bytes.begin() + static_cast<std::ptrdiff_t>(entry.name_offset - header.extras_size +
                                                          entry.name_size),
              bytes.begin() + static_cast<std::ptrdiff_t>(entry.name_offset + entry.name_size));
  for (const std::uint64_t hashes : {std::uint64_t{8}, header.extras_size / 8}) {
    entry.k = static_cast<std::uint32_t>(hashes);
    encode_header(header, std::span(bytes).first<kHeaderBytes>());
    encode_entry(entry, entry_bytes);
    const AlignedBytes copy(bytes);
    test::repair(copy.bytes());
    const auto bank = Bank::from_bytes(copy.bytes(), "x", {});
    ASSERT_FALSE(bank);
    EXPECT_EQ(bank.error().code, ErrorCode::kDamaged);
    EXPECT_PRED2(test::contains, bank.error().message, "hashes");
    const Cost cost = cost_of(
        [&](const OpenOptions& options) { return Bank::from_bytes(copy.bytes(), "x", options); });
    EXPECT_LE(cost.all, kFixed);
  }
}

// Every single one of the allocations may be the one that there is no memory for.
TEST(Memory, ThatIsLackingIsAnErrorAndNotAnException) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path("x.bank");
  const auto samples = test::samples_of_every_kind();
  const auto bytes = test::bytes_of(samples, test::sample_texts());
  test::write_file(path, bytes);
  const AlignedBytes copy(bytes);
  const auto filters = test::as_filters(samples);
  OpenOptions options = test::with_secret();
  options.threads = 1;
  WriteOptions texts = test::sample_texts();
  texts.threads = 1;
  const std::vector<std::function<Result<Bank>()>> ways{
      [&] { return Bank::open(path, options); },
      [&] { return Bank::load(path, options); },
      [&] { return Bank::from_bytes(copy.bytes(), "a bank in memory", options); },
      [&] { return Bank::from_filters(filters, "a bank in memory", texts); },
  };
  for (std::size_t way = 0; way < ways.size(); ++way) {
    std::int64_t refused = 0;
    for (;; ++refused) {
      given_before_refusal = refused;
      const auto bank = ways[way]();
      const bool was_refused = given_before_refusal < 0;
      given_before_refusal = -1;
      if (!was_refused) {
        EXPECT_TRUE(bank.has_value());
        break;
      }
      ASSERT_FALSE(bank) << "way " << way << ", allocation " << refused;
      EXPECT_EQ(bank.error().code, ErrorCode::kResource) << bank.error().message;
    }
    EXPECT_GT(refused, 10) << "way " << way;
  }
}

// Sorting a large call is for speed: without the memory for it, questions are asked as they come.
TEST(Memory, ThatSortingLacksChangesNoAnswer) {
  FilterSpec spec;
  spec.kind = Kind::kBlocked;
  spec.planned_keys = 1;
  spec.bits = std::uint64_t{32} << 23U;  // bulk.cpp: from 32 MiB and 8 keys a line on
  spec.hashes = 8;
  Filter filter = Filter::create(spec).value();
  std::vector<KeyHash> hashes(spec.bits / 512 * 8);
  for (std::size_t i = 0; i < hashes.size(); ++i) hashes[i] = spec.hasher(std::uint64_t{i});
  filter.insert(std::span<const KeyHash>(hashes).first(hashes.size() / 2));
  const Answers expected = filter.may_contain(hashes);
  Answers answers(hashes.size());
  allowed = 4096;
  filter.may_contain(hashes, answers.words());
  bool is_thrown = false;
  try {
    filter.insert(hashes);  // which cannot do without, and shows that the limit is felt
  } catch (const std::bad_alloc&) {
    is_thrown = true;
  }
  allowed = SIZE_MAX;
  EXPECT_TRUE(std::ranges::equal(answers.words(), expected.words()));
  EXPECT_TRUE(is_thrown);
}

}  // namespace
}  // namespace bloomery
