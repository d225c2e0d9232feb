#include "bank/container.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "bank/identify.h"
#include "bank/record.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/file.h"
#include "base/mapped_file.h"
#include "base/rate_digits.h"
#include "bloomery/sizing.h"

namespace bloomery {
namespace {

constexpr std::string_view kCountsText = "estimated from the bits";

Error named(std::string_view name, const Error& error) {
  return {error.code, fmt::format("{}: {}", name, error.message)};
}

// The most keys for which k hashes are best in m bits: what it was planned for is not more.
std::uint64_t most_keys(std::uint64_t bits, std::uint32_t hashes) {
  const double keys = std::floor(static_cast<double>(bits) * std::numbers::ln2 / (hashes - 0.5));
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(keys));
}

Result<FilterSpec> spec_of(const DialectRules& rules, const ContainerEntry& entry) {
  FilterSpec spec;
  spec.dialect = rules.id;
  spec.kind = Kind::kClassic;
  auto hasher = Hasher::create(HashId{static_cast<std::uint8_t>(entry.hash)}, entry.seed);
  if (!hasher) return hasher.error();
  spec.hasher = *hasher;
  spec.bits = entry.bits;
  spec.hashes = entry.hashes;
  spec.planned_keys = most_keys(entry.bits, std::min(entry.hashes, kMaxHashes));
  spec.fpr = entry.fpr > 0 ? entry.fpr
                           : in_five_digits(predicted_fpr(spec.kind, spec.planned_keys, spec.bits,
                                                          std::min(spec.hashes, kMaxHashes)));
  if (const auto valid = validate(spec); !valid) {
    return Error{ErrorCode::kUnsupported, valid.error().message};
  }
  return spec;
}

// Whole, and never one that could not have set so many bits.
std::uint64_t estimated_count(const FilterSpec& spec, std::uint64_t ones) {
  if (ones == 0) return 0;
  const std::uint64_t most = std::min(ones, spec.bits - 1);
  const double estimate = most == 0 ? 1 : estimated_keys(spec, most);
  return std::max<std::uint64_t>((ones - 1) / spec.hashes + 1,
                                 static_cast<std::uint64_t>(std::llround(estimate)));
}

const DialectRules* recognised(std::span<const std::byte> start, std::uint64_t size) noexcept {
  for (const DialectRules* rules : all_rules()) {
    if (rules->container.recognises(start, size)) return rules;
  }
  return nullptr;
}

bool begins_a_bank(std::span<const std::byte> bytes) noexcept {
  return std::ranges::equal(bytes.first(std::min(bytes.size(), kMagic.size())), kMagic);
}

struct ReadFilter {
  std::string group;
  Filter filter;
  std::uint64_t count = 0;
};

Result<ReadFilter> read_filter(const DialectRules& rules, const ContainerEntry& entry,
                               const ContainerOptions& options) {
  auto spec = spec_of(rules, entry);
  if (!spec) return spec.error();
  auto filter = Filter::create(*std::move(spec));
  if (!filter) return filter.error();
  if (auto done = rules.container.decode(entry, filter->mutable_table()); !done) {
    return done.error();
  }
  const std::uint64_t count = estimated_count(filter->spec(), filter->ones());
  return ReadFilter{entry.group.empty() ? options.group : entry.group, *std::move(filter), count};
}

// Bodies lie in the file, but a line of few hexadecimal digits may stand for a large table.
constexpr std::uint64_t kMostOfNothing = std::uint64_t{1} << 30U;
constexpr std::uint64_t kMostTimesTheFile = 16;

Result<void> check_memory(std::span<const ContainerEntry> entries, std::uint64_t file_size,
                          std::uint64_t allowed) {
  std::uint64_t needed = 0;
  for (const ContainerEntry& entry : entries) needed += table_bytes(Kind::kClassic, entry.bits);
  if (needed > allowed) {
    return make_error(ErrorCode::kResource,
                      "takes {} bytes of memory, and {} are allowed; allow more", needed, allowed);
  }
  if (needed > kMostOfNothing && needed / kMostTimesTheFile > file_size) {
    return make_error(ErrorCode::kDamaged,
                      "claims {} bytes of bits in a file of {}; nobody has filled such filters",
                      needed, file_size);
  }
  return {};
}

Result<void> check_groups(std::span<const ReadFilter> filters) {
  std::map<std::string_view, std::size_t> seen;
  for (const ReadFilter& each : filters) {
    if (!seen.try_emplace(each.group, 0).second) {
      return make_error(ErrorCode::kDamaged, "group \"{}\" is there twice", escaped(each.group));
    }
  }
  return {};
}

Result<const DialectRules*> rules_to_write(std::span<const GroupFilter> filters) {
  const auto of_all = rules_of_all(filters);
  if (!of_all) return of_all.error();
  const DialectRules* rules = *of_all;
  if (filters.size() > 1 && !rules->container.holds_many) {
    return make_error(
        ErrorCode::kUnsupported,
        "{} holds one filter, and there are {} groups; name one with --only, or write "
        "a folder",
        rules->container.what, filters.size());
  }
  return rules;
}

Result<void> write_filters(std::span<const GroupFilter> filters, const ByteSink& sink) {
  const auto rules = rules_to_write(filters);
  if (!rules) return rules.error();
  for (const GroupFilter& each : filters) {
    const FilterSpec& spec = each.filter->spec();
    ContainerEntry entry;
    entry.group = std::string(each.group);
    entry.hash = ForeignHash{static_cast<std::uint8_t>(spec.hasher.id())};
    entry.seed = static_cast<std::uint32_t>(spec.hasher.seed());
    entry.bits = spec.bits;
    entry.hashes = spec.hashes;
    entry.fpr = spec.fpr;
    if (auto done = (*rules)->container.write(entry, each.filter->table(), sink); !done) {
      return Error{done.error().code,
                   fmt::format("group \"{}\": {}", escaped(each.group), done.error().message)};
    }
  }
  return {};
}

}  // namespace

Result<const DialectRules*> rules_of_all(std::span<const GroupFilter> filters) {
  if (filters.empty()) return make_error(ErrorCode::kInvalidArgument, "there is no group to write");
  const Dialect dialect = filters.front().filter->spec().dialect;
  for (const GroupFilter& each : filters) {
    const Dialect own = each.filter->spec().dialect;
    if (own == Dialect::kBloomery) {
      return make_error(
          ErrorCode::kMismatch,
          "group \"{}\": has bloomery's own hash and positions, which no other system "
          "can ask; build it with --dialect",
          escaped(each.group));
    }
    if (own != dialect) {
      return make_error(
          ErrorCode::kMismatch,
          "group \"{}\": has another dialect than the groups before it; export groups "
          "of one dialect at a time, with --only",
          escaped(each.group));
    }
  }
  return rules_of(dialect);
}

std::optional<Dialect> container_dialect(std::span<const std::byte> start,
                                         std::uint64_t size) noexcept {
  const DialectRules* rules = recognised(start, size);
  return rules == nullptr ? std::nullopt : std::optional(rules->id);
}

Result<Bank> read_container(std::span<const std::byte> bytes, std::string_view name,
                            const ContainerOptions& options) {
  const DialectRules* rules =
      options.dialect
          ? rules_of(*options.dialect)
          : recognised(bytes.first(std::min(bytes.size(), kIdentifyBytes)), bytes.size());
  if (rules == nullptr && begins_a_bank(bytes)) {
    return make_error(ErrorCode::kUnsupported,
                      "{}: is a bank already, not a filter of another system; ask it as it is, or "
                      "merge it",
                      name);
  }
  if (rules == nullptr) return not_a_bank(name, bytes, bytes.size());
  const auto entries = rules->container.read(bytes);
  if (!entries) return named(name, entries.error());
  if (auto fits = check_memory(*entries, bytes.size(), options.max_bytes); !fits) {
    return named(name, fits.error());
  }
  std::vector<ReadFilter> filters;
  for (const ContainerEntry& entry : *entries) {
    auto filter = read_filter(*rules, entry, options);
    if (!filter) return named(name, filter.error());
    filters.push_back(*std::move(filter));
  }
  if (auto distinct = check_groups(filters); !distinct) return named(name, distinct.error());
  std::vector<GroupFilter> groups;
  groups.reserve(filters.size());
  for (const ReadFilter& each : filters) groups.push_back({each.group, &each.filter, each.count});
  WriteOptions texts;
  texts.metadata[std::string(kEstimatedCounts)] = kCountsText;
  texts.threads = options.threads;
  return Bank::from_filters(groups, name, texts);
}

Result<OpenedBank> open_bank(const std::string& path, const OpenOptions& options, bool loads) {
  const auto mapped = MappedFile::open(path);
  if (!mapped) return mapped.error();
  const auto bytes = mapped->bytes();
  const auto container =
      container_dialect(bytes.first(std::min(bytes.size(), kIdentifyBytes)), bytes.size());
  if (!container) {
    auto bank = loads ? Bank::load(path, options) : Bank::open(path, options);
    if (!bank) return bank.error();
    return OpenedBank{*std::move(bank), std::nullopt};
  }
  auto bank = read_container(bytes, printable_path(path),
                             {.dialect = container,
                              .group = "all",
                              .max_bytes = options.max_bytes,
                              .threads = options.threads});
  if (!bank) return bank.error();
  return OpenedBank{*std::move(bank), container};
}

Result<void> write_container(const std::string& path, std::span<const GroupFilter> filters,
                             bool overwrite) {
  auto file = AtomicFile::create(path, overwrite);
  if (!file) return file.error();
  std::uint64_t offset = 0;
  const auto written = write_filters(filters, [&](std::span<const std::byte> bytes) {
    const std::uint64_t at = offset;
    offset += bytes.size();
    return file->write(at, bytes);
  });
  if (!written) return named(printable_path(path), written.error());
  return file->commit();
}

Result<std::vector<std::byte>> container_bytes(std::span<const GroupFilter> filters) {
  std::vector<std::byte> bytes;
  const auto written = write_filters(filters, [&](std::span<const std::byte> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return Result<void>();
  });
  if (!written) return written.error();
  return bytes;
}

}  // namespace bloomery
