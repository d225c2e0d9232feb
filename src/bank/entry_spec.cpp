#include "bank/entry_spec.h"

#include "base/endian.h"
#include "base/error.h"

namespace bloomery {
namespace {

EntryFault damage(EntryField field, std::string what) {
  return {field, ErrorCode::kDamaged, std::move(what)};
}

// Numbers start at 1, so 0 is none of a newer bloomery either.
EntryFault from_newer(EntryField field, std::string_view what, unsigned number) {
  if (number == 0) return damage(field, fmt::format("{} 0", what));
  return {field, ErrorCode::kUnsupported, fmt::format("{} {}", what, number)};
}

std::optional<EntryFault> unknown_number(const EntryRecord& record) {
  if (to_string(Dialect{record.dialect}) == "unknown") {
    return from_newer(EntryField::kDialect, "dialect", record.dialect);
  }
  if (record.kind < static_cast<std::uint8_t>(Kind::kClassic) ||
      record.kind > static_cast<std::uint8_t>(Kind::kCounting)) {
    return from_newer(EntryField::kKind, "kind", record.kind);
  }
  if (record.hash < static_cast<std::uint8_t>(HashId::kXxh3) ||
      record.hash > static_cast<std::uint8_t>(HashId::kMurmur3x32)) {
    return from_newer(EntryField::kHash, "hash", record.hash);
  }
  return std::nullopt;
}

}  // namespace

EntryRecord record_of(const FilterSpec& spec, std::uint64_t count) noexcept {
  EntryRecord record;
  record.dialect = static_cast<std::uint16_t>(spec.dialect);
  record.kind = static_cast<std::uint8_t>(spec.kind);
  record.hash = static_cast<std::uint8_t>(spec.hasher.id());
  record.k = spec.hashes;
  record.seed = spec.hasher.seed();
  record.self_check = spec.hasher.self_check();
  record.fpr = spec.fpr;
  record.planned_keys = spec.planned_keys;
  record.m = spec.bits;
  record.count = count;
  record.table_size = table_bytes(spec.kind, spec.bits);
  record.extra_size = spec.seeds.size() * sizeof(std::uint64_t);
  return record;
}

std::optional<EntryFault> SpecReader::read(const EntryRecord& record,
                                           std::span<const std::byte> extra, FilterSpec& spec) {
  if (auto fault = unknown_number(record)) return fault;
  if (auto fault = read_hasher(record)) return fault;
  spec.dialect = Dialect{record.dialect};
  spec.kind = Kind{record.kind};
  spec.hasher = *hasher_;
  spec.fpr = record.fpr;
  spec.planned_keys = record.planned_keys;
  spec.bits = record.m;
  spec.hashes = record.k;
  // Before there is memory for them: an extra may be as large as the file.
  if (!extra.empty() && extra.size() != spec.hashes * sizeof(std::uint64_t)) {
    return damage(EntryField::kExtraSize,
                  fmt::format("an extra of {} bytes, and not one seed for each of {} hashes",
                              extra.size(), spec.hashes));
  }
  // More hashes than there may be validate() refuses.
  spec.seeds.resize(spec.hashes <= kMaxHashes ? extra.size() / sizeof(std::uint64_t) : 0);
  for (std::size_t i = 0; i < spec.seeds.size(); ++i) {
    spec.seeds[i] = load_le<std::uint64_t>(extra.data() + i * sizeof(std::uint64_t));
  }
  if (auto valid = validate(spec); !valid) {
    return damage(EntryField::kK, std::move(valid).error().message);
  }
  return std::nullopt;
}

std::optional<EntryFault> SpecReader::read_hasher(const EntryRecord& record) {
  const auto id = HashId{record.hash};
  if (hasher_ && hasher_->id() == id && hasher_->seed() == record.seed &&
      hasher_->self_check() == record.self_check) {
    return std::nullopt;
  }
  if (id == HashId::kSip) return read_sip(record);
  auto made = Hasher::create(id, record.seed);
  if (!made) return damage(EntryField::kHash, std::move(made).error().message);
  if (made->self_check() != record.self_check) {
    return damage(EntryField::kSelfCheck,
                  fmt::format("self-check {:#018x}, but {} with seed {} gives {:#018x}",
                              record.self_check, to_string(id), record.seed, made->self_check()));
  }
  hasher_ = *made;
  return std::nullopt;
}

std::optional<EntryFault> SpecReader::read_sip(const EntryRecord& record) {
  if (record.seed != 0) return damage(EntryField::kHash, "a seed, which sip does not have");
  if (options_.secret) {
    hasher_ = Hasher::with_secret(*options_.secret);
    if (hasher_->self_check() == record.self_check) return std::nullopt;
  }
  if (options_.allow_locked) {
    hasher_ = Hasher::locked(record.self_check);
    return std::nullopt;
  }
  hasher_.reset();
  return EntryFault{EntryField::kSelfCheck, ErrorCode::kMismatch,
                    options_.secret
                        ? "was built with another secret; give the one it was built with"
                        : "was built with a secret; give it to ask this bank"};
}

std::string count_fault(const FilterSpec& spec, std::uint64_t count, std::uint64_t ones) {
  if (ones > spec.bits) return fmt::format("{} ones in a table of {}", ones, spec.bits);
  if (spec.kind == Kind::kCounting) return {};
  if (count == 0 && ones != 0) return fmt::format("no keys, but {} bits that are one", ones);
  if (count != 0 && ones == 0) return fmt::format("{} keys, but no bit that is one", count);
  // ones > k * count, without a product that could wrap.
  if (ones != 0 && (ones - 1) / spec.hashes >= count) {
    return fmt::format("{} bits that are one, more than {} keys with {} bits each can set", ones,
                       count, spec.hashes);
  }
  return {};
}

}  // namespace bloomery
