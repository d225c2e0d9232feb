#include "parse/json_record.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "parse/utf8.h"

namespace bloomery {
namespace {

using nlohmann::json;

TEST(JsonRecord, FindsTopLevelFieldsOfAnyType) {
  JsonRecord record({"s", "n", "b", "z", "absent"});
  EXPECT_EQ(
      record.read(R"( {"n":-0.5e+3,"x":{"s":"inner"},"s":"a\/\"\\\n\u20ac","b":false,"z":null} )"),
      JsonStatus::kGood);
  EXPECT_EQ(record.field(0), "a/\"\\\n\xE2\x82\xAC");
  EXPECT_EQ(record.field(1), "-0.5e+3");
  EXPECT_EQ(record.field(2), "false");
  EXPECT_EQ(record.field(3), "");
  EXPECT_EQ(record.field(4), "");
}

TEST(JsonRecord, NamesAreComparedUnescapedAndMayBeWantedTwice) {
  JsonRecord record({"n\xC3\xA9", "n\xC3\xA9"});
  EXPECT_EQ(record.read(R"({"n\u00e9":1})"), JsonStatus::kGood);
  EXPECT_EQ(record.field(0), "1");
  EXPECT_EQ(record.field(1), "1");
}

TEST(JsonRecord, DepthIsBounded) {
  JsonRecord record({"a"});
  const auto nested = [](std::size_t depth) {
    return "{\"x\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_EQ(record.read(nested(100)), JsonStatus::kGood);
  EXPECT_EQ(record.read(nested(101)), JsonStatus::kBroken);
  EXPECT_EQ(record.read(nested(1'000'000)), JsonStatus::kBroken);
}

// What nlohmann's parser makes of a record: the judge for ours.
std::string judged(const std::string& text, const std::string& name) {
  const json parsed = json::parse(text, nullptr, false);
  if (parsed.is_discarded() || !parsed.is_object()) return "broken";
  if (!parsed.contains(name) || parsed[name].is_null()) return "field ";
  if (parsed[name].is_string()) return "field " + parsed[name].get<std::string>();
  if (parsed[name].is_structured()) return "not scalar";
  return "scalar";
}

std::string ours(const std::string& text, const std::string& name, const std::string& expected) {
  JsonRecord record({name});
  switch (record.read(text)) {
    case JsonStatus::kGood:
      // Its numbers are doubles, ours are text.
      return expected == "scalar" ? "scalar" : "field " + std::string(record.field(0));
    case JsonStatus::kNotScalar:
      return "not scalar";
    default:
      return "broken";
  }
}

bool has_huge_exponent(const std::string& text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != 'e') continue;
    const std::size_t digits = i + (text[i + 1] == '+' || text[i + 1] == '-' ? 2 : 1);
    if (std::min(text.find_first_not_of("0123456789", digits), text.size()) > digits + 2)
      return true;
  }
  return false;
}

TEST(JsonRecord, AgreesWithAnotherParserOnMutatedRecords) {
  const std::string seeds[] = {R"({"a":"text","b":[1,2.5,-3e10,{"c":null}],"d":true})",
                               R"({"a":12.5,"b":"\u00e9\u20ac\n\"","x":{}})",
                               R"({ "b" : "" , "a" : "q\\" , "c" : [ ] })",
                               "{\"a\":\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\",\"n\":0}"};
  constexpr std::string_view kBytes = "{}[]\":,\\u0123de.-+ tfn\x01\x80\xC3\xFF";
  std::mt19937_64 random(42);
  std::size_t good = 0;
  std::size_t compared = 0;
  for (int round = 0; round < 60'000; ++round) {
    std::string text = seeds[random() % 4U];
    for (std::size_t edits = random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      const char byte = kBytes[random() % kBytes.size()];
      if (random() % 3 == 0) {
        text.insert(text.begin() + static_cast<std::ptrdiff_t>(at), byte);
      } else if (random() % 2 == 0) {
        text.erase(at, 1);
      } else {
        text[at] = byte;
      }
      if (text.empty()) text = " ";
    }
    // Lone surrogates are grammar to us and an error to it, and so are numbers that no double can
    // hold.
    if (text.find("\\ud") != std::string::npos || has_huge_exponent(text)) continue;
    const std::string expected = judged(text, "a");
    ASSERT_EQ(ours(text, "a", expected), expected) << text;
    ++compared;
    good += expected == "broken" ? 0U : 1U;
  }
  EXPECT_GT(compared, 20'000U);
  EXPECT_GT(good, 5'000U);
}

TEST(Utf8, AcceptsAllOfUnicodeAndNothingElse) {
  std::size_t accepted = 0;
  for (std::uint32_t code_point = 0; code_point < 0x110000; ++code_point) {
    char bytes[4];
    const std::string_view text(bytes, write_utf8(code_point, bytes));
    accepted += is_utf8(text) ? 1U : 0U;
  }
  EXPECT_EQ(accepted, 0x110000U - 0x800U);  // all but surrogates
  for (const char* bad : {"\x80", "\xC1\x81", "\xE0\x80\x80", "\xF5\x80\x80\x80", "\xC3",
                          "\xED\xA0\x80", "12345678\xFF"}) {
    EXPECT_FALSE(is_utf8(bad));
  }
}

}  // namespace
}  // namespace bloomery
