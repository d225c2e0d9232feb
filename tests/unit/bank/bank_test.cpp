// Banks that are written, opened in each of the three ways, and asked.
#include "bloomery/bank.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/contains.h"
#include "support/sample_banks.h"
#include "support/temporary_folder.h"

namespace bloomery {
namespace {

using test::AlignedBytes;
using test::Sample;
using test::TemporaryFolder;

template <typename B>
concept GivesEntries = requires(B&& bank) {
  std::forward<B>(bank).entries();
};
template <typename B>
concept FindsEntries = requires(B&& bank) {
  std::forward<B>(bank).find("");
};
template <typename B>
concept GivesRecipe = requires(B&& bank) {
  std::forward<B>(bank).recipe();
};
template <typename B>
concept GivesMetadata = requires(B&& bank) {
  std::forward<B>(bank).metadata();
};

template <typename B>
constexpr bool kGivesAll = GivesEntries<B>&& FindsEntries<B>&& GivesRecipe<B>&& GivesMetadata<B>;
template <typename B>
constexpr bool kGivesAny = GivesEntries<B> || FindsEntries<B> || GivesRecipe<B> || GivesMetadata<B>;
static_assert(kGivesAll<Bank&> && kGivesAll<const Bank&>);
static_assert(!kGivesAny<Bank> && !kGivesAny<const Bank>, "what they give would outlive the bank");

void expect_holds(const Bank& bank, std::span<const Sample> samples) {
  ASSERT_EQ(bank.entries().size(), samples.size());
  for (const Sample& sample : samples) {
    const BankEntry* entry = bank.find(sample.group);
    ASSERT_NE(entry, nullptr) << sample.group;
    EXPECT_EQ(entry->filter().spec(), sample.filter.spec());
    EXPECT_TRUE(std::ranges::equal(entry->filter().table(), sample.filter.table()));
    EXPECT_EQ(entry->count(), sample.keys.size());
    EXPECT_EQ(entry->ones(), sample.filter.ones());
    for (const std::string& key : sample.keys) EXPECT_TRUE(entry->filter().may_contain(key));
  }
}

class BankOfEveryKind : public testing::Test {
 protected:
  std::vector<Sample> samples_ = test::samples_of_every_kind();
  std::vector<std::byte> bytes_ = test::bytes_of(samples_, test::sample_texts());
  TemporaryFolder folder_;
  std::string path_ = folder_.path("films.bank");

  void write() {
    ASSERT_TRUE(write_bank(path_, test::as_filters(samples_), test::sample_texts()).has_value());
  }
};

TEST_F(BankOfEveryKind, HoldsWhatWasWrittenHoweverItIsOpened) {
  write();
  const auto options = test::with_secret();
  expect_holds(Bank::open(path_, options).value(), samples_);
  expect_holds(Bank::load(path_, options).value(), samples_);
  const AlignedBytes aligned(bytes_);
  expect_holds(Bank::from_bytes(aligned.bytes(), "memory", options).value(), samples_);
}

TEST_F(BankOfEveryKind, IsTheSameInAFileAndInMemory) {
  write();
  EXPECT_EQ(test::read_file(path_), bytes_);
}

TEST_F(BankOfEveryKind, IsTheSameInWhateverOrderTheFiltersCome) {
  std::ranges::reverse(samples_);
  EXPECT_EQ(test::bytes_of(samples_, test::sample_texts()), bytes_);
}

TEST_F(BankOfEveryKind, SortsGroupsAsBytes) {
  write();
  const Bank bank = Bank::open(path_, test::with_secret()).value();
  EXPECT_TRUE(std::ranges::is_sorted(bank.entries(), std::less<>(), &BankEntry::group));
  EXPECT_EQ(bank.entries().front().group(), std::string_view("\0/../\x1b[31m\xff", 11));
}

TEST_F(BankOfEveryKind, KeepsRecipeAndMetadata) {
  write();
  const Bank bank = Bank::open(path_, test::with_secret()).value();
  EXPECT_EQ(bank.recipe(), test::sample_texts().recipe);
  EXPECT_EQ(bank.metadata(), test::sample_texts().metadata);
}

TEST_F(BankOfEveryKind, HasADigestThatChangesWithOneKey) {
  const AlignedBytes one(bytes_);
  const auto before = Bank::from_bytes(one.bytes(), "one", test::with_secret()).value().digest();
  samples_[0] = test::make_sample(samples_[0].group, samples_[0].filter.spec(), 99);
  const AlignedBytes two(test::bytes_of(samples_, test::sample_texts()));
  EXPECT_NE(Bank::from_bytes(two.bytes(), "two", test::with_secret()).value().digest(), before);
}

TEST_F(BankOfEveryKind, FindsNoGroupThatIsNotThere) {
  const AlignedBytes aligned(bytes_);
  const Bank bank = Bank::from_bytes(aligned.bytes(), "memory", test::with_secret()).value();
  for (const auto* group : {"", "a", "classi", "classic ", "zzz"}) {
    EXPECT_EQ(bank.find(group), nullptr) << group;
  }
}

TEST_F(BankOfEveryKind, NamesTheGroupsOfAKey) {
  const AlignedBytes aligned(bytes_);
  const Bank bank = Bank::from_bytes(aligned.bytes(), "memory", test::with_secret()).value();
  for (const Sample& sample : samples_) {
    for (const std::string& key : sample.keys) {
      std::vector<std::size_t> expected;
      for (std::size_t i = 0; i < bank.entries().size(); ++i) {
        if (bank.entries()[i].filter().may_contain(key)) expected.push_back(i);
      }
      EXPECT_EQ(bank.groups_of(key), expected);
    }
  }
  EXPECT_LT(bank.groups_of("in none of them").size(), bank.entries().size());
}

TEST_F(BankOfEveryKind, IsRefusedWithoutItsSecret) {
  const AlignedBytes aligned(bytes_);
  const auto bank = Bank::from_bytes(aligned.bytes(), "films.bank");
  ASSERT_FALSE(bank);
  EXPECT_EQ(bank.error().code, ErrorCode::kMismatch);
  EXPECT_EQ(bank.error().message,
            "films.bank: group \"sip\": was built with a secret; give it to ask this bank");
}

TEST_F(BankOfEveryKind, IsRefusedWithAnotherSecret) {
  const AlignedBytes aligned(bytes_);
  OpenOptions options = test::with_secret();
  (*options.secret)[3] ^= std::byte{1};
  const auto bank = Bank::from_bytes(aligned.bytes(), "films.bank", options);
  ASSERT_FALSE(bank);
  EXPECT_EQ(bank.error().code, ErrorCode::kMismatch);
  EXPECT_PRED2(test::contains, bank.error().message, "another secret");
}

TEST_F(BankOfEveryKind, LockedAnswersMaybeToEveryKey) {
  const AlignedBytes aligned(bytes_);
  OpenOptions options;
  options.allow_locked = true;
  const Bank bank = Bank::from_bytes(aligned.bytes(), "films.bank", options).value();
  const BankEntry* locked = bank.find("sip");
  ASSERT_NE(locked, nullptr);
  EXPECT_TRUE(locked->filter().spec().hasher.is_locked());
  EXPECT_EQ(locked->count(), 100U);
  EXPECT_TRUE(locked->filter().may_contain("never inserted"));
  const auto number = static_cast<std::size_t>(locked - bank.entries().data());
  EXPECT_EQ(std::ranges::count(bank.groups_of("never inserted"), number), 1);
}

TEST_F(BankOfEveryKind, IsNotLoadedIntoMoreMemoryThanAllowed) {
  write();
  OpenOptions options = test::with_secret();
  options.max_bytes = bytes_.size() - 1;
  const auto bank = Bank::load(path_, options);
  ASSERT_FALSE(bank);
  EXPECT_EQ(bank.error().code, ErrorCode::kResource);
  options.max_bytes = bytes_.size();
  EXPECT_TRUE(Bank::load(path_, options).has_value());
}

TEST_F(BankOfEveryKind, OutlivesItsFile) {
  write();
  const Bank bank = Bank::open(path_, test::with_secret()).value();
  ASSERT_TRUE(std::filesystem::remove(path_));
  expect_holds(bank, samples_);
}

TEST(Bank, MayHoldNothing) {
  const AlignedBytes aligned(bank_bytes({}).value());
  EXPECT_EQ(aligned.bytes().size(), 128U);
  const Bank bank = Bank::from_bytes(aligned.bytes(), "empty").value();
  EXPECT_TRUE(bank.entries().empty());
  EXPECT_EQ(bank.find("all"), nullptr);
  EXPECT_TRUE(bank.groups_of("key").empty());
}

TEST(Bank, HoldsTablesOfManyBlocksOnAnyNumberOfThreads) {
  std::vector<Sample> samples;
  FilterSpec spec;
  spec.planned_keys = 1;
  spec.kind = Kind::kClassic;
  spec.hashes = 3;
  // Around the sizes of a block and of what one thread takes at once.
  for (const std::uint64_t bytes : {65528U, 65536U, 65544U, 1048576U, 1048584U, 3000008U}) {
    spec.bits = bytes * 8 - 5;
    samples.push_back(test::make_sample(std::to_string(bytes), spec, 5000));
  }
  const AlignedBytes aligned(test::bytes_of(samples));
  for (const unsigned threads : {1U, 2U, 5U}) {
    OpenOptions options;
    options.threads = threads;
    expect_holds(Bank::from_bytes(aligned.bytes(), "memory", options).value(), samples);
  }
}

TEST(Bank, WantsAlignedBytes) {
  const AlignedBytes aligned(bank_bytes({}).value());
  const auto bank = Bank::from_bytes(aligned.bytes().subspan(8), "shifted");
  ASSERT_FALSE(bank);
  EXPECT_EQ(bank.error().code, ErrorCode::kInvalidArgument);
}

TEST(Bank, OfAMissingFileSaysSo) {
  const TemporaryFolder folder;
  for (const auto open : {&Bank::open, &Bank::load}) {
    const auto bank = open(folder.path("no.bank"), {});
    ASSERT_FALSE(bank);
    EXPECT_EQ(bank.error().code, ErrorCode::kNotFound);
    EXPECT_PRED2(test::contains, bank.error().message, "no.bank");
    EXPECT_PRED2(test::contains, bank.error().message, "No such file");
  }
}

}  // namespace
}  // namespace bloomery
