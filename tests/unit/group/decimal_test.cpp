#include "group/decimal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "group/grouper.h"

namespace bloomery {
namespace {

TEST(Decimal, IsMinusDigitsPointDigitsAndNothingElse) {
  for (const char* good :
       {"0", "7", "007", "-1", "1.0", "-0.0", "123456789012345678901234567890.5"}) {
    EXPECT_TRUE(parse_decimal(good)) << good;
  }
  for (const char* bad : {"", "-", ".", "1.", ".5", "+1", "1e3", " 1", "1 ", "nan", "inf", "1,5",
                          "0x1", "--1", "1.2.3", "1.-2"}) {
    EXPECT_FALSE(parse_decimal(bad)) << bad;
  }
}

TEST(Decimal, HalfGoesUp) {
  const std::pair<const char*, const char*> cases[] = {
      {"8.5", "9"},
      {"8.49", "8"},
      {"8.4999999999", "8"},
      {"9.5", "10"},
      {"99.5", "100"},
      {"-0.5", "0"},
      {"-0.4", "0"},
      {"-0.51", "-1"},
      {"-1.5", "-1"},
      {"-1.50", "-1"},
      {"-1.501", "-2"},
      {"-9.9", "-10"},
      {"0.0", "0"},
      {"-0", "0"},
      {"007.4", "7"},
      {"9999.5", "10000"},
      {"-9999.9", "-10000"},
      {"99999.5", "100000"},
      {"9999999999999999999999.5", "10000000000000000000000"}};
  for (const auto& [text, rounded] : cases) {
    EXPECT_EQ(round_half_up(*parse_decimal(text)), rounded) << text;
  }
}

TEST(Decimal, FloorGoesDown) {
  const std::pair<const char*, const char*> cases[] = {
      {"8.9", "8"}, {"-0.5", "-1"}, {"-1.0", "-1"}, {"-1.01", "-2"}, {"0", "0"}, {"-0.0", "0"}};
  for (const auto& [text, floored] : cases) {
    EXPECT_EQ(round_down(*parse_decimal(text)), floored) << text;
  }
}

TEST(Decimal, ComparesByValue) {
  const char* const ascending[] = {"-10", "-9.5", "-9.49", "-0.1", "0", "0.05",
                                   "0.5", "1",    "1.01",  "9",    "10"};
  for (std::size_t i = 0; i < std::size(ascending); ++i) {
    for (std::size_t j = 0; j < std::size(ascending); ++j) {
      EXPECT_EQ(*parse_decimal(ascending[i]) <=> *parse_decimal(ascending[j]), i <=> j);
    }
  }
  EXPECT_EQ(*parse_decimal("1.0") <=> *parse_decimal("01"), std::strong_ordering::equal);
}

// The fast way by value and the slow one by text must not differ: hundredths are exact in both.
TEST(Grouper, ByValueAndByTextAgree) {
  for (const char* function : {"round(x)", "floor(x)"}) {
    const auto recipe = parse_recipe({{"key", "k"}, {"group", function}});
    Grouper grouper(*recipe, kDefaultMaxGroups);
    for (int i = -120'000; i <= 120'000; i += i % 1000 == 0 ? 1 : 37) {
      std::string text = std::to_string(std::abs(i) / 100) + "." +
                         std::to_string(std::abs(i) / 10 % 10) + std::to_string(std::abs(i) % 10);
      if (i < 0) text.insert(text.begin(), '-');
      for (const std::string& shown :
           {text, text.substr(0, text.size() - 1), text + "0", text + "01"}) {
        const auto number = parse_decimal(shown);
        const std::string expected =
            function[0] == 'r' ? round_half_up(*number) : round_down(*number);
        const std::uint32_t index = grouper.index_of(shown);
        ASSERT_TRUE(Grouper::is_index(index)) << shown;
        ASSERT_EQ(grouper.groups().name(index), expected) << shown << " by " << function;
      }
    }
  }
}

TEST(Grouper, RangePrefixAndLongNames) {
  const auto ranged = parse_recipe({{"key", "k"}, {"group", "g"}, {"group-range", "-1.5..10"}});
  Grouper by_range(*ranged, 10);
  EXPECT_TRUE(Grouper::is_index(by_range.index_of("10.00")));
  EXPECT_EQ(by_range.groups().name(0), "10.00");
  EXPECT_EQ(by_range.index_of("10.01"), Grouper::kOutOfRange);
  EXPECT_EQ(by_range.index_of("-2"), Grouper::kOutOfRange);
  EXPECT_EQ(by_range.index_of("x"), Grouper::kNotNumber);
  const auto prefixed = parse_recipe({{"key", "k"}, {"group", "prefix(g,2)"}});
  Grouper by_prefix(*prefixed, 10);
  EXPECT_EQ(by_prefix.index_of("abc"), by_prefix.index_of("abd"));
  EXPECT_NE(by_prefix.index_of("a"), by_prefix.index_of("ab"));
  const auto plain = parse_recipe({{"key", "k"}, {"group", "g"}});
  Grouper by_name(*plain, 2);
  EXPECT_TRUE(Grouper::is_index(by_name.index_of(std::string(65535, 'n'))));
  EXPECT_EQ(by_name.index_of(std::string(65536, 'n')), Grouper::kNameTooLong);
  EXPECT_TRUE(Grouper::is_index(by_name.index_of("b")));
  EXPECT_EQ(by_name.index_of("c"), Grouper::kTooMany);
  EXPECT_EQ(by_name.index_of("b"), 1U);
}

}  // namespace
}  // namespace bloomery
