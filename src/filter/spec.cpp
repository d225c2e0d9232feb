#include "bloomery/spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/name_table.h"
#include "dialect/rules.h"

namespace bloomery {
namespace {

constexpr NameTable<Kind, 3> kKindNames{
    {{{Kind::kClassic, "classic"}, {Kind::kBlocked, "blocked"}, {Kind::kCounting, "counting"}}}};

Error bad(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message)};
}

Result<void> validate_seeds(const FilterSpec& spec) {
  if (spec.kind != Kind::kClassic) {
    return bad(fmt::format("seeds: a {} filter takes no list of seeds; use the classic kind",
                           to_string(spec.kind)));
  }
  if (spec.seeds.size() != spec.hashes) {
    return bad(fmt::format("seeds: {} seeds for {} hashes; give one seed for each hash",
                           spec.seeds.size(), spec.hashes));
  }
  if (spec.hasher.seed() != 0) {
    return bad(
        fmt::format("seed: {} beside a list of seeds; give one or the other", spec.hasher.seed()));
  }
  std::vector<std::uint64_t> sorted = spec.seeds;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    return bad(
        fmt::format("seeds: {} is given twice; equal seeds give equal positions, so give each "
                    "hash a seed of its own",
                    *twice));
  }
  for (const std::uint64_t seed : spec.seeds) {
    if (const auto hasher = Hasher::create(spec.hasher.id(), seed); !hasher) return hasher.error();
  }
  return {};
}

// What another system's dialect allows; for our own, that the hash is ours.
Result<void> validate_dialect(const FilterSpec& spec) {
  const DialectRules* rules = rules_of(spec.dialect);
  const auto hash = ForeignHash{static_cast<std::uint8_t>(spec.hasher.id())};
  if (rules == nullptr) {
    for (const DialectRules* each : all_rules()) {
      if (has_hash(*each, hash)) {
        return bad(fmt::format("hash: {} belongs to the dialect {}", to_string(spec.hasher.id()),
                               each->name));
      }
    }
    return {};
  }
  if (spec.kind != Kind::kClassic) {
    return bad(fmt::format("kind: {} has classic filters only, not {}", rules->system,
                           to_string(spec.kind)));
  }
  if (!has_hash(*rules, hash)) {
    return bad(fmt::format("hash: {} does not know {}; leave it out", rules->system,
                           to_string(spec.hasher.id())));
  }
  if (!spec.seeds.empty()) {
    return bad(fmt::format("seeds: {} has no list of seeds; leave it out", rules->system));
  }
  if (spec.hasher.seed() != 0 && !rules->takes_seed) {
    return bad(fmt::format("seed: {} has none, but {} was given; leave it out", rules->system,
                           spec.hasher.seed()));
  }
  return check_limits(*rules, spec.bits);
}

Result<void> validate_blocked(const FilterSpec& spec) {
  if (spec.hashes != 8 && spec.hashes != 16) {
    return bad(
        fmt::format("hashes: a blocked filter has 8 or 16, not {}; use the classic kind for "
                    "any number from 1 to {}",
                    spec.hashes, kMaxHashes));
  }
  if (spec.bits % kBlockBits != 0) {
    return bad(fmt::format("bits: {} is not a multiple of {}, the size of a block", spec.bits,
                           kBlockBits));
  }
  return {};
}

}  // namespace

std::string_view to_string(Kind kind) noexcept {
  return kKindNames.name(kind);
}

std::optional<Kind> kind_from_string(std::string_view name) noexcept {
  return kKindNames.value(name);
}

std::uint64_t table_bytes(Kind kind, std::uint64_t bits) noexcept {
  const std::uint64_t cells_per_word = kind == Kind::kCounting ? 16 : 64;
  return (bits / cells_per_word + (bits % cells_per_word != 0 ? 1 : 0)) * 8;
}

Result<void> validate(const FilterSpec& spec) {
  if (to_string(spec.dialect) == "unknown") {
    return bad(fmt::format("dialect: number {} is not known to this version",
                           static_cast<unsigned>(spec.dialect)));
  }
  if (to_string(spec.kind) == "unknown") {
    return bad(fmt::format("kind: number {} is not known to this version",
                           static_cast<unsigned>(spec.kind)));
  }
  // Not subnormal either: such a rate comes from damage, and arithmetic with it loses its digits.
  if (!std::isnormal(spec.fpr) || spec.fpr <= 0 || spec.fpr >= 1) {
    return bad(fmt::format("fpr: {} must be above 0 and below 1", spec.fpr));
  }
  if (spec.planned_keys == 0) return bad("keys: 0; a filter is planned for at least 1 key");
  if (spec.bits == 0 || spec.bits > kMaxBits) {
    return bad(fmt::format("bits: {} must be from 1 to 2^46", spec.bits));
  }
  if (spec.hashes == 0 || spec.hashes > kMaxHashes) {
    return bad(fmt::format("hashes: {} must be from 1 to {}", spec.hashes, kMaxHashes));
  }
  if (auto dialect = validate_dialect(spec); !dialect) return dialect;
  if (spec.kind == Kind::kBlocked) {
    if (auto blocked = validate_blocked(spec); !blocked) return blocked;
  }
  return spec.seeds.empty() ? Result<void>() : validate_seeds(spec);
}

std::string describe_difference(const FilterSpec& a, const FilterSpec& b) {
  const auto differ = [](std::string_view field, const auto& x, const auto& y) {
    return fmt::format("{} differ ({} and {})", field, x, y);
  };
  if (a.dialect != b.dialect) return differ("dialects", to_string(a.dialect), to_string(b.dialect));
  if (a.kind != b.kind) return differ("kinds", to_string(a.kind), to_string(b.kind));
  if (a.hasher.id() != b.hasher.id()) {
    return differ("hashes", to_string(a.hasher.id()), to_string(b.hasher.id()));
  }
  if (a.hasher.seed() != b.hasher.seed()) {
    return differ("hash seeds", a.hasher.seed(), b.hasher.seed());
  }
  if (a.hasher != b.hasher) return "secret keys differ";
  if (a.bits != b.bits) return differ("bits", a.bits, b.bits);
  if (a.hashes != b.hashes) return differ("hashes a key", a.hashes, b.hashes);
  if (a.planned_keys != b.planned_keys) {
    return differ("planned keys", a.planned_keys, b.planned_keys);
  }
  if (a.fpr != b.fpr) return differ("planned rates", a.fpr, b.fpr);
  return a.seeds != b.seeds ? "lists of seeds differ" : "";
}

}  // namespace bloomery
