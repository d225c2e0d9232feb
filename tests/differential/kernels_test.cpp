// Every kernel of this machine against the scalar one: the same bits, the same answers, the same
// counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bloomery/filter.h"
#include "bloomery/kernel.h"

namespace bloomery {
namespace {

struct Shape {
  Kind kind;
  std::uint64_t bits;
  std::uint32_t hashes;
};

// Blocks around every boundary of the loops: one, a few, odd numbers, and more than the cache
// holds.
std::vector<Shape> shapes() {
  std::vector<Shape> all{{Kind::kClassic, 1, 1},
                         {Kind::kClassic, 1'001, 7},
                         {Kind::kClassic, 65'536, 64},
                         {Kind::kCounting, 17, 3},
                         {Kind::kCounting, 10'007, 7}};
  for (const std::uint32_t hashes : {8U, 16U}) {
    for (const std::uint64_t blocks : {1U, 2U, 3U, 7U, 8U, 64U, 1'000U, 4'096U, 4'097U, 20'011U}) {
      all.push_back({Kind::kBlocked, blocks * kBlockBits, hashes});
    }
  }
  return all;
}

// Lengths around a word of answers, around the prefetch distance, and odd ones far beyond.
std::vector<std::size_t> batch_lengths() {
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i <= 131; ++i) lengths.push_back(i);
  for (const std::size_t i : {255U, 256U, 257U, 1'023U, 1'024U, 1'025U, 4'999U})
    lengths.push_back(i);
  return lengths;
}

// Runs `work` on `kernel`, then goes back to the one that was in use.
template <typename Work>
auto on_kernel(Kernel kernel, const Work& work) {
  const Kernel before = active_kernel();
  EXPECT_TRUE(force_kernel(kernel));
  EXPECT_EQ(active_kernel(), kernel);
  auto result = work();
  EXPECT_TRUE(force_kernel(before));
  return result;
}

std::vector<KeyHash> hashes_from(std::uint64_t first, std::size_t count) {
  std::vector<std::uint64_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = first + i;
  std::vector<KeyHash> hashes(count);
  Hasher().hash_all(numbers, hashes);
  // The ends of the range too: no place in a table may be missed or overrun.
  if (count > 2) hashes[count / 2] = KeyHash{~std::uint64_t{0}};
  if (count > 4) hashes[count / 3] = KeyHash{0};
  return hashes;
}

// All that can be seen of a filter that was filled and asked in batches of one length.
struct Seen {
  std::vector<std::byte> table;
  std::vector<std::uint64_t> answers;
  std::vector<bool> single_answers;
  std::uint64_t ones = 0;
  double achieved_fpr = 0;

  friend bool operator==(const Seen&, const Seen&) = default;
};

Seen see(const Shape& shape, std::size_t length) {
  FilterSpec spec;
  spec.kind = shape.kind;
  spec.planned_keys = 1;
  spec.bits = shape.bits;
  spec.hashes = shape.hashes;
  Filter filter = Filter::create(spec).value();
  filter.insert(hashes_from(0, length));
  // Half of these were inserted.
  const auto asked = hashes_from(length / 2, length);
  const Answers answers = filter.may_contain(asked);
  Seen seen;
  seen.table.assign(filter.table().begin(), filter.table().end());
  seen.answers.assign(answers.words().begin(), answers.words().end());
  for (const KeyHash hash : asked) seen.single_answers.push_back(filter.may_contain(hash));
  seen.ones = filter.ones();
  seen.achieved_fpr = filter.achieved_fpr();
  return seen;
}

TEST(Kernels, AllDoWhatTheScalarOneDoes) {
  for (const Shape& shape : shapes()) {
    for (const std::size_t length : batch_lengths()) {
      const Seen expected = on_kernel(Kernel::kScalar, [&] { return see(shape, length); });
      for (const Kernel kernel : available_kernels()) {
        EXPECT_EQ(on_kernel(kernel, [&] { return see(shape, length); }), expected)
            << to_string(kernel) << ": " << to_string(shape.kind) << " of " << shape.bits
            << " bits, " << shape.hashes << " hashes, batch of " << length;
      }
    }
  }
}

// Lengths around the vectors of the loops, from a place in memory that is not aligned to them.
TEST(Kernels, AllGiveNumbersTheHashOfTheirBytes) {
  std::vector<std::uint64_t> numbers(132);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i * i * 0x9E3779B97F4A7C15U;
  numbers[5] = ~std::uint64_t{0};
  const std::vector<Hasher> hashers{Hasher(), Hasher::create(HashId::kXxh3, 1).value(),
                                    Hasher::create(HashId::kXxh3, 0xFEDCBA9876543210U).value(),
                                    Hasher::create(HashId::kMurmur3, 99).value(),
                                    Hasher::with_secret({std::byte{7}})};
  for (const Kernel kernel : available_kernels()) {
    for (const Hasher& hasher : hashers) {
      for (std::size_t length = 0; length < numbers.size(); ++length) {
        const auto some = std::span<const std::uint64_t>(numbers).subspan(1, length);
        std::vector<KeyHash> hashes(length + 1, KeyHash{7});
        on_kernel(kernel, [&] {
          hasher.hash_all(some, hashes);
          return true;
        });
        for (std::size_t i = 0; i < length; ++i) {
          const std::string_view bytes(reinterpret_cast<const char*>(&some[i]), sizeof some[i]);
          ASSERT_EQ(hashes[i], hasher(bytes)) << to_string(kernel) << ": " << i << " of " << length;
          ASSERT_EQ(hasher(some[i]), hasher(bytes));
        }
        ASSERT_EQ(hashes.back(), KeyHash{7}) << to_string(kernel) << ": beyond " << length;
      }
    }
  }
}

TEST(Kernels, ReadWhatAnotherOneWrote) {
  const Shape shape{Kind::kBlocked, 100 * kBlockBits, 16};
  const auto hashes = hashes_from(0, 777);
  FilterSpec spec;
  spec.planned_keys = 1;
  spec.bits = shape.bits;
  spec.hashes = shape.hashes;
  for (const Kernel writer : available_kernels()) {
    Filter filter = Filter::create(spec).value();
    on_kernel(writer, [&] {
      filter.insert(hashes);
      return true;
    });
    for (const Kernel reader : available_kernels()) {
      EXPECT_EQ(on_kernel(reader, [&] { return filter.may_contain(hashes).count(); }), 777U)
          << to_string(writer) << " wrote, " << to_string(reader) << " reads";
    }
  }
}

TEST(Kernels, TheScalarOneRunsEverywhereAndOthersAreRefusedWhereTheyCannot) {
  const auto kernels = available_kernels();
  ASSERT_FALSE(kernels.empty());
  EXPECT_EQ(kernels.front(), Kernel::kScalar);
  const Kernel before = active_kernel();
  for (const Kernel kernel : {Kernel::kScalar, Kernel::kAvx2, Kernel::kAvx512}) {
    const bool is_available = std::find(kernels.begin(), kernels.end(), kernel) != kernels.end();
    EXPECT_EQ(force_kernel(kernel).has_value(), is_available) << to_string(kernel);
  }
  EXPECT_TRUE(force_kernel(before));
}

}  // namespace
}  // namespace bloomery
