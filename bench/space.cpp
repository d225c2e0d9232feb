// How many bits does a key cost, and is the rate what was asked for?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "bench.h"
#include "keys.h"
#include "ours.h"

namespace bloomery::bench {
namespace {

double bits_per_key(Kind kind, std::uint64_t keys, double fpr) {
  return static_cast<double>(unwrap(size_for(kind, keys, fpr)).bits) / static_cast<double>(keys);
}

void ask_bits(Bench& bench, std::uint64_t keys, double fpr, std::optional<Target> target) {
  const double blocked = bits_per_key(Kind::kBlocked, keys, fpr);
  bench.report().add(Row{.question = {},
                         .name = fmt::format("{} keys at {:g}: blocked", keys, fpr),
                         .value = blocked,
                         .unit = "bits/key",
                         .ratio = blocked / bits_per_key(Kind::kClassic, keys, fpr),
                         .against = "classic",
                         .target = target});
}

// Several filters, each with a seed of its own, asked absent keys until the count of false
// positives is large enough to tell 2 % from chance.
void ask_rate(Bench& bench, Kind kind, std::uint64_t keys, double fpr) {
  constexpr std::uint64_t kFilters = 5;
  const auto questions =
      bench.quick() ? std::uint64_t{20'000} : static_cast<std::uint64_t>(40'000 / fpr / kFilters);
  const auto absent = number_questions(1, questions, Mix::kAbsent);
  std::uint64_t found = 0;
  for (std::uint64_t seed = 0; seed < kFilters; ++seed) {
    Filter filter = make_filter(kind, keys, fpr, unwrap(Hasher::create(HashId::kXxh3, seed)));
    insert_numbers(filter, 0, keys, 2);
    found += count_batched(filter, absent.view());
  }
  const double asked = static_cast<double>(questions * kFilters);
  const double rate = static_cast<double>(found) / asked;
  const double interval = 1.96 * std::sqrt(static_cast<double>(found)) / asked / fpr;
  bench.report().add(Row{.question = {},
                         .name = fmt::format("{} keys at {:g}: rate, {} (± {:.1f} %)", keys, fpr,
                                             to_string(kind), interval * 100),
                         .value = rate * 100,
                         .unit = "%",
                         .ratio = 1 + std::abs(rate / fpr - 1),
                         .against = "rate asked for",
                         .target = Target{"rates within 2 % of the target", 1.02}});
}

}  // namespace

void ask_space(Bench& bench) {
  bench.report().begin("space", "bits a key, and measured rates over five seeds");
  for (const std::uint64_t keys : {100'000U, 10'000'000U}) {
    const std::uint64_t n = bench.scaled(keys);
    ask_bits(bench, n, 0.05, {});
    ask_bits(bench, n, 0.01, Target{"bits a key at 1 %", 1.06});
    ask_bits(bench, n, 0.001, Target{"bits a key at 0.1 %", 1.11});
    for (const double fpr : {0.05, 0.01, 0.001}) {
      ask_rate(bench, Kind::kBlocked, n, fpr);
      ask_rate(bench, Kind::kClassic, n, fpr);
    }
  }
}

}  // namespace bloomery::bench
