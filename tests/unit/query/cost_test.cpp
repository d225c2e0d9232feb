#include "query/cost.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/sample_banks.h"
#include "support/temporary_folder.h"

namespace bloomery {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30U;

TEST(ChooseAccess, LoadsLargeBanksForManyKeys) {
  EXPECT_EQ(choose_access(kGiB, kGiB / 16, 2 * kGiB), BankAccess::kLoad);
  EXPECT_EQ(choose_access(kGiB, kGiB / 16 - 1, 2 * kGiB), BankAccess::kMap);
}

TEST(ChooseAccess, MapsSmallBanksWhateverTheKeys) {
  EXPECT_EQ(choose_access(kGiB / 1024, UINT64_MAX, kGiB), BankAccess::kMap);
}

TEST(ChooseAccess, MapsWhatMemoryCannotHoldAndWhatNobodyCounted) {
  EXPECT_EQ(choose_access(kGiB, UINT64_MAX, kGiB - 1), BankAccess::kMap);
  EXPECT_EQ(choose_access(kGiB, std::nullopt, UINT64_MAX), BankAccess::kMap);
}

TEST(OpenForKeys, OpensABankAndSaysWhyNot) {
  const test::TemporaryFolder folder;
  const auto samples = test::samples_of_every_kind();
  const auto filters = test::as_filters(samples);
  ASSERT_TRUE(write_bank(folder.path("a.bank"), filters));
  const auto bank = open_for_keys(folder.path("a.bank"), 10, test::with_secret());
  ASSERT_TRUE(bank);
  EXPECT_EQ(bank->entries().size(), samples.size());
  EXPECT_EQ(open_for_keys(folder.path("b.bank"), 10).error().code, ErrorCode::kNotFound);
}

TEST(ProbeCost, IsKeysTimesGroupsAndGrowsWithBoth) {
  const auto samples = test::samples_of_every_kind();
  const test::AlignedBytes bytes(test::bytes_of(samples));
  const Bank bank = Bank::from_bytes(bytes.bytes(), "bank", test::with_secret()).value();
  const std::vector<std::uint32_t> two{0, 1};
  const ProbeCost all = probe_cost(bank, 1'000'000'000'000);
  const ProbeCost some = probe_cost(bank, 1'000'000'000'000, two);
  EXPECT_EQ(all.probes, 1e12 * static_cast<double>(samples.size()));
  EXPECT_EQ(some.probes, 2e12);
  EXPECT_GT(all.core_seconds, some.core_seconds);
  EXPECT_GT(some.core_seconds, 2 * probe_cost(bank, 400'000'000'000, two).core_seconds);
}

}  // namespace
}  // namespace bloomery
