#include "parse/shape.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "parse/did_you_mean.h"
#include "parse/sniff.h"

namespace bloomery {
namespace {

std::vector<ColumnRef> columns(std::string_view text) {
  return *parse_columns(text);
}

Result<FileShape> shape(std::string_view text, std::string_view wanted,
                        const LayoutOptions& options = {}) {
  return shape_of(text, wanted.empty() ? std::vector<ColumnRef>() : columns(wanted), options,
                  "file");
}

std::string message(const Result<FileShape>& result) {
  return result ? "no error" : result.error().message;
}

TEST(Columns, AreNumbersNamesOrQuotedNames) {
  EXPECT_EQ(columns("1,b,\"2\",\"a,\"\"b\""),
            (std::vector<ColumnRef>{{1, ""}, {0, "b"}, {0, "2"}, {0, "a,\"b"}}));
  for (const char* bad : {"", "a,", ",a", "0", "99999999999", "\"a", "\"a\"b", "\"\""}) {
    EXPECT_FALSE(parse_columns(bad)) << bad;
  }
}

TEST(Delimiter, IsOneByteByItselfOrByName) {
  EXPECT_EQ(*parse_delimiter("tab"), '\t');
  EXPECT_EQ(*parse_delimiter("\\t"), '\t');
  EXPECT_EQ(*parse_delimiter(";"), ';');
  EXPECT_EQ(*parse_delimiter("\\x01"), '\x01');
  for (const char* bad : {"", "ab", "\"", "\n", "\r", "\\xzz", "\\x0a"}) {
    EXPECT_FALSE(parse_delimiter(bad)) << bad;
  }
}

TEST(Sniff, FindsFormatDelimiterAndQuotes) {
  const struct {
    const char* text;
    char delimiter;
    bool quotes;
  } cases[] = {{"a\tb\n1\t2\n", '\t', false},
               {"a,b\n1,2\n", ',', true},
               {"a;b\n1,5;2,5\n3;4\n", ';', true},
               {"a|b\n1|2\n", '|', true},
               {"a\n1\n2\n", '\t', false},
               {"\"a\"\n\"1\"\n", ',', true},
               {"a\tb,c\n1\t2,3\nx\ty\n", '\t', false},
               {"", '\t', false}};
  for (const auto& expected : cases) {
    const Layout layout = sniff_layout(expected.text, true, {});
    EXPECT_EQ(layout.format, TextFormat::kDelimited) << expected.text;
    EXPECT_EQ(layout.delimiter, expected.delimiter) << expected.text;
    EXPECT_EQ(layout.quotes, expected.quotes) << expected.text;
  }
  EXPECT_EQ(sniff_layout("\n {\"a\":1}\n", true, {}).format, TextFormat::kJson);
  LayoutOptions told;
  told.delimiter = ',';
  told.quotes = false;
  const Layout layout = sniff_layout("{\"a\":1}\n", true, told);
  EXPECT_EQ(layout.format, TextFormat::kDelimited);
  EXPECT_FALSE(layout.quotes);
}

TEST(Shape, ANameMeansAHeaderAndANumberNone) {
  const auto named = shape("\xEF\xBB\xBF\nid,\"x y\",z\n1,2,3\n", "\"x y\",id");
  ASSERT_TRUE(named) << message(named);
  EXPECT_TRUE(named->layout.has_header);
  EXPECT_EQ(named->wanted, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(named->fields, 3U);
  EXPECT_EQ(named->header, "id,\"x y\",z");
  EXPECT_EQ(named->header_offset, 4U);
  EXPECT_EQ(describe(*named), "comma-separated with quotes, header, 3 columns");
  const auto numbered = shape("id,x\n1,2\n", "2");
  ASSERT_TRUE(numbered);
  EXPECT_FALSE(numbered->layout.has_header);
  EXPECT_TRUE(numbered->may_have_header);
  EXPECT_EQ(numbered->header_offset, kNoHeader);
  EXPECT_FALSE(shape("1,2\n3,4\n", "2")->may_have_header);
  LayoutOptions with_header;
  with_header.has_header = true;
  EXPECT_EQ(shape("id,x\n1,2\n", "2", with_header)->header, "id,x");
  with_header.has_header = false;
  EXPECT_NE(message(shape("id,x\n", "id", with_header)).find("needs a header"), std::string::npos);
}

TEST(Shape, AColumnThatIsNotThereIsAnsweredWithThoseThatAre) {
  const std::string text = "tconst\taverageRating\tnumVotes\ntt1\t5.7\t1\n";
  EXPECT_EQ(message(shape(text, "tcosnt")),
            "file: there is no column \"tcosnt\"; the columns are tconst, averageRating, numVotes; "
            "did you mean \"tconst\"?");
  EXPECT_EQ(message(shape(text, "year")),
            "file: there is no column \"year\"; the columns are tconst, averageRating, numVotes");
  EXPECT_EQ(message(shape("1\t2\n", "5")), "file: there is no column 5: records have 2 fields");
  EXPECT_NE(message(shape("a,a\n1,2\n", "a")).find("two columns"), std::string::npos);
  EXPECT_NE(message(shape("{\"a\":1}\n", "1")).find("JSON fields have names"), std::string::npos);
}

TEST(Shape, AnEmptyFileFitsAnyColumns) {
  for (const char* empty : {"", "\n\r\n", "\xEF\xBB\xBF"}) {
    const auto got = shape(empty, "id");
    ASSERT_TRUE(got) << message(got);
    EXPECT_TRUE(check_same_columns(*shape("id\n1\n", "id"), "a", *got, "b"));
  }
}

TEST(Shape, FilesMustHaveTheSameColumns) {
  const auto first = shape("id,x\n1,2\n", "id");
  EXPECT_TRUE(check_same_columns(*first, "a", *shape("id\tx\n1\t2\n", "id"), "b"));
  const auto differs = check_same_columns(*first, "a", *shape("x,id\n1,2\n", "id"), "b");
  ASSERT_FALSE(differs);
  EXPECT_NE(differs.error().message.find("a and b: the headers differ (id, x and x, id)"),
            std::string::npos);
}

TEST(Shape, TravelsAsText) {
  for (const char* text : {"id,x\n1,2\n", "{\"id\":1,\"x\":2}\n"}) {
    auto got = shape(text, "x,id");
    ASSERT_TRUE(got);
    got->columns.clear();
    const auto back = shape_from_text(to_text(*got));
    ASSERT_TRUE(back) << message(back);
    EXPECT_EQ(*back, *got);
  }
  auto damaged = to_text(*shape("id,x\n1,2\n", "x"));
  damaged["wanted.0"] = "2";
  EXPECT_FALSE(shape_from_text(damaged));
  EXPECT_FALSE(shape_from_text({}));
}

TEST(DidYouMean, TakesSlipsAndLeavesTheRest) {
  const std::vector<std::string> known{"tconst", "averageRating", "numVotes", "id"};
  EXPECT_EQ(did_you_mean("tcosnt", known), "tconst");
  EXPECT_EQ(did_you_mean("TCONST", known), "tconst");
  EXPECT_EQ(did_you_mean("averageRatings", known), "averageRating");
  EXPECT_EQ(did_you_mean("Id", known), "id");
  EXPECT_EQ(did_you_mean("elephant", known), std::nullopt);
  EXPECT_EQ(did_you_mean(std::string(100'000, 'x'), known), std::nullopt);
}

}  // namespace
}  // namespace bloomery
