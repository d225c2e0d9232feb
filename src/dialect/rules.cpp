#include "dialect/rules.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "dialect/hadoop.h"
#include "dialect/pisa.h"
#include "dialect/spark.h"

namespace bloomery {
namespace {

constexpr std::array kDialects{Dialect::kBloomery, Dialect::kHadoop,  Dialect::kPisaJava,
                               Dialect::kSpark,    Dialect::kSparkV1, Dialect::kPisaPython};

constexpr std::array<const DialectRules*, 5> kRules{&kHadoopRules, &kPisaJavaRules, &kSparkRules,
                                                    &kSparkV1Rules, &kPisaPythonRules};

}  // namespace

std::span<const DialectRules* const> all_rules() noexcept {
  return kRules;
}

std::span<const Dialect> all_dialects() noexcept {
  return kDialects;
}

const DialectRules* rules_of(Dialect dialect) noexcept {
  const auto* found = std::ranges::find(kRules, dialect, &DialectRules::id);
  return found == kRules.end() ? nullptr : *found;
}

std::string_view to_string(Dialect dialect) noexcept {
  if (dialect == Dialect::kBloomery) return "bloomery";
  const DialectRules* rules = rules_of(dialect);
  return rules == nullptr ? "unknown" : rules->name;
}

std::optional<Dialect> dialect_from_string(std::string_view name) noexcept {
  const auto* found =
      std::ranges::find_if(kDialects, [&](Dialect each) { return to_string(each) == name; });
  return found == kDialects.end() ? std::nullopt : std::optional(*found);
}

std::uint32_t hash_of(ForeignHash hash, std::string_view key, std::uint32_t seed) noexcept {
  switch (hash) {
    case ForeignHash::kHadoopMurmur:
      return hadoop_murmur(key, seed);
    case ForeignHash::kHadoopJenkins:
      return hadoop_jenkins(key, seed);
    case ForeignHash::kSparkMurmur3:
      return spark_murmur3(key, seed);
    case ForeignHash::kMurmur3x32:
      return murmur3_x32(key, seed);
  }
  return 0;
}

bool has_hash(const DialectRules& rules, ForeignHash hash) noexcept {
  return std::ranges::find(rules.hashes, hash) != rules.hashes.end();
}

Result<void> check_limits(const DialectRules& rules, std::uint64_t bits) {
  if (bits > rules.max_bits) {
    return make_error(ErrorCode::kInvalidArgument,
                      "bits: {} are more than the {} that {} can hold; use more groups or a higher "
                      "fpr",
                      bits, rules.max_bits, rules.system);
  }
  if (bits % rules.bits_unit != 0) {
    return make_error(ErrorCode::kInvalidArgument,
                      "bits: {} is not a multiple of {}, as those of {} are", bits, rules.bits_unit,
                      rules.system);
  }
  return {};
}

}  // namespace bloomery
