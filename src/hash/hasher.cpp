#include <cassert>

#include "base/endian.h"
#include "base/error.h"
#include "bloomery/hash.h"
#include "bloomery/kernel.h"
#include "dialect/rules.h"
#include "hash/kernels/number_hashes.h"
#include "hash/murmur3.h"
#include "hash/siphash.h"
#include "hash/xxh3.h"

namespace bloomery {
namespace {

// Format: docs/format.md, "Hashes". Every bank holds the hash of this text.
constexpr std::string_view kSelfCheckText = "bloomery self-check";

constexpr std::array kAllHashes{
    HashId::kXxh3,          HashId::kMurmur3,      HashId::kSip,       HashId::kHadoopMurmur,
    HashId::kHadoopJenkins, HashId::kSparkMurmur3, HashId::kMurmur3x32};

constexpr bool is_foreign(HashId id) noexcept {
  return id >= HashId::kHadoopMurmur && id <= HashId::kMurmur3x32;
}

constexpr ForeignHash foreign(HashId id) noexcept {
  return ForeignHash{static_cast<std::uint8_t>(id)};
}
static_assert(foreign(HashId::kHadoopMurmur) == ForeignHash::kHadoopMurmur &&
              foreign(HashId::kHadoopJenkins) == ForeignHash::kHadoopJenkins &&
              foreign(HashId::kSparkMurmur3) == ForeignHash::kSparkMurmur3 &&
              foreign(HashId::kMurmur3x32) == ForeignHash::kMurmur3x32);

std::string_view bytes_of(std::string_view key) noexcept {
  return key;
}

// Numbers lie in memory as they are hashed, because endian.h accepts little-endian machines only.
std::string_view bytes_of(const std::uint64_t& key) noexcept {
  return {reinterpret_cast<const char*>(&key), sizeof key};
}

// Calls use(hash_one) with the function that turns a key's bytes into its hash, so that a batch
// asks which hash it is once, and the loop that the compiler sees contains one hash only.
template <typename Use>
decltype(auto) with_hash(HashId id, std::uint64_t seed, const std::array<std::uint64_t, 2>& secret,
                         const Use& use) noexcept {
  if (id == HashId::kXxh3) {
    return use([seed](std::string_view key) { return KeyHash{xxh3_64(key, seed)}; });
  }
  if (id == HashId::kMurmur3) {
    return use([seed = static_cast<std::uint32_t>(seed)](std::string_view key) {
      return KeyHash{murmur3_x64_128(key, seed).first};
    });
  }
  if (is_foreign(id)) {
    return use([id, seed = static_cast<std::uint32_t>(seed)](std::string_view key) {
      return KeyHash{hash_of(foreign(id), key, seed)};
    });
  }
  return use([secret](std::string_view key) { return KeyHash{siphash_1_3(key, secret)}; });
}

// Flattened, which inlines XXH3 down to the branch for the key's length: for numbers that is 8
// bytes, and no branch is left.
template <typename Key, typename HashOne>
[[gnu::flatten]] void hash_each(std::span<const Key> keys, std::span<KeyHash> hashes,
                                const HashOne& hash_one) noexcept {
  assert(hashes.size() >= keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) hashes[i] = hash_one(bytes_of(keys[i]));
}

const NumberHashes& number_hashes() noexcept {
#if defined(__x86_64__)
  switch (active_kernel()) {
    case Kernel::kScalar:
      break;
    case Kernel::kAvx2:
      return kAvx2NumberHashes;
    case Kernel::kAvx512:
      return kAvx512NumberHashes;
  }
#endif
  return kScalarNumberHashes;
}

}  // namespace

std::string_view to_string(HashId id) noexcept {
  switch (id) {
    case HashId::kXxh3:
      return "xxh3";
    case HashId::kMurmur3:
      return "murmur3";
    case HashId::kSip:
      return "sip";
    case HashId::kHadoopMurmur:
      return "hadoop-murmur";
    case HashId::kHadoopJenkins:
      return "hadoop-jenkins";
    case HashId::kSparkMurmur3:
      return "spark-murmur3";
    case HashId::kMurmur3x32:
      return "murmur3-32";
  }
  return "unknown";
}

std::optional<HashId> hash_from_string(std::string_view name) noexcept {
  for (const HashId id : kAllHashes) {
    if (to_string(id) == name) return id;
  }
  return std::nullopt;
}

Hasher::Hasher(HashId id, std::uint64_t seed, const std::array<std::uint64_t, 2>& secret) noexcept
    : id_(id), seed_(seed), number_secret_(detail::xxh3_number_secret(seed)), secret_(secret) {
  self_check_ = static_cast<std::uint64_t>((*this)(kSelfCheckText));
}

Hasher::Hasher() noexcept : Hasher(HashId::kXxh3, 0, {}) {}

Result<Hasher> Hasher::create(HashId id, std::uint64_t seed) {
  switch (id) {
    case HashId::kXxh3:
      return Hasher(id, seed, {});
    case HashId::kMurmur3:
    case HashId::kHadoopMurmur:
    case HashId::kHadoopJenkins:
    case HashId::kSparkMurmur3:
    case HashId::kMurmur3x32:
      if (seed > UINT32_MAX) {
        return make_error(ErrorCode::kInvalidArgument,
                          "seed {}: {} takes a seed of 32 bits; give one of at most {}", seed,
                          to_string(id), UINT32_MAX);
      }
      return Hasher(id, seed, {});
    case HashId::kSip:
      return make_error(
          ErrorCode::kInvalidArgument,
          "seed {}: sip takes a secret of 16 bytes instead of a seed; give the secret", seed);
  }
  return make_error(ErrorCode::kInvalidArgument, "hash {}: unknown; use xxh3, murmur3 or sip",
                    static_cast<unsigned>(id));
}

Hasher Hasher::with_secret(const SecretKey& secret) noexcept {
  return {HashId::kSip,
          0,
          {load_le<std::uint64_t>(secret.data()), load_le<std::uint64_t>(secret.data() + 8)}};
}

Hasher Hasher::locked(std::uint64_t self_check) noexcept {
  Hasher hasher;
  hasher.id_ = HashId::kSip;
  hasher.is_locked_ = true;
  hasher.self_check_ = self_check;
  return hasher;
}

[[gnu::flatten]] KeyHash Hasher::operator()(std::string_view key) const noexcept {
  assert(!is_locked_);
  return with_hash(id_, seed_, secret_, [key](const auto& hash_one) { return hash_one(key); });
}

[[gnu::flatten]] KeyHash Hasher::hash_number(std::uint64_t key) const noexcept {
  assert(!is_locked_);
  return with_hash(id_, seed_, secret_,
                   [key](const auto& hash_one) { return hash_one(bytes_of(key)); });
}

void Hasher::hash_all(std::span<const std::string_view> keys,
                      std::span<KeyHash> hashes) const noexcept {
  assert(!is_locked_);
  with_hash(id_, seed_, secret_, [&](const auto& hash_one) { hash_each(keys, hashes, hash_one); });
}

void Hasher::hash_all(std::span<const std::uint64_t> keys,
                      std::span<KeyHash> hashes) const noexcept {
  assert(!is_locked_);
  assert(hashes.size() >= keys.size());
  const NumberHashes& loops = number_hashes();
  switch (id_) {
    case HashId::kXxh3:
      return loops.xxh3(keys.data(), keys.size(), number_secret_, hashes.data());
    case HashId::kSip:
      return loops.sip(keys.data(), keys.size(), secret_, hashes.data());
    case HashId::kMurmur3:
    case HashId::kHadoopMurmur:
    case HashId::kHadoopJenkins:
    case HashId::kSparkMurmur3:
    case HashId::kMurmur3x32:
      break;
  }
  with_hash(id_, seed_, secret_, [&](const auto& hash_one) { hash_each(keys, hashes, hash_one); });
}

}  // namespace bloomery
