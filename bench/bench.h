// What every question of the benchmark is given.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "report.h"

namespace bloomery::bench {

struct Options {
  bool quick = false;
  int rounds = 5;
  std::string folder = ".";  // for bank files
};

class Bench {
 public:
  Bench(Options options, Report report)
      : options_(std::move(options)), report_(std::move(report)) {}

  [[nodiscard]] Report& report() noexcept { return report_; }
  [[nodiscard]] const std::string& folder() const noexcept { return options_.folder; }
  [[nodiscard]] bool quick() const noexcept { return options_.quick; }
  [[nodiscard]] int rounds() const noexcept { return options_.quick ? 1 : options_.rounds; }
  // The number of keys to use where the full run uses `full`: a quick run checks answers, not
  // speed.
  [[nodiscard]] std::uint64_t scaled(std::uint64_t full) const noexcept {
    return options_.quick ? std::min(full, 20'000 + full / 4'000) : full;
  }

 private:
  Options options_;
  Report report_;
};

// One file each. The order is the order of the report.
void ask_limits(Bench& bench);
void ask_lookup_1m(Bench& bench);
void ask_lookup_100m(Bench& bench);
void ask_lookup_strings(Bench& bench);
void ask_large(Bench& bench);
void ask_bulk(Bench& bench);
void ask_classic(Bench& bench);
void ask_space(Bench& bench);
void ask_sets(Bench& bench);
void ask_sip(Bench& bench);
void ask_bank(Bench& bench);

}  // namespace bloomery::bench
