#include "group/key_reader.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "../../../fuzz/simple_reader.h"
#include "reading.h"

namespace bloomery {
namespace {

using namespace std::string_literals;

const RecipeText kRatings{{"key", "tconst"}, {"group", "round(averageRating)"}};
constexpr std::string_view kHeader = "tconst\taverageRating\tnumVotes\n";

std::string ratings(std::string_view records) {
  return std::string(kHeader) += records;
}

TEST(KeyReader, GivesKeysAndRoundedGroups) {
  const auto reading = read_text(ratings("tt1\t5.7\t10\ntt2\t8.5\t3\ntt3\t1.0\t1\n"), kRatings);
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.keys, (Keys{{"tt1", "6"}, {"tt2", "9"}, {"tt3", "1"}}));
  EXPECT_EQ(reading.records[1], "tt2\t8.5\t3");
  const FileTally total = reading.tally.total();
  EXPECT_EQ(total.read, 4U);
  EXPECT_EQ(total.header, 1U);
  EXPECT_EQ(total.used, 3U);
}

TEST(KeyReader, ABoundaryOnEveryByteChangesNothing) {
  const std::string text =
      "\xEF\xBB\xBF\n" + ratings("tt1\t5.7\t1\n\r\ntt2\tx\t3\nbad\ntt3\t\\N\t1\r\n\ntt4\t2.5");
  const auto whole = read_text(text, kRatings);
  EXPECT_EQ(whole.error, "");
  EXPECT_EQ(whole.keys, (Keys{{"tt1", "6"}}));
  EXPECT_EQ(whole.tally.total().blank, 3U);
  EXPECT_EQ(whole.tally.total().header, 1U);
  EXPECT_EQ(rejected(whole, Reject::kTruncatedLast), 1U);
  for (std::uint64_t cut = 0; cut <= text.size(); ++cut) {
    const auto cut_reading = read_text(text, kRatings, {{0, cut}, {cut, text.size()}});
    EXPECT_EQ(cut_reading.keys, whole.keys) << "cut at " << cut;
    EXPECT_EQ(cut_reading.tally, whole.tally) << "cut at " << cut;
  }
}

TEST(KeyReader, OneSetOfKeysWhateverTheFormat) {
  const std::string table =
      ratings("tt1\t5.7\t10\ntt\"2\t8.5\t3\n\xC3\xA9 \xF0\x9F\x98\x80\t1.0\t1\n");
  const std::string csv =
      "tconst,averageRating,numVotes\r\ntt1,5.7,10\r\n\"tt\"\"2\",\"8.5\",3\r\n\xC3\xA9 "
      "\xF0\x9F\x98\x80,1.0,\"1\"";
  const std::string json =
      R"({"numVotes":10,"tconst":"tt1","averageRating":5.7})"
      "\n"
      R"({ "tconst" : "tt\u00222" , "x" : [1, {"tconst": 2}], "averageRating":"8.5" })"
      "\n"
      R"({"tconst":"\u00e9 \ud83d\ude00","averageRating":1.0})";
  const auto expected = read_text(table, kRatings).keys;
  EXPECT_EQ(expected.size(), 3U);
  EXPECT_EQ(read_text(csv, kRatings).keys, expected);
  EXPECT_EQ(read_text(json, kRatings).keys, expected);
}

// One record of every category, and what is no category: counts must be exact.
TEST(KeyReader, CountsEveryCategory) {
  const std::string text =
      "key,group,n\n"
      "good,1,x\n"
      "\n"
      ",1,x\n"
      "\\N,1,x\n"
      "nogroup,,x\n"
      "few,1\n"
      "many,1,x,y\n"
      "word,abc,x\n"
      "exponent,1e0,x\n"
      "plus,+1,x\n"
      "far,11,x\n"
      "low,0.4,x\n"
      "\"open,1,x\n"
      "mid\"dle,1,x\n"
      "\"after\"x,1,x\n"
      "key,group,n\n" +
      std::string(300, 'l') + ",1,x\n" + "nul\0,1,x\n"s + "bad\xFF,1,x\n" + "last,1";
  const RecipeText recipe{{"key", "key"}, {"group", "round(group)"}, {"group-range", "1..10"}};
  ReadOptions options;
  options.max_line = 200;
  options.needs_text = true;
  const auto reading = read_text(text, recipe, options);
  ASSERT_EQ(reading.error, "");
  EXPECT_EQ(reading.keys, (Keys{{"good", "1"}}));
  FileTally expected;
  expected.read = 21;
  expected.used = 1;
  expected.header = 1;
  expected.blank = 1;
  expected.missing = 3;
  const auto set = [&](Reject category, std::uint64_t count) {
    expected.rejected[static_cast<std::size_t>(category)] = count;
  };
  set(Reject::kFieldCount, 2);
  set(Reject::kGroupNotNumber, 3);
  set(Reject::kGroupOutOfRange, 2);
  set(Reject::kBrokenQuoting, 3);
  set(Reject::kRepeatedHeader, 1);
  set(Reject::kOverLong, 1);
  set(Reject::kNulByte, 1);
  set(Reject::kBadUtf8, 1);
  set(Reject::kTruncatedLast, 1);
  EXPECT_EQ(reading.tally.total(), expected);
  EXPECT_TRUE(reading.tally.check());
  const auto& sample = reading.tally.samples(Reject::kFieldCount);
  ASSERT_EQ(sample.size(), 2U);
  EXPECT_EQ(sample[0].offset, text.find("few"));
  EXPECT_EQ(sample[0].text, "few,1");
  EXPECT_EQ(sample[0].reason, "2 fields where 3 were expected");
}

TEST(KeyReader, KeysAreBytesUnlessTextIsAskedFor) {
  const auto reading = read_text("nul\0\nbad\xFF\n \n"s, {});
  EXPECT_EQ(reading.keys, (Keys{{"nul\0"s, "all"}, {"bad\xFF", "all"}, {" ", "all"}}));
}

TEST(KeyReader, StrictStopsAtTheFirstWithPlaceTextAndReason) {
  ReadOptions options;
  options.is_strict = true;
  const auto reading = read_text(ratings("tt1\t5\t1\ntt2\tx\x01\t1\ntt3\n"), kRatings, options);
  EXPECT_EQ(reading.error,
            "file: record at byte 38 rejected: group \"x\\x01\" is not a decimal number: "
            "tt2\\x09x\\x01\\x091");
}

TEST(KeyReader, EveryRejectedRecordIsReportedButOnlyTenAreKept) {
  std::string text = ratings("");
  for (int i = 0; i < 25; ++i) text += "short\n";
  std::vector<std::uint64_t> offsets;
  ReadOptions options;
  options.on_reject = [&](const RejectedRecord& record) { offsets.push_back(record.offset); };
  const auto reading = read_text(text, kRatings, options);
  EXPECT_EQ(offsets.size(), 25U);
  const auto& samples = reading.tally.samples(Reject::kFieldCount);
  ASSERT_EQ(samples.size(), Tally::kSamples);
  for (std::size_t i = 0; i < samples.size(); ++i) EXPECT_EQ(samples[i].offset, offsets[i]);
  // Any number of tasks keeps the same ones.
  for (const std::uint64_t tasks : {2U, 7U, 40U}) {
    EXPECT_EQ(read_text(text, kRatings, cut_evenly(text.size(), tasks)).tally, reading.tally);
  }
}

TEST(KeyReader, RejectedRecordsAreReportedInFullAndKeptShort) {
  const std::string record(5000, 'x');
  std::string reported;
  ReadOptions options;
  options.reject_bytes = 4000;
  options.on_reject = [&](const RejectedRecord& rejected) { reported = rejected.text; };
  const auto reading = read_text(ratings(record + "\n"), kRatings, options);
  EXPECT_EQ(reported, record.substr(0, 4000) + "...");
  const auto& samples = reading.tally.samples(Reject::kFieldCount);
  ASSERT_EQ(samples.size(), 1U);
  EXPECT_EQ(samples[0].text, record.substr(0, 200) + "...");
}

TEST(KeyReader, KeysOfSeveralFieldsAreJoinedAndNumbersBecomeEightBytes) {
  const std::string text = "a,b,g\n1,2,x\n1,,x\n\"q\"\"\",\"2\",y\n";
  EXPECT_EQ(read_text(text, {{"key", "a,b"}, {"group", "g"}}).keys, (Keys{{"1\x1F"
                                                                           "2",
                                                                           "x"},
                                                                          {"q\"\x1F"
                                                                           "2",
                                                                           "y"}}));
  const auto numbers =
      read_text("0\n18446744073709551615\n18446744073709551616\n-1\n258\n", {{"key-type", "u64"}});
  EXPECT_EQ(numbers.keys, (Keys{{std::string(8, '\0'), "all"},
                                {std::string(8, '\xFF'), "all"},
                                {"\x02\x01\0\0\0\0\0\0"s, "all"}}));
  EXPECT_EQ(rejected(numbers, Reject::kKeyNotNumber), 2U);
}

TEST(KeyReader, RecordsLongerThanAnyBufferUpToTheLimit) {
  for (const std::size_t length : {100'000U, 1'048'576U, 1'048'577U, 3'000'000U}) {
    const std::string key(length, 'k');
    const auto reading = read_text("a\n" + key + "\nb\n", {});
    const bool fits = length <= kDefaultMaxLine;
    EXPECT_EQ(reading.keys.size(), fits ? 3U : 2U);
    EXPECT_EQ(rejected(reading, Reject::kOverLong), fits ? 0U : 1U);
    EXPECT_TRUE(reading.tally.check());
  }
}

TEST(KeyReader, LineEndsInsideQuotesOnlyWithMultiline) {
  const std::string text = "k,g\n\"a\nb\",1\nc,2\n\"open,3\n";
  LayoutOptions layout;
  layout.multiline = true;
  const auto reading = read_text(text, {{"key", "k"}, {"group", "g"}}, {}, layout);
  EXPECT_EQ(reading.keys, (Keys{{"a\nb", "1"}, {"c", "2"}}));
  EXPECT_EQ(rejected(reading, Reject::kBrokenQuoting), 1U);
  const auto lines = read_text(text, {{"key", "k"}, {"group", "g"}});
  EXPECT_EQ(lines.keys, (Keys{{"c", "2"}}));
  EXPECT_EQ(rejected(lines, Reject::kBrokenQuoting), 3U);
}

TEST(KeyReader, TooManyGroupsEndTheReading) {
  ReadOptions options;
  options.max_groups = 2;
  const auto reading = read_text("k,g\n1,a\n2,b\n3,c\n", {{"key", "k"}, {"group", "g"}}, options);
  EXPECT_NE(reading.error.find("more than 2 groups"), std::string::npos) << reading.error;
}

TEST(KeyReader, TheSinkCanEndTheReading) {
  const auto recipe = parse_recipe({});
  const auto shape = shape_for(*recipe, "a\nb\n", {}, "file");
  KeyReader reader(*recipe, {}, [](const KeyBatch&) -> Result<void> {
    return Error{ErrorCode::kResource, "full"};
  });
  reader.start_file(0, "file", *shape);
  const auto read = reader.read("a\nb\n", 0);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "full");
}

TEST(KeyReader, TheCheckEndsTheReadingWhereNoRecordIsUsed) {
  std::string text = ratings("");
  for (int i = 0; i < 50'000; ++i) text += "short\n";
  int calls = 0;
  ReadOptions options;
  options.check = [&]() -> Result<void> {
    return ++calls < 3 ? Result<void>() : Error{ErrorCode::kIo, "stop"};
  };
  EXPECT_EQ(read_text(text, kRatings, options).error, "stop");
  EXPECT_EQ(calls, 3);
}

TEST(KeyReader, BrokenJsonIsRejectedRecordByRecord) {
  const std::string text =
      "{\"k\":\"a\"}\n{\"k\":\"b\"\n\n[1]\n{\"k\":{}}\n{\"k\":null}\n{\"x\":1}\n{\"k\":\"\xFF\"}\n"
      "{\"k\":true}\n{\"k\":-1.50e3}\n{\"k\":\"\\ud800\"}\n{\"k\":1,\"k\":\"last\"}\n";
  LayoutOptions layout;
  layout.format = TextFormat::kJson;
  const auto reading = read_text(text, {{"key", "k"}}, {}, layout);
  EXPECT_EQ(reading.keys,
            (Keys{{"a", "all"}, {"true", "all"}, {"-1.50e3", "all"}, {"last", "all"}}));
  EXPECT_EQ(reading.tally.total().missing, 2U);
  EXPECT_EQ(reading.tally.total().blank, 1U);
  EXPECT_EQ(rejected(reading, Reject::kBrokenJson), 4U);
  EXPECT_EQ(rejected(reading, Reject::kBadUtf8), 1U);
}

// Short texts over the few bytes that matter, so that every combination comes up.
std::string hostile_text(std::mt19937_64& random) {
  constexpr std::string_view kBytes = "ab\"\",,\n\n\r\\N\t";
  std::string text;
  const std::size_t length = random() % 300;
  const bool is_mild = random() % 2 == 0;
  for (std::size_t i = 0; i < length; ++i) {
    if (is_mild && random() % 3 != 0) {
      constexpr std::string_view kPieces[] = {"a,b\n", "\"a\",\"b\"\r\n", "\"x\"\"y\",c\n",
                                              "\\N,a\n"};
      text += kPieces[random() % 4];
    } else {
      text += kBytes[random() % kBytes.size()];
    }
  }
  return text;
}

TEST(KeyReader, AgreesWithASimpleParserOnAnyText) {
  std::mt19937_64 random(20'260'701);
  std::size_t compared = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string text = hostile_text(random);
    LayoutOptions layout;
    layout.format = TextFormat::kDelimited;
    layout.delimiter = ',';
    layout.quotes = random() % 4 != 0;
    layout.has_header = random() % 2 == 0;
    const RecipeText recipe{{"key", "1"}, {"group", "2"}};
    const auto shape = shape_for(*parse_recipe(recipe), text, layout, "file");
    if (!shape) continue;
    const SimpleReading expected = simple_read(text, *shape);
    const auto reading =
        read_text(text, recipe, cut_evenly(text.size(), 1 + random() % 3), {}, layout);
    ASSERT_EQ(reading.keys, expected.keys) << text;
    ASSERT_EQ(reading.tally.total(), expected.tally) << text;
    compared += expected.keys.size();
  }
  EXPECT_GT(compared, 10'000U);
}

}  // namespace
}  // namespace bloomery
