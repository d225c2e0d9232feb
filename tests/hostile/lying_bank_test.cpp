// Enemies: every field at 0, at its maximum and off by one, with checksums and digest made right.
//
// Each is refused, or harmless. Harmless are may_ignore bits, which promise that, and numbers of
// one entry that make it another, equally possible entry. No reader can tell that a bank once was
// another one; what it can promise is that nothing outside the file is read and that all other
// groups answer as before. Both are tested.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <set>

#include "bank/layout.h"
#include "bloomery/bank.h"
#include "bloomery/sizing.h"
#include "support/bank_repair.h"
#include "support/contains.h"
#include "support/sample_banks.h"

namespace bloomery {
namespace {

using test::AlignedBytes;
using test::Sample;

struct Field {
  const char* name;
  std::size_t offset;
  std::size_t size;
};

constexpr Field kHeaderFields[] = {
    {"magic", 0, 8},           {"version", 8, 4},
    {"block_size", 12, 4},     {"must_understand", 16, 8},
    {"may_ignore", 24, 8},     {"file_size", 32, 8},
    {"entry_count", 40, 8},    {"extras_size", 48, 8},
    {"names_size", 56, 8},     {"recipe_size", 64, 8},
    {"metadata_size", 72, 8},  {"extension_size", 80, 8},
    {"payload_offset", 88, 8}, {"payload_size", 96, 8},
    {"reserved", 104, 8},
};
constexpr Field kEntryFields[] = {
    {"name_offset", 0, 8},   {"name_size", 8, 4},    {"dialect", 12, 2},      {"kind", 14, 1},
    {"hash", 15, 1},         {"k", 16, 4},           {"reserved", 20, 4},     {"seed", 24, 8},
    {"self_check", 32, 8},   {"fpr", 40, 8},         {"planned_keys", 48, 8}, {"m", 56, 8},
    {"count", 64, 8},        {"ones", 72, 8},        {"table_offset", 80, 8}, {"table_size", 88, 8},
    {"extra_offset", 96, 8}, {"extra_size", 104, 8}, {"reserved", 112, 8},    {"reserved", 120, 8},
};

const Field& field_of(std::span<const Field> fields, std::string_view name) {
  return *std::ranges::find(fields, name, &Field::name);
}

struct Lie {
  const char* name;
  std::uint64_t value;
};

std::vector<Lie> lies_about(std::uint64_t truth, std::size_t size) {
  const std::uint64_t max = size == 8 ? UINT64_MAX : (std::uint64_t{1} << (size * 8)) - 1;
  std::vector<Lie> lies;
  for (const Lie& lie : {Lie{"0", 0}, Lie{"max", max}, Lie{"+1", (truth + 1) & max},
                         Lie{"-1", (truth - 1) & max}, Lie{"half", max / 2 + 1}}) {
    if (lie.value != truth) lies.push_back(lie);
  }
  return lies;
}

class LyingBank : public testing::Test {
 protected:
  std::vector<Sample> samples_ = test::samples_of_every_kind();
  std::vector<std::byte> bytes_ = test::bytes_of(samples_, test::sample_texts());
  AlignedBytes copy_{bytes_};

  [[nodiscard]] std::uint64_t get(std::size_t offset, const Field& field) const {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes_.data() + offset + field.offset, field.size);
    return value;
  }

  // What opening says to the bank with this one field changed. `offset`: of the header or entry.
  Result<Bank> open_with(std::size_t offset, const Field& field, std::uint64_t value) {
    std::ranges::copy(bytes_, copy_.bytes().begin());
    std::memcpy(copy_.bytes().data() + offset + field.offset, &value, field.size);
    test::repair(copy_.bytes());
    return Bank::from_bytes(copy_.bytes(), "x", test::with_secret());
  }

  // The same with an entry's record changed, and one byte somewhere else.
  Result<Bank> open_with(std::size_t i, const EntryRecord& entry, std::uint64_t at,
                         std::byte value) {
    std::ranges::copy(bytes_, copy_.bytes().begin());
    encode_entry(entry, copy_.bytes().subspan(kHeaderBytes + i * kEntryBytes).first<kEntryBytes>());
    copy_.bytes()[at] = value;
    test::repair(copy_.bytes());
    return Bank::from_bytes(copy_.bytes(), "x", test::with_secret());
  }

  [[nodiscard]] EntryRecord record(std::size_t i) const {
    return decode_entry(
        std::span(bytes_).subspan(kHeaderBytes + i * kEntryBytes).first<kEntryBytes>());
  }

  void expect_answers(const Bank& bank, std::string_view except = {}) {
    for (const Sample& sample : samples_) {
      if (sample.group == except) continue;
      const BankEntry* entry = bank.find(sample.group);
      ASSERT_NE(entry, nullptr);
      for (const std::string& key : sample.keys) {
        ASSERT_TRUE(entry->filter().may_contain(key)) << sample.group;
      }
    }
  }
};

TEST_F(LyingBank, IsAcceptedWhenRepairedWithoutALie) {
  test::repair(copy_.bytes());
  EXPECT_TRUE(std::ranges::equal(copy_.bytes(), bytes_));
}

TEST_F(LyingBank, AboutTheHeaderIsRefused) {
  for (const Field& field : kHeaderFields) {
    for (const Lie& lie : lies_about(get(0, field), field.size)) {
      const auto bank = open_with(0, field, lie.value);
      if (std::string_view(field.name) == "may_ignore") {
        ASSERT_TRUE(bank) << lie.name;
        expect_answers(*bank);
      } else {
        ASSERT_FALSE(bank) << field.name << " " << lie.name;
      }
    }
  }
}

TEST_F(LyingBank, AboutAnEntryIsRefusedOrMakesAnotherPossibleEntry) {
  // Figures that no answer depends on, and numbers that make another filter of the same table.
  const std::set<std::string> figures{"count", "fpr", "planned_keys"};
  const std::set<std::string> others{"k", "kind", "m"};
  std::set<std::string> accepted;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const std::string group(reinterpret_cast<const char*>(bytes_.data()) + record(i).name_offset,
                            record(i).name_size);
    const std::size_t offset = kHeaderBytes + i * kEntryBytes;
    for (const Field& field : kEntryFields) {
      for (const Lie& lie : lies_about(get(offset, field), field.size)) {
        const auto bank = open_with(offset, field, lie.value);
        if (!bank) continue;
        accepted.insert(field.name);
        const bool is_other = others.contains(field.name);
        ASSERT_TRUE(is_other || figures.contains(field.name))
            << field.name << " " << lie.name << " of " << group;
        expect_answers(*bank, is_other ? std::string_view(group) : std::string_view());
        // What this answers is anybody's guess; that it reads its own table only, the sanitiser
        // sees.
        static_cast<void>(bank->find(group)->filter().may_contain("key"));
      }
    }
  }
  EXPECT_EQ(accepted, (std::set<std::string>{"count", "fpr", "k", "kind", "m", "planned_keys"}));
}

// Each key sets at most k bits, and at least one.
TEST_F(LyingBank, AboutACountThatItsOnesRuleOutIsRefused) {
  const Field& count = field_of(kEntryFields, "count");
  std::set<std::uint8_t> kinds;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const EntryRecord entry = record(i);
    if (Kind{entry.kind} == Kind::kCounting) continue;
    kinds.insert(entry.kind);
    const std::size_t offset = kHeaderBytes + i * kEntryBytes;
    const auto expect_refused = [&](std::uint64_t value, const std::string& what) {
      const auto bank = open_with(offset, count, value);
      ASSERT_FALSE(bank) << value << " keys of entry " << i;
      EXPECT_EQ(bank.error().code, ErrorCode::kDamaged);
      EXPECT_PRED2(test::contains, bank.error().message, what);
    };
    if (entry.ones == 0) {
      expect_refused(1, "1 keys, but no bit that is one");
      continue;
    }
    const std::uint64_t least = (entry.ones + entry.k - 1) / entry.k;
    ASSERT_GT(least, 1U);
    expect_refused(0, "no keys, but " + std::to_string(entry.ones) + " bits that are one");
    expect_refused(least - 1, "more than " + std::to_string(least - 1) + " keys with");
    EXPECT_TRUE(open_with(offset, count, least).has_value()) << "entry " << i;
  }
  EXPECT_EQ(kinds.size(), 2U);
}

// Full counters stay when their keys go, and whoever counts keys may count those that went: no
// count of keys is impossible.
TEST(CountingBank, MayHaveOnesWithoutKeysAndKeysWithoutOnes) {
  Filter full = Filter::create(plan_filter(Kind::kCounting, 10, 0.01).value()).value();
  for (int i = 0; i < 15; ++i) full.insert("key");
  for (int i = 0; i < 15; ++i) ASSERT_TRUE(full.remove("key"));
  Filter empty = Filter::create(full.spec()).value();
  empty.insert("key");
  ASSERT_TRUE(empty.remove("key"));
  const std::vector<GroupFilter> filters{{"empty", &empty, 1}, {"full", &full, 0}};
  const AlignedBytes bytes(bank_bytes(filters).value());
  const auto bank = Bank::from_bytes(bytes.bytes(), "x");
  ASSERT_TRUE(bank) << bank.error().message;
  EXPECT_EQ(bank->find("empty")->count(), 1U);
  EXPECT_EQ(bank->find("empty")->ones(), 0U);
  EXPECT_EQ(bank->find("full")->count(), 0U);
  EXPECT_GT(bank->find("full")->ones(), 0U);
}

// Numbers start at 1. Above those that there are is a newer bloomery; 0 is none.
TEST_F(LyingBank, AboutADialectKindOrHashIsDamagedWhereItIs0AndElseNewer) {
  for (const char* name : {"dialect", "kind", "hash"}) {
    const Field& field = field_of(kEntryFields, name);
    EXPECT_EQ(open_with(kHeaderBytes, field, 0).error().code, ErrorCode::kDamaged) << name;
    EXPECT_EQ(open_with(kHeaderBytes, field, 200).error().code, ErrorCode::kUnsupported) << name;
  }
}

TEST_F(LyingBank, AboutRatesIsRefused) {
  using Limits = std::numeric_limits<double>;
  for (const double rate : {0.0, -0.0, 1.0, 1.5, -0.01, Limits::quiet_NaN(), Limits::infinity(),
                            -Limits::infinity(), Limits::denorm_min()}) {
    EXPECT_FALSE(
        open_with(kHeaderBytes, field_of(kEntryFields, "fpr"), std::bit_cast<std::uint64_t>(rate)))
        << rate;
  }
}

TEST_F(LyingBank, FromANewerVersionIsNamedSo) {
  const auto expect_newer = [&](std::size_t offset, const Field& field, std::uint64_t value,
                                const std::string& what) {
    const auto bank = open_with(offset, field, value);
    ASSERT_FALSE(bank) << what;
    EXPECT_EQ(bank.error().code, ErrorCode::kUnsupported);
    EXPECT_PRED2(test::contains, bank.error().message, "made by a newer bloomery: " + what);
  };
  expect_newer(0, field_of(kHeaderFields, "version"), 2, "format version 2 at byte 8");
  expect_newer(0, field_of(kHeaderFields, "must_understand"), 0x8000, "feature 0x8000 at byte 16");
  expect_newer(kHeaderBytes, field_of(kEntryFields, "dialect"), 77, "dialect 77 of group");
  expect_newer(kHeaderBytes, field_of(kEntryFields, "kind"), 4, "kind 4 of group");
  expect_newer(kHeaderBytes, field_of(kEntryFields, "hash"), 200, "hash 200 of group");
}

TEST_F(LyingBank, ByteByByteIsRefusedOrChangesOneGroupOnly) {
  for (std::size_t at = 0; at < bytes_.size(); ++at) {
    for (const std::uint64_t value : {0x00U, 0x01U, 0x7FU, 0x80U, 0xFEU, 0xFFU}) {
      const auto bank = open_with(0, {"byte", at, 1}, value);
      if (!bank) continue;
      const auto changed = std::ranges::count_if(samples_, [&](const Sample& sample) {
        const BankEntry* entry = bank->find(sample.group);
        return entry == nullptr || entry->filter().spec() != sample.filter.spec() ||
               !std::ranges::equal(entry->filter().table(), sample.filter.table());
      });
      ASSERT_LE(changed, 1) << at << " " << value;
    }
  }
}

TEST_F(LyingBank, InAGapIsRefused) {
  const Header header = decode_header(std::span(bytes_).first<kHeaderBytes>());
  std::vector<std::size_t> gaps;
  for (std::size_t at = head_layout(header)->padding; at < header.payload_offset; ++at) {
    gaps.push_back(at);
  }
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const EntryRecord entry = record(i);
    const std::uint64_t end = entry.table_offset + padded_table_size(entry.table_size);
    for (std::uint64_t at = entry.table_offset + entry.table_size; at < end; ++at) {
      gaps.push_back(at);
    }
  }
  EXPECT_GT(gaps.size(), 50U);
  for (const std::size_t at : gaps) {
    EXPECT_FALSE(open_with(0, {"gap", at, 1}, 0x20).has_value()) << at;
  }
}

// The number of ones gives it away. Counters may change without becoming zero.
TEST_F(LyingBank, AboutOneBitOfATableIsRefused) {
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const EntryRecord entry = record(i);
    if (Kind{entry.kind} == Kind::kCounting) continue;
    for (std::uint64_t bit = 0; bit < entry.table_size * 8; ++bit) {
      const Field field{"byte", entry.table_offset + bit / 8, 1};
      const auto bank = open_with(0, field, get(0, field) ^ (std::uint64_t{1} << (bit % 8)));
      ASSERT_FALSE(bank) << bit << " of entry " << i;
    }
  }
}

// Past the last bit but in the last word, with the number of ones made right.
TEST_F(LyingBank, AboutABitPastTheEndOfATableIsRefused) {
  std::set<std::uint8_t> kinds;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    EntryRecord entry = record(i);
    const std::uint64_t used = entry.m * (Kind{entry.kind} == Kind::kCounting ? 4 : 1);
    entry.ones += 1;
    for (std::uint64_t bit = used; bit < entry.table_size * 8; ++bit) {
      kinds.insert(entry.kind);
      const std::uint64_t at = entry.table_offset + bit / 8;
      const auto bank = open_with(i, entry, at, bytes_[at] | std::byte{1} << (bit % 8));
      ASSERT_FALSE(bank) << bit << " of entry " << i;
      EXPECT_EQ(bank.error().code, ErrorCode::kDamaged);
      EXPECT_PRED2(test::contains, bank.error().message, "bits past the end of its table");
    }
  }
  EXPECT_EQ(kinds.size(), 2U) << "blocked tables have no such bits";
}

TEST_F(LyingBank, MayHaveAnExtensionThatAFeatureExplains) {
  Header header = decode_header(std::span(bytes_).first<kHeaderBytes>());
  const auto extension = static_cast<std::ptrdiff_t>(head_layout(header)->extension);
  std::vector<std::byte> longer = bytes_;
  longer.insert(longer.begin() + extension, 64, std::byte{'e'});
  const AlignedBytes copy(longer);
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    EntryRecord entry = record(i);
    entry.table_offset += 64;
    encode_entry(entry, copy.bytes().subspan(kHeaderBytes + i * kEntryBytes).first<kEntryBytes>());
  }
  header.extension_size = 64;
  header.file_size += 64;
  header.payload_offset += 64;
  for (const std::uint64_t may_ignore : {std::uint64_t{0}, std::uint64_t{1} << 63U}) {
    header.may_ignore = may_ignore;
    encode_header(header, copy.bytes().first<kHeaderBytes>());
    test::repair(copy.bytes());
    const auto bank = Bank::from_bytes(copy.bytes(), "x", test::with_secret());
    ASSERT_EQ(bank.has_value(), may_ignore != 0);
    if (bank) expect_answers(*bank);
  }
}

}  // namespace
}  // namespace bloomery
