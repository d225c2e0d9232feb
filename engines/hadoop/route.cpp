#include "engines/hadoop/route.h"

namespace bloomery::hadoop {
namespace {

// Java's bytes have a sign, and its integers wrap.
std::uint32_t hash_more(std::uint32_t hash, std::uint8_t byte) noexcept {
  return hash * 31U + static_cast<std::uint32_t>(static_cast<std::int8_t>(byte));
}

std::uint32_t hash_of(std::string_view key) noexcept {
  std::uint32_t hash = 1;
  for (const char c : key) hash = hash_more(hash, static_cast<std::uint8_t>(c));
  return hash;
}

}  // namespace

std::uint32_t partition_of(std::string_view key, std::uint32_t reducers) noexcept {
  return (hash_of(key) & INT32_MAX) % reducers;
}

void append_salt(std::string& key, std::uint32_t reducer, std::uint32_t reducers) {
  const std::uint32_t start = hash_of(key);
  for (std::uint32_t salt = 0; salt <= UINT16_MAX; ++salt) {
    const auto high = static_cast<std::uint8_t>(salt >> 8U);
    const auto low = static_cast<std::uint8_t>(salt);
    const std::uint32_t hash = hash_more(hash_more(start, high), low);
    if ((hash & INT32_MAX) % reducers != reducer) continue;
    key += static_cast<char>(high);
    key += static_cast<char>(low);
    return;
  }
}

}  // namespace bloomery::hadoop
