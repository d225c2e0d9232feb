// A key's 64 bits.
//
//   takes   keys, which are bytes
//   gives   KeyHash, to filters
//
// Whatever a filter does with a key (its block, its mask, its positions) comes from these 64 bits,
// so they may be computed once, kept, shipped, and given to any number of filters with the same
// hash.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "bloomery/number_hash.h"
#include "bloomery/result.h"

namespace bloomery {

// A type of its own, so that a hash is never taken for a key or hashed again.
enum class KeyHash : std::uint64_t {};

// The numbers are format: docs/format.md, "Hashes".
enum class HashId : std::uint8_t {
  kXxh3 = 1,     // XXH3-64 with a 64-bit seed: fast, for keys nobody chooses against you
  kMurmur3 = 2,  // MurmurHash3 x64-128, first half, with a 32-bit seed
  kSip = 3,      // SipHash-1-3 with a secret key: for keys from people who may want to do harm
  // Of other systems, 32 bits each, and only for their dialects: docs/dialects.md.
  kHadoopMurmur = 4,
  kHadoopJenkins = 5,
  kSparkMurmur3 = 6,
  kMurmur3x32 = 7,
};

// "xxh3", "murmur3", "sip", "hadoop-murmur", "hadoop-jenkins", "spark-murmur3", "murmur3-32".
[[nodiscard]] std::string_view to_string(HashId id) noexcept;
[[nodiscard]] std::optional<HashId> hash_from_string(std::string_view name) noexcept;

// The 16 secret bytes of HashId::kSip. They never go into a bank.
using SecretKey = std::array<std::byte, 16>;

// Turns keys into hashes. Small, copyable, and safe to use from any number of threads at once.
class Hasher {
 public:
  // XXH3 with seed 0.
  Hasher() noexcept;

  // Fails for a seed the hash cannot take: above 32 bits for murmur3 and hashes of other systems,
  // and any for sip, which needs with_secret() instead.
  static Result<Hasher> create(HashId id, std::uint64_t seed);
  static Hasher with_secret(const SecretKey& secret) noexcept;
  // HashId::kSip without its secret, known only by its self-check value. It cannot hash: filters
  // that have it answer "maybe" to every key.
  static Hasher locked(std::uint64_t self_check) noexcept;
  [[nodiscard]] bool is_locked() const noexcept { return is_locked_; }

  // Requires !is_locked(), as all hashing does.
  [[nodiscard]] KeyHash operator()(std::string_view key) const noexcept;
  // A key given as a number is its 8 bytes, little-endian, on every machine.
  [[nodiscard]] KeyHash operator()(std::uint64_t key) const noexcept {
    if (id_ == HashId::kXxh3) return KeyHash{detail::xxh3_number(key, number_secret_)};
    return hash_number(key);
  }

  // Requires hashes.size() >= keys.size().
  void hash_all(std::span<const std::string_view> keys, std::span<KeyHash> hashes) const noexcept;
  void hash_all(std::span<const std::uint64_t> keys, std::span<KeyHash> hashes) const noexcept;

  // The hash of one fixed text. Banks store it, so that a reader with another seed, another secret
  // or a broken hash finds out before it gives a wrong answer.
  [[nodiscard]] std::uint64_t self_check() const noexcept { return self_check_; }

  [[nodiscard]] HashId id() const noexcept { return id_; }
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

  // Secrets are compared by their self-check values.
  friend bool operator==(const Hasher& a, const Hasher& b) noexcept {
    return a.id_ == b.id_ && a.seed_ == b.seed_ && a.self_check_ == b.self_check_;
  }

 private:
  Hasher(HashId id, std::uint64_t seed, const std::array<std::uint64_t, 2>& secret) noexcept;

  [[nodiscard]] KeyHash hash_number(std::uint64_t key) const noexcept;

  HashId id_ = HashId::kXxh3;
  bool is_locked_ = false;
  std::uint64_t seed_ = 0;
  std::uint64_t number_secret_ = 0;  // what XXH3 xors numbers with
  std::array<std::uint64_t, 2> secret_{};
  std::uint64_t self_check_ = 0;
};

}  // namespace bloomery
