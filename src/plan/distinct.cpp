#include "plan/distinct.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/endian.h"

namespace bloomery {
namespace {

// Finalises a hash once more, so that the registers do not depend on bits that filters use too.
std::uint64_t mixed(std::uint64_t x) noexcept {
  x = (x ^ (x >> 33U)) * 0xFF51AFD7ED558CCDULL;
  x = (x ^ (x >> 33U)) * 0xC4CEB9FE1A85EC53ULL;
  return x ^ (x >> 33U);
}

}  // namespace

void DistinctCounter::insert(KeyHash hash) {
  const std::uint64_t x = mixed(static_cast<std::uint64_t>(hash));
  const auto index = static_cast<std::uint32_t>(x >> (64 - kIndexBits));
  // The bit put in at the end stops the count where the hash has no ones left.
  const std::uint64_t rest = (x * kRegisters) | (std::uint64_t{1} << (kIndexBits - 1));
  raise(index, static_cast<std::uint8_t>(std::countl_zero(rest) + 1));
}

void DistinctCounter::raise(std::uint32_t index, std::uint8_t rank) {
  if (!registers_.empty()) {
    registers_[index] = std::max(registers_[index], rank);
    return;
  }
  listed_.push_back(index * 64 + rank);
  if (listed_.size() >= 2 * kMaxListed) {
    compact();
    if (listed_.size() > kMaxListed) spread();
  }
}

// Leaves the highest rank of every index.
void DistinctCounter::compact() {
  std::sort(listed_.begin(), listed_.end(), std::greater<>());
  const auto end = std::unique(listed_.begin(), listed_.end(),
                               [](std::uint32_t a, std::uint32_t b) { return a / 64 == b / 64; });
  listed_.erase(end, listed_.end());
}

void DistinctCounter::spread() {
  registers_.resize(kRegisters);
  for (const std::uint32_t entry : listed_) {
    std::uint8_t& rank = registers_[entry / 64];
    rank = std::max(rank, static_cast<std::uint8_t>(entry % 64));
  }
  listed_ = {};
}

template <typename Visit>
void DistinctCounter::each_register(const Visit& visit) const {
  for (const std::uint32_t entry : listed_)
    visit(entry / 64, static_cast<std::uint8_t>(entry % 64));
  for (std::uint32_t i = 0; i < registers_.size(); ++i) {
    if (registers_[i] != 0) visit(i, registers_[i]);
  }
}

void DistinctCounter::merge(const DistinctCounter& other) {
  if (this == &other) return;
  other.each_register([&](std::uint32_t index, std::uint8_t rank) { raise(index, rank); });
}

// The registers, one byte each; or, while they are fewer, 4 bytes for each that is in use.
std::string DistinctCounter::to_bytes() const {
  std::string bytes(registers_.begin(), registers_.end());
  for (const std::uint32_t entry : listed_) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof entry);
    store_le(bytes.data() + at, entry);
  }
  // A list as long as the registers would be taken for them.
  if (!registers_.empty() || bytes.size() != kRegisters) return bytes;
  DistinctCounter whole = *this;
  whole.spread();
  return whole.to_bytes();
}

std::optional<DistinctCounter> DistinctCounter::from_bytes(std::string_view bytes) {
  DistinctCounter counter;
  if (bytes.size() == kRegisters) {
    counter.registers_.assign(bytes.begin(), bytes.end());
    const auto highest = std::ranges::max(counter.registers_);
    return highest <= kMaxRank ? std::optional(std::move(counter)) : std::nullopt;
  }
  if (bytes.size() % sizeof(std::uint32_t) != 0) return std::nullopt;
  for (; !bytes.empty(); bytes.remove_prefix(sizeof(std::uint32_t))) {
    const auto entry = load_le<std::uint32_t>(bytes.data());
    if (entry / 64 >= kRegisters || entry % 64 > kMaxRank) return std::nullopt;
    counter.raise(entry / 64, static_cast<std::uint8_t>(entry % 64));
  }
  return counter;
}

// Ertl's estimator (2017): no tables, no switch between ranges, right from one key up.
std::uint64_t DistinctCounter::estimate() const {
  DistinctCounter whole = *this;
  if (whole.registers_.empty()) whole.spread();
  constexpr unsigned kRanks = kMaxRank;
  std::vector<std::uint64_t> histogram(kRanks + 1);
  for (const std::uint8_t rank : whole.registers_) ++histogram[rank];
  constexpr auto kM = static_cast<double>(kRegisters);

  const auto tau = [](double x) {
    if (x == 0 || x == 1) return 0.0;
    double y = 1;
    double z = 1 - x;
    for (double last = -1; z != last;) {
      x = std::sqrt(x);
      last = z;
      y *= 0.5;
      z -= (1 - x) * (1 - x) * y;
    }
    return z / 3;
  };
  const auto sigma = [](double x) {
    double y = 1;
    double z = x;
    for (double last = -1; z != last;) {
      x *= x;
      last = z;
      z += x * y;
      y += y;
    }
    return z;
  };
  if (histogram[0] == kRegisters) return 0;
  double z = kM * tau(1 - static_cast<double>(histogram[kRanks]) / kM);
  for (unsigned rank = kRanks - 1; rank >= 1; --rank) {
    z = 0.5 * (z + static_cast<double>(histogram[rank]));
  }
  z += kM * sigma(static_cast<double>(histogram[0]) / kM);
  const double keys = kM * kM / (2 * std::log(2.0) * z);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(keys)));
}

bool operator==(const DistinctCounter& a, const DistinctCounter& b) {
  DistinctCounter x = a;
  DistinctCounter y = b;
  if (x.registers_.empty()) x.spread();
  if (y.registers_.empty()) y.spread();
  return x.registers_ == y.registers_;
}

}  // namespace bloomery
