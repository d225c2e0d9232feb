// A table shaped like IMDb's title.ratings.tsv, with exactly known groups.
//
//   takes   a factor and a seed
//   gives   records one after the other, in no memory, the same on every machine
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "bloomery/result.h"
#include "cli/generate/permutation.h"
#include "cli/output/table.h"

namespace bloomery::cli {

// Titles by rating, 1 to 10, rounded half up: the counts of the data set of the University of
// Pisa's report, 1,254,184 together.
inline constexpr std::array<std::uint64_t, 10> kRatingCounts{
    2'546, 6'623, 17'937, 43'912, 103'292, 220'871, 373'321, 355'416, 113'980, 16'286};

class Ratings {
 public:
  static constexpr std::size_t kMaxRecordBytes = 96;

  // `factor` scales every count, rounded half up; decimal text. Fails unless it gives 1 to 2^40
  // records.
  static Result<Ratings> create(std::string_view factor, std::uint64_t seed);

  [[nodiscard]] std::uint64_t records() const noexcept { return upto_.back(); }
  // Of ratings that round to `group`, from 1 to 10.
  [[nodiscard]] std::uint64_t records_of(std::size_t group) const noexcept {
    return upto_[group - 1] - (group > 1 ? upto_[group - 2] : 0);
  }

  // Writes record `i` at `to`, which has room for kMaxRecordBytes, and returns its end. kJson gives
  // a JSON object, kCsv commas, anything else tabs.
  [[nodiscard]] char* write(std::uint64_t i, Format format, char* to) const noexcept;
  // The first line, if the format has one.
  [[nodiscard]] static std::string_view header(Format format) noexcept;

 private:
  Ratings(const std::array<std::uint64_t, 10>& upto, std::uint64_t seed) noexcept
      : upto_(upto), order_(upto.back(), seed), seed_(mixed(seed)) {}

  std::array<std::uint64_t, 10> upto_;  // records of this group and those before it
  Permutation order_;
  std::uint64_t seed_;
};

}  // namespace bloomery::cli
