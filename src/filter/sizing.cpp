#include "bloomery/sizing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "filter/blocked_rate.h"

namespace bloomery {
namespace {

constexpr double kLn2 = std::numbers::ln2;

Result<void> check_kind(Kind kind) {
  if (to_string(kind) != "unknown") return {};
  return make_error(ErrorCode::kInvalidArgument, "kind: number {} is not known to this version",
                    static_cast<unsigned>(kind));
}

Result<void> check_fpr(double fpr) {
  if (std::isnormal(fpr) && fpr > 0 && fpr < 1) return {};
  return make_error(ErrorCode::kInvalidArgument, "fpr {}: must be above 0 and below 1", fpr);
}

Result<void> check_keys(std::uint64_t keys) {
  if (keys > 0) return {};
  return make_error(ErrorCode::kInvalidArgument, "keys 0: a filter is sized for at least 1 key");
}

Result<void> check_bits(std::uint64_t bits) {
  if (bits > 0 && bits <= kMaxBits) return {};
  return make_error(ErrorCode::kInvalidArgument, "{} bits: must be from 1 to 2^46", bits);
}

Result<void> check_hashes(Kind kind, std::optional<std::uint32_t> hashes) {
  if (!hashes) return {};
  if (*hashes == 0 || *hashes > kMaxHashes) {
    return make_error(ErrorCode::kInvalidArgument, "hashes {}: must be from 1 to {}", *hashes,
                      kMaxHashes);
  }
  if (kind == Kind::kBlocked && *hashes != 8 && *hashes != 16) {
    return make_error(ErrorCode::kInvalidArgument,
                      "hashes {}: a blocked filter has 8 or 16; use the classic kind for any "
                      "number from 1 to {}",
                      *hashes, kMaxHashes);
  }
  return {};
}

Error too_large(std::uint64_t keys, double fpr) {
  return make_error(ErrorCode::kInvalidArgument,
                    "{} keys at fpr {}: needs more than 2^46 bits, the largest filter; use more "
                    "groups or a higher fpr",
                    keys, fpr);
}

// How many absent keys have the hash of one of the filter's, which admits them whatever its size.
double equal_hashes(std::uint64_t keys) {
  return std::ldexp(static_cast<double>(keys), -64);
}

bool is_reachable(std::uint64_t keys, double fpr) {
  return equal_hashes(keys) <= fpr / 10;
}

Result<void> check_reachable(std::uint64_t keys, double fpr) {
  if (is_reachable(keys, fpr)) return {};
  return make_error(ErrorCode::kInvalidArgument,
                    "{} keys at fpr {}: hashes of 64 bits cannot give it, because {:.1e} of all "
                    "absent keys have the hash of one of so many; use more groups or a higher fpr",
                    keys, fpr, equal_hashes(keys));
}

std::uint32_t best_hashes(std::uint64_t keys, std::uint64_t bits) {
  const double exact = static_cast<double>(bits) / static_cast<double>(keys) * kLn2;
  return static_cast<std::uint32_t>(std::clamp(std::round(exact), 1.0, double{kMaxHashes}));
}

// Bits as a real number, before rounding up; may be beyond any integer. Where the best k is none
// that a filter can have, the nearest one is taken as given: with the other formula it would miss
// the rate.
double classic_bits(double keys, double fpr, std::optional<std::uint32_t> hashes) {
  const double best = std::round(-std::log2(fpr));
  const bool is_possible = best >= 1 && best <= double{kMaxHashes};
  if (!hashes && is_possible) return std::ceil(-keys * std::log(fpr) / (kLn2 * kLn2));
  const double k =
      hashes ? static_cast<double>(*hashes) : std::clamp(best, 1.0, double{kMaxHashes});
  return std::ceil(-k * keys / std::log1p(-std::pow(fpr, 1 / k)));
}

double blocked_bits(double keys, double fpr, std::uint32_t hashes) {
  return std::ceil(keys / blocked_keys_per_block(fpr, hashes)) * double{kBlockBits};
}

// 16 positions only where they save more than a tenth of the bits: they cost time.
std::uint32_t blocked_hashes(double fpr) {
  return blocked_keys_per_block(fpr, 8) < 0.9 * blocked_keys_per_block(fpr, 16) ? 16 : 8;
}

// The size as a real number, and the k that goes with it.
double real_bits(Kind kind, std::uint64_t keys, double fpr, std::optional<std::uint32_t> hashes) {
  const auto n = static_cast<double>(keys);
  if (kind != Kind::kBlocked) return classic_bits(n, fpr, hashes);
  return blocked_bits(n, fpr, hashes.value_or(blocked_hashes(fpr)));
}

double reachable_fpr(Kind kind, std::uint64_t keys, std::uint64_t bits, std::uint32_t hashes) {
  return std::max(predicted_fpr(kind, keys, bits, hashes), equal_hashes(keys));
}

}  // namespace

double predicted_fpr(Kind kind, std::uint64_t keys, std::uint64_t bits, std::uint32_t hashes) {
  const auto n = static_cast<double>(keys);
  const auto m = static_cast<double>(bits);
  if (kind == Kind::kBlocked) return blocked_fpr(n * double{kBlockBits} / m, hashes);
  const double k = hashes;
  return std::pow(-std::expm1(-k * n / m), k);
}

Result<FilterSize> size_for(Kind kind, std::uint64_t keys, double fpr,
                            std::optional<std::uint32_t> hashes) {
  if (auto ok = check_kind(kind); !ok) return ok.error();
  if (auto ok = check_keys(keys); !ok) return ok.error();
  if (auto ok = check_fpr(fpr); !ok) return ok.error();
  if (auto ok = check_hashes(kind, hashes); !ok) return ok.error();
  if (auto ok = check_reachable(keys, fpr); !ok) return ok.error();
  const double exact = real_bits(kind, keys, fpr, hashes);
  if (!(exact <= static_cast<double>(kMaxBits))) return too_large(keys, fpr);
  FilterSize size;
  size.bits = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(exact));
  if (hashes) {
    size.hashes = *hashes;
  } else {
    size.hashes = kind == Kind::kBlocked ? blocked_hashes(fpr) : best_hashes(keys, size.bits);
  }
  size.fpr = predicted_fpr(kind, keys, size.bits, size.hashes);
  return size;
}

Result<FilterSize> size_within(Kind kind, std::uint64_t keys, std::uint64_t bits,
                               std::optional<std::uint32_t> hashes) {
  if (auto ok = check_kind(kind); !ok) return ok.error();
  if (auto ok = check_keys(keys); !ok) return ok.error();
  if (auto ok = check_bits(bits); !ok) return ok.error();
  if (auto ok = check_hashes(kind, hashes); !ok) return ok.error();
  if (kind != Kind::kBlocked) {
    const std::uint32_t k = hashes.value_or(best_hashes(keys, bits));
    return FilterSize{bits, k, reachable_fpr(kind, keys, bits, k)};
  }
  if (bits < kBlockBits) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{} bits: a blocked filter has at least {}; use the classic kind", bits,
                      kBlockBits);
  }
  const std::uint64_t whole = bits / kBlockBits * kBlockBits;
  // 16 if size_for() would take them for the rate they give.
  const double with_16 = predicted_fpr(kind, keys, whole, 16);
  if (!hashes) hashes = blocked_hashes(std::clamp(with_16, 1e-300, 0.999));
  return FilterSize{whole, *hashes, reachable_fpr(kind, keys, whole, *hashes)};
}

Result<std::uint64_t> keys_within(Kind kind, std::uint64_t bits, double fpr,
                                  std::optional<std::uint32_t> hashes) {
  if (auto ok = check_kind(kind); !ok) return ok.error();
  if (auto ok = check_bits(bits); !ok) return ok.error();
  if (auto ok = check_fpr(fpr); !ok) return ok.error();
  if (auto ok = check_hashes(kind, hashes); !ok) return ok.error();
  if (auto ok = check_reachable(1, fpr); !ok) return ok.error();
  const auto fits = [&](std::uint64_t keys) {
    return is_reachable(keys, fpr) &&
           real_bits(kind, keys, fpr, hashes) <= static_cast<double>(bits);
  };
  if (!fits(1)) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{} bits at fpr {}: not even one key fits; use more bits or a higher fpr",
                      bits, fpr);
  }
  // By search and not by the inverted formula, so that it agrees with size_for() to the last key.
  std::uint64_t low = 1;
  std::uint64_t high = 2;
  while (high <= std::numeric_limits<std::uint64_t>::max() / 2 && fits(high)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

Result<std::uint64_t> bits_in_bytes(Kind kind, std::uint64_t bytes) {
  if (auto ok = check_kind(kind); !ok) return ok.error();
  const std::uint64_t unit = kind == Kind::kBlocked ? kBlockBytes : 8;
  const std::uint64_t cells_per_unit = kind == Kind::kCounting ? 16 : unit * 8;
  const std::uint64_t units = bytes / unit;
  if (units == 0) {
    return make_error(ErrorCode::kInvalidArgument, "{} bytes: a {} filter takes at least {}", bytes,
                      to_string(kind), unit);
  }
  if (const std::uint64_t most = kMaxBits / cells_per_unit; units > most) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{} bytes: a {} filter takes at most {}; use less, or several filters", bytes,
                      to_string(kind), most * unit);
  }
  return units * cells_per_unit;
}

Result<FilterSpec> plan_filter(Kind kind, std::uint64_t keys, double fpr, const Hasher& hasher,
                               std::optional<std::uint32_t> hashes) {
  const auto size = size_for(kind, keys, fpr, hashes);
  if (!size) return size.error();
  FilterSpec spec;
  spec.kind = kind;
  spec.hasher = hasher;
  spec.fpr = fpr;
  spec.planned_keys = keys;
  spec.bits = size->bits;
  spec.hashes = size->hashes;
  return spec;
}

}  // namespace bloomery
