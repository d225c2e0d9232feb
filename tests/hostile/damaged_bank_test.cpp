// Accidents: banks cut short, continued, or with one bit changed. All are refused, by place.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <iostream>

#include "bank/layout.h"
#include "base/parallel.h"
#include "bloomery/bank.h"
#include "bloomery/sizing.h"
#include "support/contains.h"
#include "support/long_run.h"
#include "support/sample_banks.h"
#include "support/temporary_folder.h"

namespace bloomery {
namespace {

using test::AlignedBytes;
using test::Sample;

// About 64 KiB: every kind, and one filter that fills the rest.
std::vector<std::byte> bank_of_64_kib() {
  auto samples = test::samples_of_every_kind();
  const FilterSpec spec = plan_filter(Kind::kBlocked, 47'000, 0.01).value();
  samples.push_back(test::make_sample("rest", spec, 47'000));
  return test::bytes_of(samples, test::sample_texts());
}

// 9 seconds on two cores; with a sanitiser, minutes.
bool changes_every_bit() {
  return !test::kIsSanitised || test::is_long_run();
}

std::uint64_t head_size(std::span<const std::byte> bank) {
  return decode_header(bank.first<kHeaderBytes>()).payload_offset;
}

OpenOptions one_thread() {
  OpenOptions options = test::with_secret();
  options.threads = 1;
  return options;
}

bool is_refused(std::span<const std::byte> bytes) {
  const auto bank = Bank::from_bytes(bytes, "x", one_thread());
  return !bank && !bank.error().message.empty();
}

TEST(DamagedBank, EveryPrefixIsRefused) {
  const auto bytes = bank_of_64_kib();
  EXPECT_GT(bytes.size(), 60'000U);
  EXPECT_LT(bytes.size(), 70'000U);
  const AlignedBytes aligned(bytes);
  ASSERT_TRUE(Bank::from_bytes(aligned.bytes(), "whole", one_thread()).has_value());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    // Many as a copy of their own size, so that the address sanitiser sees what is read beyond it.
    if (size < 5000 || size % 61 == 0) {
      ASSERT_TRUE(is_refused(AlignedBytes(aligned.bytes().first(size)).bytes())) << size;
    } else {
      ASSERT_TRUE(is_refused(aligned.bytes().first(size))) << size;
    }
  }
}

TEST(DamagedBank, EveryContinuationIsRefused) {
  const auto bytes = bank_of_64_kib();
  std::vector<std::byte> longer = bytes;
  longer.resize(bytes.size() + 4096);
  const AlignedBytes aligned(longer);
  for (std::size_t more = 1; more <= 4096; ++more) {
    ASSERT_TRUE(is_refused(aligned.bytes().first(bytes.size() + more))) << more;
  }
}

TEST(DamagedBank, EveryChangedBitIsRefused) {
  const auto bytes = bank_of_64_kib();
  const bool is_long = changes_every_bit();
  constexpr std::size_t kParts = 64;
  std::atomic<std::uint64_t> loads = 0;
  std::atomic<std::uint64_t> accepted = 0;
  parallel_for(thread_count(0), kParts, [&](std::size_t part) {
    const AlignedBytes copy(bytes);
    for (std::size_t at = part; at < bytes.size(); at += kParts) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        if (!is_long && at >= head_size(bytes) && bit != at / kParts % 8) continue;
        copy.bytes()[at] ^= std::byte{1} << bit;
        if (!is_refused(copy.bytes())) ++accepted;
        copy.bytes()[at] ^= std::byte{1} << bit;
        ++loads;
      }
    }
  });
  EXPECT_EQ(accepted, 0U);
  if (is_long) {
    EXPECT_EQ(loads, bytes.size() * 8);
  } else {
    std::cout << "short form: every bit of the head and one of every other byte, " << loads
              << " loads; BLOOMERY_TEST_LONG=1 changes every bit\n";
  }
}

TEST(DamagedBank, NamesBlockByteAndGroup) {
  std::vector<Sample> samples;
  for (const auto* group : {"a", "b", "c"}) {
    samples.push_back(
        test::make_sample(group, plan_filter(Kind::kClassic, 200'000, 0.01).value(), 20'000));
  }
  const auto bytes = test::bytes_of(samples);
  const std::uint64_t payload = head_size(bytes);
  const std::uint64_t table = padded_table_size(samples[0].filter.table().size());
  const AlignedBytes copy(bytes);
  for (std::uint64_t at = 0; at < bytes.size() - payload; at += 30'011) {
    const std::uint64_t block = at / kChecksumBlockBytes;
    const char first_group = static_cast<char>('a' + block * kChecksumBlockBytes / table);
    copy.bytes()[payload + at] ^= std::byte{0x10};
    const auto bank = Bank::from_bytes(copy.bytes(), "x.bank");
    copy.bytes()[payload + at] ^= std::byte{0x10};
    ASSERT_FALSE(bank) << at;
    EXPECT_EQ(bank.error().code, ErrorCode::kDamaged);
    const std::string byte = std::to_string(payload + block * kChecksumBlockBytes);
    EXPECT_PRED2(test::contains, bank.error().message,
                 "x.bank: damaged at byte " + byte + ": group");
    EXPECT_PRED2(test::contains, bank.error().message, "block " + std::to_string(block) + " ");
    EXPECT_PRED2(test::contains, bank.error().message, std::string("\"") + first_group + "\"");
  }
}

TEST(DamagedBank, IsRefusedFromAFileToo) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path("x.bank");
  auto bytes = bank_of_64_kib();
  bytes[bytes.size() / 2] ^= std::byte{4};
  test::write_file(path, bytes);
  for (const auto open : {&Bank::open, &Bank::load}) {
    EXPECT_EQ(open(path, test::with_secret()).error().code, ErrorCode::kDamaged);
  }
  test::write_file(path, std::span(bytes).first(1000));
  for (const auto open : {&Bank::open, &Bank::load}) {
    EXPECT_PRED2(test::contains, open(path, test::with_secret()).error().message,
                 "damaged at byte 1000: cut short: 1000 bytes");
  }
}

TEST(DamagedBank, NeverShowsControlCharacters) {
  const AlignedBytes copy(bank_of_64_kib());
  copy.bytes()[head_size(copy.bytes())] ^= std::byte{1};
  const auto bank = Bank::from_bytes(copy.bytes(), "x", one_thread());
  ASSERT_FALSE(bank);
  EXPECT_EQ(bank.error().message.find('\x1b'), std::string::npos) << bank.error().message;
  EXPECT_PRED2(test::contains, bank.error().message, "\\x00/../\\x1b[31m\\xff");
}

}  // namespace
}  // namespace bloomery
