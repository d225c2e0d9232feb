// Whether two tables are equal. Compared in one call, because a sanitiser looks at every access: of
// large tables byte by byte, that took most of a test's time.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace bloomery::test {

inline bool same_bytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

}  // namespace bloomery::test
