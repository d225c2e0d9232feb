#include "bloomery/hash.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery {
namespace {

constexpr SecretKey kSecret{std::byte{1}, std::byte{2}, std::byte{3}};

std::vector<Hasher> one_of_each() {
  return {Hasher(), Hasher::create(HashId::kXxh3, 99).value(),
          Hasher::create(HashId::kMurmur3, 99).value(), Hasher::with_secret(kSecret)};
}

TEST(Hasher, IsXxh3WithSeedZeroUnlessToldOtherwise) {
  const Hasher hasher;
  EXPECT_EQ(hasher.id(), HashId::kXxh3);
  EXPECT_EQ(hasher.seed(), 0U);
  EXPECT_FALSE(hasher.is_locked());
  EXPECT_EQ(hasher, Hasher::create(HashId::kXxh3, 0).value());
}

TEST(Hasher, TakesEverySeedOfXxh3) {
  const auto hasher = Hasher::create(HashId::kXxh3, UINT64_MAX);
  ASSERT_TRUE(hasher);
  EXPECT_EQ(hasher->seed(), UINT64_MAX);
}

TEST(Hasher, RefusesAMurmur3SeedAbove32Bits) {
  EXPECT_TRUE(Hasher::create(HashId::kMurmur3, UINT32_MAX));
  const auto hasher = Hasher::create(HashId::kMurmur3, std::uint64_t{UINT32_MAX} + 1);
  ASSERT_FALSE(hasher);
  EXPECT_EQ(hasher.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(hasher.error().message,
            "seed 4294967296: murmur3 takes a seed of 32 bits; give one of at most 4294967295");
}

TEST(Hasher, RefusesSipWithoutASecret) {
  for (const std::uint64_t seed : {0U, 1U}) {
    const auto hasher = Hasher::create(HashId::kSip, seed);
    ASSERT_FALSE(hasher);
    EXPECT_NE(hasher.error().message.find("secret"), std::string::npos) << hasher.error().message;
  }
}

TEST(Hasher, RefusesAnIdThatIsNoHash) {
  const auto hasher = Hasher::create(static_cast<HashId>(77), 0);
  ASSERT_FALSE(hasher);
  EXPECT_EQ(hasher.error().message, "hash 77: unknown; use xxh3, murmur3 or sip");
}

TEST(Hasher, NamesReadBack) {
  for (const HashId id : {HashId::kXxh3, HashId::kMurmur3, HashId::kSip}) {
    EXPECT_EQ(hash_from_string(to_string(id)), id);
  }
  EXPECT_EQ(to_string(HashId::kXxh3), "xxh3");
  EXPECT_EQ(to_string(HashId::kMurmur3), "murmur3");
  EXPECT_EQ(to_string(HashId::kSip), "sip");
}

TEST(Hasher, OtherNamesAreNoHashes) {
  for (const std::string_view name : {"", "XXH3", "xxh3 ", "xxh", "siphash", "unknown"}) {
    EXPECT_EQ(hash_from_string(name), std::nullopt) << name;
  }
}

TEST(Hasher, ANumberIsItsEightLittleEndianBytes) {
  using namespace std::string_view_literals;
  for (const Hasher& hasher : one_of_each()) {
    EXPECT_EQ(hasher(std::uint64_t{0x0123456789abcdef}),
              hasher("\xef\xcd\xab\x89\x67\x45\x23\x01"sv));
    EXPECT_EQ(hasher(std::uint64_t{0}), hasher("\0\0\0\0\0\0\0\0"sv));
  }
}

TEST(Hasher, ABatchOfTextsGivesWhatSingleKeysGive) {
  std::vector<std::string> texts;
  for (std::size_t length = 0; length < 300; ++length) texts.emplace_back(length, '\xe9');
  const std::vector<std::string_view> keys(texts.begin(), texts.end());
  for (const Hasher& hasher : one_of_each()) {
    // One place more than there are keys: it must stay as it was.
    std::vector<KeyHash> hashes(keys.size() + 1, KeyHash{7});
    hasher.hash_all(keys, hashes);
    for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(hashes[i], hasher(keys[i])) << i;
    EXPECT_EQ(hashes.back(), KeyHash{7});
  }
}

TEST(Hasher, ABatchOfNumbersGivesWhatSingleKeysGive) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < 300; ++i) keys.push_back(i * 0x0123456789abcdefU);
  for (const Hasher& hasher : one_of_each()) {
    std::vector<KeyHash> hashes(keys.size() + 1, KeyHash{7});
    hasher.hash_all(keys, hashes);
    for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(hashes[i], hasher(keys[i])) << i;
    EXPECT_EQ(hashes.back(), KeyHash{7});
  }
}

TEST(Hasher, AnEmptyBatchWritesNothing) {
  const Hasher hasher;
  std::array<KeyHash, 1> hashes{KeyHash{7}};
  hasher.hash_all(std::span<const std::string_view>(), hashes);
  hasher.hash_all(std::span<const std::uint64_t>(), hashes);
  EXPECT_EQ(hashes[0], KeyHash{7});
}

TEST(Hasher, TheEmptyKeyHasAHashWhereverItPoints) {
  for (const Hasher& hasher : one_of_each()) {
    EXPECT_EQ(hasher(std::string_view()), hasher(std::string_view("x", 0)));
  }
}

TEST(Hasher, ReadsNoByteBeyondTheKey) {
  // Each key lies at the end of a block of its own, so that address sanitiser sees one byte too
  // many; without it, a neighbour that changed the hash would show.
  for (std::size_t length = 0; length < 300; ++length) {
    std::vector<char> exact(length, 'k');
    const std::string with_neighbour = std::string(length, 'k') + "neighbour";
    for (const Hasher& hasher : one_of_each()) {
      EXPECT_EQ(hasher(std::string_view(exact.data(), length)),
                hasher(std::string_view(with_neighbour).substr(0, length)));
    }
  }
}

TEST(Hasher, EveryByteAndTheLengthCount) {
  for (const Hasher& hasher : one_of_each()) {
    for (const std::size_t length : {1U, 3U, 4U, 8U, 9U, 16U, 17U, 128U, 129U, 240U, 241U, 1100U}) {
      const std::string key(length, '\0');
      EXPECT_NE(hasher(key), hasher(key + '\0')) << length;
      for (std::size_t i = 0; i < length; ++i) {
        std::string other = key;
        other[i] = '\x01';
        EXPECT_NE(hasher(key), hasher(other)) << "byte " << i << " of " << length;
      }
    }
  }
}

TEST(Hasher, ComparesHashSeedAndSecret) {
  const auto hashers = one_of_each();
  for (std::size_t i = 0; i < hashers.size(); ++i) {
    for (std::size_t j = 0; j < hashers.size(); ++j) EXPECT_EQ(hashers[i] == hashers[j], i == j);
  }
  SecretKey other = kSecret;
  other[15] = std::byte{1};
  EXPECT_NE(Hasher::with_secret(kSecret), Hasher::with_secret(other));
}

TEST(Hasher, SelfCheckTellsSeedsAndSecretsApart) {
  const Hasher zero;
  const auto one = Hasher::create(HashId::kXxh3, 1).value();
  EXPECT_NE(zero.self_check(), one.self_check());
  EXPECT_NE(Hasher::with_secret(kSecret).self_check(), Hasher::with_secret({}).self_check());
}

TEST(Hasher, LockedEqualsTheOneWithTheSecretItStandsFor) {
  const Hasher open = Hasher::with_secret(kSecret);
  const Hasher locked = Hasher::locked(open.self_check());
  EXPECT_TRUE(locked.is_locked());
  EXPECT_FALSE(open.is_locked());
  EXPECT_EQ(locked.id(), HashId::kSip);
  EXPECT_EQ(locked.self_check(), open.self_check());
  EXPECT_EQ(locked, open);
  EXPECT_NE(locked, Hasher::locked(open.self_check() + 1));
}

}  // namespace
}  // namespace bloomery
