// How often a filter errs, while its bits a key go up, against the formula.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

#include "bench/ours.h"
#include "bloomery/filter.h"
#include "bloomery/sizing.h"
#include "cli/bench/tables.h"

namespace bloomery::cli {
namespace {

// HUST's sweep: 329 names, 8 hashes, shares of ten runs on 58 other names.
struct Published {
  std::uint64_t bits;
  double measured;
  double predicted;
};
constexpr std::uint64_t kNames = 329;
constexpr std::uint32_t kHashes = 8;
constexpr std::array<Published, 5> kSweep{{{500, 0.9465, 0.9593},
                                           {1000, 0.5293, 0.5503},
                                           {1500, 0.2293, 0.2189},
                                           {2000, 0.0982, 0.0822},
                                           {2500, 0.0293, 0.0323}}};

// Rates of filters that differ in their seeds alone.
struct Rates {
  double mean = 0;
  double spread = 0;  // standard deviation from filter to filter
};

Result<Rates> measure(const FilterSpec& like, const BenchKeys& keys, unsigned filters) {
  double sum = 0;
  double squares = 0;
  for (unsigned seed = 0; seed < filters; ++seed) {
    FilterSpec spec = like;
    const auto hasher = Hasher::create(HashId::kXxh3, seed);
    if (!hasher) return hasher.error();
    spec.hasher = *hasher;
    auto filter = Filter::create(spec);
    if (!filter) return filter.error();
    filter->insert(keys.present.views());
    const auto absent = keys.absent.views();
    const double rate = static_cast<double>(bench::count_batched(*filter, absent)) /
                        static_cast<double>(absent.size());
    sum += rate;
    squares += rate * rate;
  }
  const double mean = sum / filters;
  return Rates{mean, std::sqrt(std::max(0.0, squares / filters - mean * mean))};
}

}  // namespace

Table empty_errors_table() {
  return {.name = "errors",
          .columns = {{"keys", "keys"},
                      {"bits", "bits"},
                      {"hashes", "hashes"},
                      {"filters", "filters"},
                      {"asked", "absent keys"},
                      {"rate", "measured"},
                      {"spread", "spread"},
                      {"predicted", "predicted"},
                      {"published_rate", "HUST measured"},
                      {"published_predicted", "HUST predicted"}}};
}

Result<void> add_errors(Table& table, const BenchKeys& keys, bool published) {
  const std::uint64_t count = keys.present.views().size();
  const unsigned filters = count < 100'000 ? 20 : 1;
  for (const Published& row : kSweep) {
    FilterSpec spec;
    spec.kind = Kind::kClassic;
    spec.planned_keys = count;
    spec.hashes = kHashes;
    spec.bits = row.bits * count / kNames;
    const double predicted = predicted_fpr(spec.kind, count, spec.bits, spec.hashes);
    spec.fpr = predicted;
    if (predicted >= 1) continue;  // of a handful of keys
    const auto rates = measure(spec, keys, filters);
    if (!rates) return rates.error();
    const auto theirs = [&](double rate) { return published ? Cell::rate(rate) : Cell{}; };
    table.rows.push_back({Cell::count(count), Cell::count(spec.bits), Cell::count(kHashes),
                          Cell::count(filters), Cell::count(keys.absent.views().size()),
                          Cell::rate(rates->mean),
                          filters > 1 ? Cell::rate(rates->spread) : Cell{.shown = "-"},
                          Cell::rate(predicted), theirs(row.measured), theirs(row.predicted)});
  }
  return {};
}

}  // namespace bloomery::cli
