#include "dialect/hadoop.h"

#include <array>
#include <bit>
#include <cstring>

#include "base/error.h"
#include "dialect/numbers.h"

namespace bloomery {
namespace {

// --- hashes

// lookup3's three words.
class JenkinsState {
 public:
  JenkinsState(std::size_t size, std::uint32_t seed) noexcept
      : a_(0xdeadbeefU + static_cast<std::uint32_t>(size) + seed), b_(a_), c_(a_) {}

  void absorb(std::uint32_t a, std::uint32_t b, std::uint32_t c) noexcept {
    a_ += a;
    b_ += b;
    c_ += c;
  }
  void mix() noexcept {
    a_ = (a_ - c_) ^ std::rotl(c_, 4);
    c_ += b_;
    b_ = (b_ - a_) ^ std::rotl(a_, 6);
    a_ += c_;
    c_ = (c_ - b_) ^ std::rotl(b_, 8);
    b_ += a_;
    a_ = (a_ - c_) ^ std::rotl(c_, 16);
    c_ += b_;
    b_ = (b_ - a_) ^ std::rotl(a_, 19);
    a_ += c_;
    c_ = (c_ - b_) ^ std::rotl(b_, 4);
    b_ += a_;
  }
  void finish() noexcept {
    c_ = (c_ ^ b_) - std::rotl(b_, 14);
    a_ = (a_ ^ c_) - std::rotl(c_, 11);
    b_ = (b_ ^ a_) - std::rotl(a_, 25);
    c_ = (c_ ^ b_) - std::rotl(b_, 16);
    a_ = (a_ ^ c_) - std::rotl(c_, 4);
    b_ = (b_ ^ a_) - std::rotl(a_, 14);
    c_ = (c_ ^ b_) - std::rotl(b_, 24);
  }
  [[nodiscard]] std::uint32_t result() const noexcept { return c_; }

 private:
  std::uint32_t a_;
  std::uint32_t b_;
  std::uint32_t c_;
};

constexpr std::size_t kJenkinsBlock = 12;

// --- positions

template <std::uint32_t (*kHash)(std::string_view, std::uint32_t) noexcept>
std::uint64_t next_hadoop(KeyWalk& walk) noexcept {
  const std::uint32_t hash = kHash(walk.key, static_cast<std::uint32_t>(walk.state));
  walk.state = hash;
  return absolute_remainder(hash, walk.bits);
}

void start_hadoop(KeyWalk& walk, std::uint32_t /*seed*/) noexcept {
  walk.state = 0;
}

PositionRule positions_hadoop(ForeignHash hash) noexcept {
  if (hash == ForeignHash::kHadoopJenkins) return {&start_hadoop, &next_hadoop<&hadoop_jenkins>};
  return {&start_hadoop, &next_hadoop<&hadoop_murmur>};
}

// --- container: version, k, type of hash, m, all big-endian; then the bits

constexpr std::uint32_t kHadoopVersion = 0xFFFFFFFF;
constexpr std::uint64_t kHadoopHeaderBytes = 13;
// Filters of Hadoop before 0.21 have no version and no type of hash: their first number is k.
constexpr std::uint64_t kOldHadoopHeaderBytes = 8;
constexpr std::uint8_t kJenkinsType = 0;
constexpr std::uint8_t kMurmurType = 1;
constexpr std::uint32_t kMaxHadoopBits = 0x7FFFFFFF;

std::uint64_t hadoop_body_bytes(std::uint64_t bits) noexcept {
  return bits / 8 + (bits % 8 != 0 ? 1 : 0);
}

bool recognises_hadoop(std::span<const std::byte> start, std::uint64_t size) noexcept {
  if (start.size() < kHadoopHeaderBytes || load_be32(start.data()) != kHadoopVersion) return false;
  const std::uint32_t hashes = load_be32(start.data() + 4);
  const std::uint32_t bits = load_be32(start.data() + 9);
  return hashes >= 1 && hashes <= kMaxHadoopBits &&
         static_cast<std::uint8_t>(start[8]) <= kMurmurType && bits >= 1 &&
         bits <= kMaxHadoopBits && size >= kHadoopHeaderBytes;
}

Error damaged_hadoop(std::uint64_t at, std::string_view what) {
  return make_error(ErrorCode::kDamaged, "damaged at byte {}: {}", at, what);
}

// Other classes have the same header and another body.
std::string_view hadoop_class_of_size(std::uint64_t bits, std::uint64_t body) noexcept {
  if (body == ((bits - 1) / 16 + 1) * 8) return "a CountingBloomFilter";
  if (body > 12 && (body - 12) % (kHadoopHeaderBytes + hadoop_body_bytes(bits)) == 0) {
    return "a DynamicBloomFilter";
  }
  return body > hadoop_body_bytes(bits) + 16 * bits ? "a RetouchedBloomFilter" : "";
}

Result<std::vector<ContainerEntry>> read_hadoop(std::span<const std::byte> file) {
  if (file.size() < kOldHadoopHeaderBytes) {
    return damaged_hadoop(file.size(), "ends inside its header of 13 bytes");
  }
  const std::uint32_t first = load_be32(file.data());
  const bool is_old = first >= 1 && first <= kMaxHadoopBits;
  if (!is_old && first != kHadoopVersion) return damaged_hadoop(0, "a version that is not -1");
  const std::uint64_t header = is_old ? kOldHadoopHeaderBytes : kHadoopHeaderBytes;
  if (file.size() < header)
    return damaged_hadoop(file.size(), "ends inside its header of 13 bytes");
  ContainerEntry entry;
  entry.hashes = is_old ? first : load_be32(file.data() + 4);
  if (entry.hashes == 0 || entry.hashes > kMaxHadoopBits) {
    return damaged_hadoop(4, "no number of hashes from 1 to 2^31 - 1");
  }
  const auto type = is_old ? kJenkinsType : static_cast<std::uint8_t>(file[8]);
  if (type > kMurmurType)
    return damaged_hadoop(8, fmt::format("type {} of hash; 0 and 1 are known", type));
  entry.hash = type == kMurmurType ? ForeignHash::kHadoopMurmur : ForeignHash::kHadoopJenkins;
  entry.bits = load_be32(file.data() + header - 4);
  if (entry.bits == 0 || entry.bits > kMaxHadoopBits) {
    return damaged_hadoop(header - 4, "no number of bits from 1 to 2^31 - 1");
  }
  entry.body = file.subspan(header);
  const std::uint64_t expected = hadoop_body_bytes(entry.bits);
  if (entry.body.size() != expected) {
    const auto other = hadoop_class_of_size(entry.bits, entry.body.size());
    if (!other.empty()) {
      return make_error(ErrorCode::kUnsupported,
                        "{} by its length; of Hadoop's classes only BloomFilter can be read",
                        other);
    }
    return damaged_hadoop(file.size() < header + expected ? file.size() : header + expected,
                          fmt::format("{} bytes of bits where {} bits take {}", entry.body.size(),
                                      entry.bits, expected));
  }
  return std::vector<ContainerEntry>{std::move(entry)};
}

Result<void> decode_hadoop(const ContainerEntry& entry, std::span<std::byte> table) {
  std::memcpy(table.data(), entry.body.data(), entry.body.size());
  if (!is_zero_from(table, entry.bits)) {
    return make_error(ErrorCode::kDamaged, "bits past the last, {}, are not zero", entry.bits);
  }
  return {};
}

Result<void> write_hadoop(const ContainerEntry& entry, std::span<const std::byte> table,
                          const ByteSink& sink) {
  std::array<std::byte, kHadoopHeaderBytes> header{};
  store_be32(header.data(), kHadoopVersion);
  store_be32(header.data() + 4, entry.hashes);
  header[8] =
      static_cast<std::byte>(entry.hash == ForeignHash::kHadoopMurmur ? kMurmurType : kJenkinsType);
  store_be32(header.data() + 9, static_cast<std::uint32_t>(entry.bits));
  if (auto done = sink(header); !done) return done;
  return sink(table.first(hadoop_body_bytes(entry.bits)));
}

constexpr std::array kHadoopHashes{ForeignHash::kHadoopMurmur, ForeignHash::kHadoopJenkins};

}  // namespace

std::uint32_t hadoop_murmur(std::string_view key, std::uint32_t seed) noexcept {
  constexpr std::uint32_t kFactor = 0x5bd1e995;
  std::uint32_t hash = seed ^ static_cast<std::uint32_t>(key.size());
  const std::size_t tail = key.size() % 4;
  const char* const words_end = key.data() + (key.size() - tail);
  for (const char* at = key.data(); at != words_end; at += 4) {
    std::uint32_t word = load_le<std::uint32_t>(at) * kFactor;
    word = (word ^ (word >> 24U)) * kFactor;
    hash = (hash * kFactor) ^ word;
  }
  if (tail != 0) {
    // The first byte of the tail is shifted furthest. Products, because a sign goes over the top.
    if (tail == 3) hash ^= sign_extended(words_end[0]) * 0x10000U;
    if (tail >= 2) hash ^= sign_extended(words_end[tail - 2]) * 0x100U;
    hash = (hash ^ sign_extended(words_end[tail - 1])) * kFactor;
  }
  hash = (hash ^ (hash >> 13U)) * kFactor;
  return hash ^ (hash >> 15U);
}

std::uint32_t hadoop_jenkins(std::string_view key, std::uint32_t seed) noexcept {
  JenkinsState state(key.size(), seed);
  const char* at = key.data();
  std::size_t left = key.size();
  for (; left > kJenkinsBlock; left -= kJenkinsBlock, at += kJenkinsBlock) {
    state.absorb(load_le<std::uint32_t>(at), load_le<std::uint32_t>(at + 4),
                 load_le<std::uint32_t>(at + 8));
    state.mix();
  }
  if (left == 0) return state.result();
  std::array<char, kJenkinsBlock> last{};
  std::memcpy(last.data(), at, left);
  state.absorb(load_le<std::uint32_t>(last.data()), load_le<std::uint32_t>(last.data() + 4),
               load_le<std::uint32_t>(last.data() + 8));
  state.finish();
  return state.result();
}

const DialectRules kHadoopRules{
    .id = Dialect::kHadoop,
    .name = "hadoop",
    .system = "Hadoop's BloomFilter",
    .hashes = kHadoopHashes,
    .max_bits = kMaxHadoopBits,
    .max_useful_bits = kMaxHadoopBits,
    .positions = &positions_hadoop,
    .container = {.what = "a Hadoop BloomFilter",
                  .recognises = &recognises_hadoop,
                  .read = &read_hadoop,
                  .decode = &decode_hadoop,
                  .write = &write_hadoop},
};

}  // namespace bloomery
