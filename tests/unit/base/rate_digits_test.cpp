// Rates are the same whatever the locale of the process, even one that writes 0.5 as 0,5.
#include "base/rate_digits.h"

#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): setenv() is POSIX, not in <cstdlib>

#include <clocale>
#include <cstdlib>
#include <string>

#include "base/ascii.h"
#include "support/temporary_folder.h"

namespace bloomery {
namespace {

class RateDigits : public testing::Test {
 protected:
  ~RateDigits() override { std::setlocale(LC_ALL, "C"); }

  // An installed one, or one made for this test.
  bool takes_a_decimal_comma() {
    const std::string make =
        "localedef -i de_DE -f UTF-8 '" + folder_.path("de_DE.UTF-8") + "' >/dev/null 2>&1";
    if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) {
      static_cast<void>(std::system(make.c_str()));  // NOLINT(cert-env33-c): a fixed command
      ::setenv("LOCPATH", folder_.path().c_str(), 1);
      std::setlocale(LC_ALL, "de_DE.UTF-8");
      ::unsetenv("LOCPATH");
    }
    return std::localeconv()->decimal_point == std::string(",");
  }

  test::TemporaryFolder folder_;
};

TEST_F(RateDigits, AreFive) {
  EXPECT_EQ(in_five_digits(0.123456), 0.12346);
  EXPECT_EQ(in_five_digits(1.00004e-9), 1e-9);
  EXPECT_EQ(in_five_digits(0), 1e-300);
  EXPECT_EQ(in_five_digits(1), 0.9999);
}

TEST_F(RateDigits, AreTheSameWhereADecimalPointIsAComma) {
  if (!takes_a_decimal_comma()) {
    GTEST_SKIP()
        << "no locale de_DE.UTF-8 here, and none could be made: install the Debian package "
           "locales";
  }
  EXPECT_EQ(in_five_digits(0.123456), 0.12346);
  EXPECT_EQ(in_five_digits(1.00004e-9), 1e-9);
}

TEST(Ascii, KnowsItsLettersAndDigits) {
  for (int i = -128; i < 128; ++i) {
    const char c = static_cast<char>(i);
    const std::string known = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    EXPECT_EQ(is_ascii_letter_or_digit(c), known.find(c) != std::string::npos) << i;
  }
  EXPECT_EQ(ascii_lower('Z'), 'z');
  EXPECT_EQ(ascii_lower('['), '[');
  EXPECT_EQ(ascii_lower('\xC4'), '\xC4');
}

}  // namespace
}  // namespace bloomery
