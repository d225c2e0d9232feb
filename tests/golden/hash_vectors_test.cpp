// Hashes as other implementations give them, on every length branch: a filter works whatever its
// hash returns, so nothing else would notice a wrong constant, and no old bank could be read any
// more.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "bloomery/hash.h"
#include "hash/murmur3.h"

namespace bloomery {
namespace {

struct HashVector {
  std::size_t length;
  std::uint64_t seed;
  std::uint64_t hash;
};

#include "golden/hash_vectors.inc"

constexpr std::string_view kQuestion =
    "did you mean to change the format? every bank that exists holds hashes as pinned here";

// As in make_hash_vectors.py.
std::string key_of_length(std::size_t length) {
  std::string key(length, '\0');
  for (std::size_t i = 0; i < length; ++i) key[i] = static_cast<char>((i * 151 + 131) % 256);
  return key;
}

SecretKey secret_from(std::uint64_t first_byte) {
  SecretKey secret{};
  for (std::size_t i = 0; i < secret.size(); ++i) {
    secret[i] = static_cast<std::byte>((first_byte + i) % 256);
  }
  return secret;
}

std::uint64_t hash_of(const Hasher& hasher, std::string_view key) {
  return static_cast<std::uint64_t>(hasher(key));
}

// Asks for each key alone and for all keys of a seed in one batch.
template <typename MakeHasher>
void expect_vectors(std::span<const HashVector> vectors, const MakeHasher& make_hasher) {
  for (const HashVector& vector : vectors) {
    const Hasher hasher = make_hasher(vector.seed);
    const std::string key = key_of_length(vector.length);
    EXPECT_EQ(hash_of(hasher, key), vector.hash)
        << to_string(hasher.id()) << " of " << vector.length << " bytes, seed " << vector.seed
        << "; " << kQuestion;
    const std::array<std::string_view, 1> keys{key};
    std::array<KeyHash, 1> hashes{};
    hasher.hash_all(keys, hashes);
    EXPECT_EQ(static_cast<std::uint64_t>(hashes[0]), vector.hash) << kQuestion;
  }
}

TEST(HashVectors, Xxh3OnEveryLengthBranch) {
  expect_vectors(kXxh3Vectors,
                 [](std::uint64_t seed) { return Hasher::create(HashId::kXxh3, seed).value(); });
}

TEST(HashVectors, Murmur3OnEveryTailWithBytesAboveSevenBits) {
  expect_vectors(kMurmur3Vectors,
                 [](std::uint64_t seed) { return Hasher::create(HashId::kMurmur3, seed).value(); });
}

TEST(HashVectors, SipOnEveryTail) {
  expect_vectors(kSipVectors,
                 [](std::uint64_t first) { return Hasher::with_secret(secret_from(first)); });
}

struct TextVector {
  std::string_view key;
  std::uint64_t first;
  std::uint64_t second;
};

// As mmh3 and Guava give them; the systems that read tail bytes as signed give others.
TEST(HashVectors, Murmur3GivesBothHalvesThatOthersPublish) {
  constexpr TextVector kVectors[] = {
      {"", 0, 0},
      {"a", 0x85555565f6597889, 0xe6b53a48510e895a},
      {"hello", 0xcbd8a7b341bd9b02, 0x5b1e906a48ae1d19},
      {"caf\xc3\xa9", 0xa2e7c22a053364dd, 0x0acaaa4789576479},
      {"\xff", 0x47da3778a4e290ec, 0xfa2f17143880ce2e},
      {"\xe2\x82\xac", 0x59e3303a2fdd9555, 0x4f9d8bb3e4bc3164},
      {"0123456789abcdef\x80", 0x7f26a8579a7158ab, 0x5b3a410f43a39ebd},
  };
  for (const TextVector& vector : kVectors) {
    EXPECT_EQ(murmur3_x64_128(vector.key, 0), (Murmur3Hash{vector.first, vector.second}))
        << kQuestion;
  }
}

TEST(HashVectors, SipOfShortTextsWithTheSecretThatCountsUp) {
  const Hasher hasher = Hasher::with_secret(secret_from(0));
  EXPECT_EQ(hash_of(hasher, ""), 0xabac0158050fc4dc) << kQuestion;
  EXPECT_EQ(hash_of(hasher, "a"), 0x1c2697ab786a6237) << kQuestion;
  EXPECT_EQ(hash_of(hasher, "hello"), 0xb6be2b8cd61385b7) << kQuestion;
  EXPECT_EQ(hash_of(hasher, "\xff"), 0x336d38979e4a286b) << kQuestion;
}

TEST(HashVectors, NumbersAndSelfChecksThatBanksHold) {
  EXPECT_EQ(static_cast<int>(HashId::kXxh3), 1) << kQuestion;
  EXPECT_EQ(static_cast<int>(HashId::kMurmur3), 2) << kQuestion;
  EXPECT_EQ(static_cast<int>(HashId::kSip), 3) << kQuestion;
  EXPECT_EQ(static_cast<int>(HashId::kHadoopMurmur), 4) << kQuestion;
  EXPECT_EQ(static_cast<int>(HashId::kHadoopJenkins), 5) << kQuestion;
  EXPECT_EQ(static_cast<int>(HashId::kSparkMurmur3), 6) << kQuestion;
  EXPECT_EQ(static_cast<int>(HashId::kMurmur3x32), 7) << kQuestion;
  EXPECT_EQ(Hasher().self_check(), 0x776abb9d4d4934a2) << kQuestion;
  EXPECT_EQ(Hasher::create(HashId::kXxh3, 7)->self_check(), 0x8c1870b7ecb9c3d8) << kQuestion;
  EXPECT_EQ(Hasher::create(HashId::kMurmur3, 7)->self_check(), 0xa4282f374a0732f8) << kQuestion;
  EXPECT_EQ(Hasher::with_secret(secret_from(0)).self_check(), 0x6861941748f6baf8) << kQuestion;
}

}  // namespace
}  // namespace bloomery
