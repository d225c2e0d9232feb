// Whether a filter lost to an exact set anywhere, and where: every number of a filter against the
// same number of every set.
//
//   takes   the tables of bench that have sets in them
//   gives   rows of what was lost, a count of comparisons, and both in words
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/output/table.h"

namespace bloomery::cli {

class Verdict {
 public:
  Verdict();

  // Memory, filling and every kind of question; asked in batches, a filter stands against a set
  // asked one by one, which is the only way there is to ask it.
  void add_sets(const Table& sets);
  void add_rounds(const Table& rounds);

  // One row for each comparison that a filter lost.
  [[nodiscard]] const Table& losses() const noexcept { return losses_; }
  // By table and filter: how many comparisons, and how many of them lost.
  [[nodiscard]] Json to_json() const;
  // One line for each table.
  [[nodiscard]] std::vector<std::string> in_words() const;

 private:
  struct Score {
    std::string table;
    std::string filter;
    std::uint64_t comparisons = 0;
    std::uint64_t lost = 0;
    double worst = 1;        // times what the set takes
    std::string worst_what;  // "absent, 10,000 keys, against boost::unordered_flat_set"
  };

  void compare(const std::string& table, const std::string& filter, const std::string& set,
               const Cell& at, const std::string& at_noun, const std::string& what,
               const Cell& ours, const Cell& theirs);
  Score& score_of(const std::string& table, const std::string& filter);

  std::vector<Score> scores_;
  Table losses_;
};

}  // namespace bloomery::cli
