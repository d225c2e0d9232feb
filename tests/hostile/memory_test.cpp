// Nothing is allocated because a file says so: only what the file holds, and a little for the
// message.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <string>

#include "bank/record.h"
#include "bloomery/bank.h"
#include "support/bank_repair.h"
#include "support/sample_banks.h"
#include "support/temporary_folder.h"

namespace {

// All memory that `new` gives out in this program is counted here.
std::atomic<std::size_t> allocated = 0;
std::atomic<std::size_t> largest = 0;
std::atomic<std::size_t> held = 0;  // and not given back
// More than this at once is refused.
std::atomic<std::size_t> allowed = SIZE_MAX;

// Each piece has its size before it.
constexpr std::size_t kBefore = alignof(std::max_align_t);

void* counted(std::size_t size) {
  if (size > allowed) throw std::bad_alloc();
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
