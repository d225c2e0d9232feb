#include "cli/filter_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "bloomery/sizing.h"
#include "cli/secret_file.h"
#include "cli/values.h"
#include "dialect/rules.h"

namespace bloomery::cli {
namespace {

Result<std::vector<std::uint64_t>> parse_seeds(std::string_view text) {
  std::vector<std::uint64_t> seeds;
  while (true) {
    const std::size_t end = text.find(',');
    const auto seed = parse_count(text.substr(0, end));
    if (!seed) {
      return make_error(ErrorCode::kInvalidArgument, "must be numbers with commas, as in 1,2,3,4");
    }
    seeds.push_back(*seed);
    if (end == std::string_view::npos) return seeds;
    text.remove_prefix(end + 1);
  }
}

Result<std::uint64_t> parse_hashes(std::string_view text) {
  auto count = parse_count(text);
  if (count && *count >= 1 && *count <= kMaxHashes) return count;
  return make_error(ErrorCode::kInvalidArgument, "must be from 1 to {}", kMaxHashes);
}

// What was said, or what the dialect takes by itself.
HashId hash_id_of(const FilterOptions& options) {
  if (!options.hash.empty()) return hash_from_string(options.hash).value();
  const DialectRules* rules = rules_of(dialect_from_string(options.dialect).value());
  return rules == nullptr ? HashId::kXxh3 : HashId{static_cast<std::uint8_t>(rules->hashes[0])};
}

Result<Hasher> hasher_of(const FilterOptions& options) {
  const HashId id = hash_id_of(options);
  if (id != HashId::kSip) {
    if (!options.key_file.empty()) {
      return make_error(ErrorCode::kInvalidArgument,
                        "--key-file {}: only --hash sip has a secret key; add it or leave this out",
                        escaped(options.key_file));
    }
    const std::uint64_t seed = options.seed.value_or(0);
    auto hasher = Hasher::create(id, seed);
    if (hasher) return hasher;
    return make_error(hasher.error().code, "--seed {}: {}", seed, hasher.error().message);
  }
  if (options.seed) {
    return make_error(ErrorCode::kInvalidArgument,
                      "--seed {}: --hash sip has a secret key instead of a seed; leave it out",
                      *options.seed);
  }
  if (options.key_file.empty()) {
    return make_error(ErrorCode::kInvalidArgument,
                      "--hash sip: needs --key-file FILE; bloomery generate key -o FILE makes one");
  }
  const auto secret = read_secret(options.key_file);
  if (!secret) return secret.error();
  return Hasher::with_secret(*secret);
}

// Flags that the other system has no use for, before anything is read.
Result<void> check_dialect(const FilterOptions& options, const SizingRequest& request) {
  FilterSpec spec;
  spec.dialect = request.dialect;
  spec.kind = request.kind;
  spec.hasher = request.hasher;
  spec.seeds = request.seeds;
  spec.planned_keys = 1;
  spec.bits = 512;
  spec.hashes = request.kind == Kind::kBlocked
                    ? 8
                    : static_cast<std::uint32_t>(std::max<std::size_t>(1, request.seeds.size()));
  if (auto valid = validate(spec); !valid) {
    return make_error(valid.error().code, "--dialect {}: {}", options.dialect,
                      valid.error().message);
  }
  return {};
}

constexpr const char* kSection = "Filters";

// How large a filter is, and of which kind.
std::vector<Flag> shape_flags(FilterOptions& options) {
  return {
      {.names = "-p,--fpr",
       .value = "RATE",
       .help = "false-positive rate: 0.01, 1% or 1-in-100",
       .fallback = "1%",
       .section = kSection,
       .take = into_parsed(options.fpr, parse_rate),
       .is_basic = true},
      {.names = "--bytes",
       .value = "SIZE",
       .help = "room for one filter, instead of a rate: 64KiB",
       .section = kSection,
       .take = into_parsed(options.bytes, parse_size)},
      {.names = "--bits",
       .value = "M",
       .help = "the same in bits; a classic filter has exactly so many",
       .section = kSection,
       .take = into_parsed(options.bits, parse_count)},
      {.names = "--dialect",
       .value = "NAME",
       .help = "filters that this system can load: hadoop, spark, ...",
       .fallback = "bloomery",
       .section = kSection,
       .choices = dialect_names(),
       .take = into(options.dialect)},
      {.names = "--kind",
       .value = "KIND",
       .help = "blocked (fast), classic (smallest) or counting",
       .fallback = "blocked",
       .section = kSection,
       .choices = {"blocked", "classic", "counting"},
       .take = into(options.kind),
       .is_basic = true},
      {.names = "-k,--hashes",
       .value = "K",
       .help = "positions a key, instead of the best number",
       .section = kSection,
       .take = into_parsed(options.hashes, parse_hashes)},
  };
}

// How keys become positions.
std::vector<Flag> hash_flags(FilterOptions& options) {
  return {
      {.names = "--hash",
       .value = "HASH",
       .help = "xxh3, murmur3, or sip for keys that others choose; or a dialect's",
       .fallback = "xxh3",
       .section = kSection,
       .choices = {"xxh3", "murmur3", "sip", "hadoop-murmur", "hadoop-jenkins"},
       .take = into(options.hash)},
      {.names = "--seed",
       .value = "N",
       .help = "seed of the hash",
       .fallback = "0",
       .section = kSection,
       .take = into_parsed(options.seed, parse_count)},
      {.names = "--seeds",
       .value = "LIST",
       .help = "one hash a position, with these seeds (classic): 1,2,3",
       .section = kSection,
       .take = into_parsed(options.seeds, parse_seeds)},
      {.names = "--key-file",
       .value = "FILE",
       .help = "secret key of --hash sip; only its owner may read it",
       .section = kSection,
       .take = into(options.key_file),
       .complete = Complete::kFile},
  };
}

}  // namespace

std::vector<std::string> dialect_names() {
  std::vector<std::string> names;
  for (const Dialect dialect : all_dialects()) names.emplace_back(to_string(dialect));
  return names;
}

std::vector<std::string> foreign_dialect_names() {
  auto names = dialect_names();
  names.erase(names.begin());
  return names;
}

std::vector<Flag> filter_flags(FilterOptions& options) {
  std::vector<Flag> flags = shape_flags(options);
  for (Flag& flag : hash_flags(options)) flags.push_back(std::move(flag));
  return flags;
}

Result<std::optional<std::uint64_t>> room_of(Kind kind, const FilterOptions& options) {
  if (options.bits && options.bytes) {
    return make_error(ErrorCode::kInvalidArgument,
                      "--bits {}: --bytes says how large a filter is; leave one out",
                      *options.bits);
  }
  if (!options.bytes) return options.bits;
  const auto bits = bits_in_bytes(kind, *options.bytes);
  if (!bits) return bits.error();
  return std::optional(*bits);
}

std::string room_text(const FilterOptions& options) {
  return options.bits ? fmt::format("--bits {}", *options.bits)
                      : fmt::format("--bytes {}", *options.bytes);
}

Result<SizingRequest> sizing_request(const FilterOptions& options) {
  SizingRequest request;
  request.dialect = dialect_from_string(options.dialect).value();
  if (request.dialect != Dialect::kBloomery) request.kind = Kind::kClassic;
  if (!options.kind.empty()) request.kind = kind_from_string(options.kind).value();
  auto hasher = hasher_of(options);
  if (!hasher) return hasher.error();
  request.hasher = *hasher;
  request.fpr = options.fpr.value_or(kDefaultFpr);
  const auto room = room_of(request.kind, options);
  if (!room) return room.error();
  if (options.fpr && *room) {
    return make_error(ErrorCode::kInvalidArgument, "{}: the size gives the rate; leave --fpr out",
                      room_text(options));
  }
  request.bits = *room;
  if (options.hashes) request.hashes = static_cast<std::uint32_t>(*options.hashes);
  request.seeds = options.seeds;
  if (!options.seeds.empty() && options.hashes && *options.hashes != options.seeds.size()) {
    return make_error(ErrorCode::kInvalidArgument,
                      "--hashes {}: --seeds has {}, one for each hash; leave --hashes out",
                      *options.hashes, options.seeds.size());
  }
  if (!options.seeds.empty() && request.kind != Kind::kClassic) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "--seeds: only the classic kind takes one hash a position; add --kind classic");
  }
  if (auto fits = check_dialect(options, request); !fits) return fits.error();
  return request;
}

}  // namespace bloomery::cli
