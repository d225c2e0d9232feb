// The tables of `bloomery bench`. Each checks every answer while it takes the time, and throws
// std::runtime_error, naming who was wrong, for a false one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bloomery/result.h"
#include "cli/bench/bench_keys.h"
#include "cli/output/table.h"

namespace bloomery::cli {

struct BenchSettings {
  double fpr = 0.01;
  int rounds = 5;
  unsigned threads = 1;  // the most
};

// Filters of every kind against exact sets that hold the same keys: memory, and time a key.
[[nodiscard]] Table empty_sets_table();
void add_sets(Table& table, const BenchKeys& keys, const BenchSettings& settings);
// What the rows say in words: one line for each number of keys.
[[nodiscard]] std::vector<std::string> sets_in_words(const Table& table);

// The rate of a classic filter with 8 hashes against the formula, while its bits go from 1.5 to 7.6
// a key, as in the report of HUST. `published` puts its figures beside: for its 329 names.
[[nodiscard]] Table empty_errors_table();
Result<void> add_errors(Table& table, const BenchKeys& keys, bool published);

// Rounds of 329 questions, as in the same report.
[[nodiscard]] Table rounds_table(const BenchKeys& names, const BenchSettings& settings);

// Filling a filter and asking it on 1, 2, ... threads: speed-up and efficiency, as in the report of
// Florence. `bits`: the size of the filter, where it is not the one for settings.fpr.
[[nodiscard]] Table empty_threads_table();
Result<void> add_threads(Table& table, const BenchKeys& keys, std::uint64_t questions,
                         std::optional<std::uint64_t> bits, const BenchSettings& settings);

}  // namespace bloomery::cli
