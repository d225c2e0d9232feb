#include "parse/arrow_column.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace bloomery {
namespace {

// A column of one format over buffers that the test owns.
struct Column {
  Column(const char* format, std::vector<const void*> parts, std::int64_t length)
      : buffers(std::move(parts)) {
    schema.format = format;
    schema.name = "c";
    array.length = length;
    array.n_buffers = static_cast<std::int64_t>(buffers.size());
    array.buffers = buffers.data();
    array.null_count = buffers[0] == nullptr ? 0 : -1;
  }

  [[nodiscard]] Result<ArrowColumn> made(ColumnUse use = ColumnUse::kKey) const {
    return ArrowColumn::create(schema, array, "c", use);
  }
  [[nodiscard]] std::vector<std::string> texts(ColumnUse use = ColumnUse::kKey) const {
    const auto column = made(use);
    std::vector<std::string> list;
    std::string scratch;
    for (std::size_t i = 0; i < column->size(); ++i) {
      list.push_back(column->is_null(i) ? "null" : std::string(column->text(i, scratch)));
    }
    return list;
  }

  std::vector<const void*> buffers;
  ArrowSchema schema{};
  ArrowArray array{};
};

using Texts = std::vector<std::string>;

TEST(ArrowColumn, TextsOfBothWidthsWithNullsAndOffsets) {
  const std::array<std::int32_t, 5> narrow{0, 1, 1, 3, 6};
  const std::array<std::int64_t, 5> wide{0, 1, 1, 3, 6};
  const std::uint8_t valid = 0b1101;
  Column texts("u", {&valid, narrow.data(), "abcdef"}, 4);
  EXPECT_EQ(texts.texts(), (Texts{"a", "null", "bc", "def"}));
  Column large("Z", {&valid, wide.data(), "abcdef"}, 4);
  EXPECT_EQ(large.texts(), (Texts{"a", "null", "bc", "def"}));
  texts.array.offset = 1;
  texts.array.length = 2;
  EXPECT_EQ(texts.texts(), (Texts{"null", "bc"}));
}

TEST(ArrowColumn, ViewsShortAndLong) {
  const std::string pool = "--a long text that lies in a buffer";
  std::array<char, 32> views{};
  const std::int32_t short_length = 3;
  std::memcpy(views.data(), &short_length, 4);
  std::memcpy(views.data() + 4, "abc", 3);
  const std::array<std::int32_t, 4> second{33, 0, 0, 2};
  std::memcpy(views.data() + 16, second.data(), 16);
  const Column column("vu", {nullptr, views.data(), pool.data()}, 2);
  EXPECT_EQ(column.texts(), (Texts{"abc", "a long text that lies in a buffer"}));
}

TEST(ArrowColumn, WholeNumbersAreTheirDecimalText) {
  const std::array<std::int8_t, 2> bytes{-128, 7};
  EXPECT_EQ(Column("c", {nullptr, bytes.data()}, 2).texts(), (Texts{"-128", "7"}));
  const std::array<std::int64_t, 2> longs{INT64_MIN, 0};
  EXPECT_EQ(Column("l", {nullptr, longs.data()}, 2).texts(), (Texts{"-9223372036854775808", "0"}));
  const std::array<std::uint64_t, 1> most{UINT64_MAX};
  EXPECT_EQ(Column("L", {nullptr, most.data()}, 1).texts(), (Texts{"18446744073709551615"}));
}

TEST(ArrowColumn, FractionsAreForGroupsOnly) {
  const std::array<double, 4> doubles{8.5, 0.1, -3, 1e21};
  const Column column("g", {nullptr, doubles.data()}, 4);
  EXPECT_EQ(column.texts(ColumnUse::kGroup), (Texts{"8.5", "0.1", "-3", "1000000000000000000000"}));
  const auto refused = column.made();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "column \"c\": a double makes no key; cast it to string, binary or a whole number");
  const std::array<float, 1> floats{7.3F};
  EXPECT_EQ(Column("f", {nullptr, floats.data()}, 1).texts(ColumnUse::kGroup), (Texts{"7.3"}));
}

TEST(ArrowColumn, NanIsANull) {
  const std::array<float, 2> floats{0.5F, std::nanf("")};
  const std::array<double, 2> doubles{std::nan(""), 2.5};
  EXPECT_EQ(Column("f", {nullptr, floats.data()}, 2).texts(ColumnUse::kGroup),
            (Texts{"0.5", "null"}));
  EXPECT_EQ(Column("g", {nullptr, doubles.data()}, 2).texts(ColumnUse::kGroup),
            (Texts{"null", "2.5"}));
}

TEST(ArrowColumn, DecimalsHaveTheDigitsOfTheirType) {
  const std::array<std::int64_t, 8> numbers{85, 0, -5, -1, 0, 0, 12345, 0};
  const Column column("d:10,2", {nullptr, numbers.data()}, 4);
  EXPECT_EQ(column.texts(ColumnUse::kGroup), (Texts{"0.85", "-0.05", "0.00", "123.45"}));
  const Column whole("d:10,0", {nullptr, numbers.data()}, 1);
  EXPECT_EQ(whole.texts(ColumnUse::kGroup), (Texts{"85"}));
  EXPECT_EQ(Column("d:4,2,128", {nullptr, numbers.data()}, 1).texts(ColumnUse::kGroup),
            (Texts{"0.85"}));
  EXPECT_FALSE(Column("d:4,128", {nullptr, numbers.data()}, 1).made(ColumnUse::kGroup));
  EXPECT_FALSE(Column("d:40,2,256", {nullptr, numbers.data()}, 1).made(ColumnUse::kGroup));
}

TEST(ArrowColumn, DictionariesAreLookedThrough) {
  const std::array<std::int32_t, 3> offsets{0, 1, 3};
  const std::array<std::int8_t, 3> indexes{1, 0, 1};
  Column values("u", {nullptr, offsets.data(), "abc"}, 2);
  Column column("c", {nullptr, indexes.data()}, 3);
  column.schema.dictionary = &values.schema;
  column.array.dictionary = &values.array;
  EXPECT_EQ(column.texts(), (Texts{"bc", "a", "bc"}));
}

}  // namespace
}  // namespace bloomery
