// Bytes as they are printed, and back.
#include "base/error.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace bloomery {
namespace {

using namespace std::string_literals;

TEST(Escaped, OnlyWhatIsNotSafeOrWouldBeTakenForAnEscape) {
  EXPECT_EQ(escaped("say \"hi\", c:\\dir, \\x, é"), "say \"hi\", c:\\dir, \\x, é");
  EXPECT_EQ(escaped("a\tb\n\x1b\x7f\xff\xc2\x85"), "a\\x09b\\x0a\\x1b\\x7f\\xff\\xc2\\x85");
  EXPECT_EQ(escaped("a\u202Eb\u2066\u061C\u2029"),
            "a\\xe2\\x80\\xaeb\\xe2\\x81\\xa6\\xd8\\x9c\\xe2\\x80\\xa9");
  EXPECT_EQ(escaped("\u00A0 \u2013 \u202F \u65E5"), "\u00A0 \u2013 \u202F \u65E5");
  EXPECT_EQ(escaped("\\x41"), "\\x5cx41");
  EXPECT_EQ(escaped("abcd", 2), "ab...");
}

TEST(Escaped, AFieldKeepsAllButWhatWouldEndIt) {
  EXPECT_EQ(escaped_field("a\tb\r\n\x1b\xff\\d\\x0A"), "a\\x09b\\x0d\\x0a\x1b\xff\\d\\x5cx0A");
}

TEST(Escaped, ComesBackAsItWas) {
  const std::string starts[] = {"\\", "\\x", "\\x4", "\\x41", "\\\\x41", "\t", "\xff", "x41", ""};
  for (const std::string& first : starts) {
    for (const std::string& second : starts) {
      const std::string bytes = first + second + "\0"s;
      EXPECT_EQ(unescaped(escaped(bytes)), bytes);
      EXPECT_EQ(unescaped(escaped_field(bytes)), bytes);
    }
  }
}

TEST(Result, SaysWhatWentWrongWhereNobodyAsked) {
  const Result<int> result = make_error(ErrorCode::kNotFound, "x.bank: not there");
  try {
    static_cast<void>(result.value());
    FAIL() << "gave a value";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "x.bank: not there");
  }
}

}  // namespace
}  // namespace bloomery
