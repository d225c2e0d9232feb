// How much of a long test is run: BLOOMERY_TEST_LONG=1 asks for all of it, and a sanitiser takes
// some ten times as long for the same.
#pragma once

#include <cstdlib>

namespace bloomery::test {

inline bool is_long_run() {
  return std::getenv("BLOOMERY_TEST_LONG") != nullptr;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitised = true;
#elif defined(__has_feature)
inline constexpr bool kIsSanitised =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kIsSanitised = false;
#endif

}  // namespace bloomery::test
