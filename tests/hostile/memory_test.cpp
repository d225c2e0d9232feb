// Nothing is allocated because a file says so: only what the file holds, and a little for the
// message.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include "bank/record.h"
#include "bloomery/bank.h"
#include "support/bank_repair.h"
#include "support/sample_banks.h"

namespace {

// All memory that `new` gives out in this program is counted here.
std::atomic<std::size_t> allocated = 0;
std::atomic<std::size_t> largest = 0;
// More than this at once is refused.
std::atomic<std::size_t> allowed = SIZE_MAX;

void* counted(std::size_t size) {
  if (size > allowed) throw std::bad_alloc();
  allocated += size;
  std::size_t seen = largest;
  while (size > seen && !largest.compare_exchange_weak(seen, size)) {
  }
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) {
  return counted(size);
}
void* operator new[](std::size_t size) {
  return counted(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

namespace bloomery {
namespace {

using test::AlignedBytes;

// What messages and the like take, whatever the file.
constexpr std::size_t kFixed = std::size_t{16} << 10U;

struct Cost {
  std::size_t all;
  std::size_t largest;
};

Cost cost_of_opening(std::span<const std::byte> bytes) {
  OpenOptions options = test::with_secret();
  options.threads = 1;
  allocated = 0;
  largest = 0;
  static_cast<void>(Bank::from_bytes(bytes, "x", options).has_value());
  return {allocated, largest};
}

TEST(Memory, OfARightBankStaysBelowTwiceItsSize) {
  const AlignedBytes copy(test::bytes_of(test::samples_of_every_kind(), test::sample_texts()));
  const Cost cost = cost_of_opening(copy.bytes());
  EXPECT_GT(cost.all, 0U);
  EXPECT_LE(cost.all, 2 * copy.bytes().size() + kFixed);
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
  const AlignedBytes copy(bank_bytes(filters).value());
  EXPECT_LE(cost_of_opening(copy.bytes()).all, 2 * copy.bytes().size() + kFixed);
}

// What bank.h says of texts and seeds.
TEST(Memory, OfManyTextsStaysBelowTwelveTimesTheirSize) {
  WriteOptions options;
  for (int i = 0; i < 65'536; ++i) {
    options.metadata[{static_cast<char>(i / 256), static_cast<char>(i % 256)}] = "";
  }
  const AlignedBytes copy(bank_bytes({}, options).value());
  EXPECT_LE(cost_of_opening(copy.bytes()).all, 12 * copy.bytes().size() + kFixed);
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
  const AlignedBytes copy(bank_bytes(filters).value());
  EXPECT_LE(cost_of_opening(copy.bytes()).all, 12 * copy.bytes().size() + kFixed);
}

TEST(Memory, IsNotTakenForWhatALyingBankClaims) {
  const auto bytes = test::bytes_of(test::samples_of_every_kind(), test::sample_texts());
  const AlignedBytes copy(bytes);
  const std::uint64_t head = decode_header(std::span(bytes).first<kHeaderBytes>()).payload_offset;
  for (std::size_t at = 0; at < head; ++at) {
    for (const int value : {0x00, 0x01, 0x10, 0x7F, 0xFF}) {
      std::ranges::copy(bytes, copy.bytes().begin());
      copy.bytes()[at] = static_cast<std::byte>(value);
      test::repair(copy.bytes());
      const Cost cost = cost_of_opening(copy.bytes());
      ASSERT_LE(cost.all, 2 * bytes.size() + kFixed) << at;
      ASSERT_LE(cost.largest, bytes.size() + kFixed) << at;
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
