// For EXPECT_PRED2(contains, message, part): a failure prints both.
#pragma once

#include <string>

namespace bloomery::test {

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace bloomery::test
