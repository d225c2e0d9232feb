#include "dialect/spark.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "dialect/murmur3_x32.h"
#include "dialect/numbers.h"

namespace bloomery {
namespace {

constexpr std::uint64_t kMaxJavaInt = 0x7FFFFFFF;
constexpr std::uint64_t kMaxSparkBits = 64 * kMaxJavaInt;  // as many words as Java can count
constexpr std::uint64_t kMaxUsefulV1 = std::uint64_t{1} << 31U;

// --- positions

void spark_start_v1(KeyWalk& walk, std::uint32_t /*seed*/) noexcept {
  const std::uint32_t first = spark_murmur3(walk.key, 0);
  walk.state = first;
  walk.step = spark_murmur3(walk.key, first);
}

std::uint64_t spark_next_v1(KeyWalk& walk) noexcept {
  const auto sum = static_cast<std::uint32_t>(walk.state) + static_cast<std::uint32_t>(walk.step);
  walk.state = sum;
  return (sum >> 31U != 0 ? ~sum : sum) % walk.bits;
}

std::uint64_t widened_hash(std::uint32_t hash) noexcept {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(hash)));
}

void spark_start_v2(KeyWalk& walk, std::uint32_t seed) noexcept {
  const std::uint32_t first = spark_murmur3(walk.key, seed);
  walk.state = widened_hash(first) * kMaxJavaInt;
  walk.step = widened_hash(spark_murmur3(walk.key, first));
}

std::uint64_t spark_next_v2(KeyWalk& walk) noexcept {
  walk.state += walk.step;
  return (walk.state >> 63U != 0 ? ~walk.state : walk.state) % walk.bits;
}

PositionRule spark_positions_v1(ForeignHash /*hash*/) noexcept {
  return {&spark_start_v1, &spark_next_v1};
}

PositionRule spark_positions_v2(ForeignHash /*hash*/) noexcept {
  return {&spark_start_v2, &spark_next_v2};
}

// --- sizes

// Java's Math.round: half goes up.
double java_round(double x) noexcept {
  return std::floor(x + 0.5);
}

Result<ForeignSize> spark_size_for(std::uint64_t keys, double fpr,
                                   std::optional<std::uint32_t> hashes) {
  constexpr double kLn2 = std::numbers::ln2;
  const auto n = static_cast<double>(keys);
  const auto k = static_cast<double>(hashes.value_or(1));
  const double bits = hashes ? std::ceil(-k * n / std::log1p(-std::pow(fpr, 1 / k)))
                             : std::trunc(-n * std::log(fpr) / (kLn2 * kLn2));
  if (!(bits >= 1)) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{} keys at fpr {}: Spark's formula gives no bits; use a lower fpr", keys,
                      fpr);
  }
  if (!(bits <= static_cast<double>(kMaxSparkBits))) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{} keys at fpr {}: needs more than {} bits, the most that Spark's "
                      "BloomFilter can hold; use more groups or a higher fpr",
                      keys, fpr, kMaxSparkBits);
  }
  // From the bits before they are rounded up to whole words, as Spark does.
  const double best = std::max(1.0, java_round(bits / n * kLn2));
  const std::uint64_t words = (static_cast<std::uint64_t>(bits) + 63) / 64;
  return ForeignSize{64 * words, hashes.value_or(static_cast<std::uint32_t>(best))};
}

// --- containers: version, k, in version 2 the seed, words, all big-endian; then the words

struct SparkHeader {
  std::uint32_t version;
  std::uint64_t bytes;
};
constexpr SparkHeader kSparkHeaderV1{1, 12};
constexpr SparkHeader kSparkHeaderV2{2, 16};

template <const SparkHeader& kHeader>
bool recognises_spark(std::span<const std::byte> start, std::uint64_t size) noexcept {
  if (start.size() < kHeader.bytes || load_be32(start.data()) != kHeader.version) return false;
  const std::uint32_t hashes = load_be32(start.data() + 4);
  const std::uint64_t words = load_be32(start.data() + kHeader.bytes - 4);
  return hashes >= 1 && hashes <= kMaxJavaInt && words >= 1 && words <= kMaxJavaInt &&
         size - kHeader.bytes == 8 * words;
}

Error damaged_spark(std::uint64_t at, std::string_view what) {
  return make_error(ErrorCode::kDamaged, "damaged at byte {}: {}", at, what);
}

template <const SparkHeader& kHeader>
Result<std::vector<ContainerEntry>> read_spark(std::span<const std::byte> file) {
  if (file.size() < kHeader.bytes) {
    return damaged_spark(file.size(),
                         fmt::format("ends inside its header of {} bytes", kHeader.bytes));
  }
  if (load_be32(file.data()) != kHeader.version) {
    return damaged_spark(
        0, fmt::format("version {} where {} is expected", load_be32(file.data()), kHeader.version));
  }
  ContainerEntry entry;
  entry.hash = ForeignHash::kSparkMurmur3;
  entry.hashes = load_be32(file.data() + 4);
  if (entry.hashes == 0 || entry.hashes > kMaxJavaInt) {
    return damaged_spark(4, "no number of hashes from 1 to 2^31 - 1");
  }
  if (kHeader.version == 2) entry.seed = load_be32(file.data() + 8);
  const std::uint64_t words = load_be32(file.data() + kHeader.bytes - 4);
  if (words == 0 || words > kMaxJavaInt) {
    return damaged_spark(kHeader.bytes - 4, "no number of words from 1 to 2^31 - 1");
  }
  entry.bits = 64 * words;
  entry.body = file.subspan(kHeader.bytes);
  if (entry.body.size() != 8 * words) {
    return damaged_spark(std::min<std::uint64_t>(file.size(), kHeader.bytes + 8 * words),
                         fmt::format("{} bytes of words where {} words take {}", entry.body.size(),
                                     words, 8 * words));
  }
  return std::vector<ContainerEntry>{std::move(entry)};
}

void swap_words(std::span<const std::byte> from, std::byte* to) noexcept {
  for (std::size_t at = 0; at < from.size(); at += 8) {
    store_le(to + at, __builtin_bswap64(load_le<std::uint64_t>(from.data() + at)));
  }
}

Result<void> decode_spark(const ContainerEntry& entry, std::span<std::byte> table) {
  swap_words(entry.body, table.data());
  return {};
}

template <const SparkHeader& kHeader>
Result<void> write_spark(const ContainerEntry& entry, std::span<const std::byte> table,
                         const ByteSink& sink) {
  std::array<std::byte, kHeader.bytes> header{};
  store_be32(header.data(), kHeader.version);
  store_be32(header.data() + 4, entry.hashes);
  if (kHeader.version == 2) store_be32(header.data() + 8, entry.seed);
  store_be32(header.data() + kHeader.bytes - 4, static_cast<std::uint32_t>(entry.bits / 64));
  if (auto done = sink(header); !done) return done;
  std::array<std::byte, 65536> piece;
  for (std::size_t at = 0; at < table.size(); at += piece.size()) {
    const auto part = table.subspan(at, std::min(piece.size(), table.size() - at));
    swap_words(part, piece.data());
    if (auto done = sink(std::span(piece).first(part.size())); !done) return done;
  }
  return {};
}

constexpr std::array kSparkHashes{ForeignHash::kSparkMurmur3};

}  // namespace

std::uint32_t spark_murmur3(std::string_view key, std::uint32_t seed) noexcept {
  std::uint32_t hash = seed;
  const char* const end = key.data() + key.size();
  const char* const words_end = end - key.size() % 4;
  for (const char* at = key.data(); at != words_end; at += 4) {
    hash = murmur3_x32_mix(hash, load_le<std::uint32_t>(at));
  }
  for (const char* at = words_end; at != end; ++at) {
    hash = murmur3_x32_mix(hash, sign_extended(*at));
  }
  return murmur3_x32_finish(hash, key.size());
}

const DialectRules kSparkRules{
    .id = Dialect::kSpark,
    .name = "spark",
    .system = "Spark's BloomFilter",
    .hashes = kSparkHashes,
    .max_bits = kMaxSparkBits,
    .max_useful_bits = kMaxSparkBits,
    .bits_unit = 64,
    .takes_seed = true,
    .positions = &spark_positions_v2,
    .size_for = &spark_size_for,
    .container = {.what = "a Spark BloomFilter, version 2",
                  .recognises = &recognises_spark<kSparkHeaderV2>,
                  .read = &read_spark<kSparkHeaderV2>,
                  .decode = &decode_spark,
                  .write = &write_spark<kSparkHeaderV2>},
};

const DialectRules kSparkV1Rules{
    .id = Dialect::kSparkV1,
    .name = "spark-v1",
    .system = "Spark's BloomFilter of version 1",
    .hashes = kSparkHashes,
    .max_bits = kMaxSparkBits,
    .max_useful_bits = kMaxUsefulV1,
    .bits_unit = 64,
    .positions = &spark_positions_v1,
    .size_for = &spark_size_for,
    .container = {.what = "a Spark BloomFilter, version 1",
                  .recognises = &recognises_spark<kSparkHeaderV1>,
                  .read = &read_spark<kSparkHeaderV1>,
                  .decode = &decode_spark,
                  .write = &write_spark<kSparkHeaderV1>},
};

}  // namespace bloomery
