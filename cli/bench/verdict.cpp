#include "cli/bench/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/output/numbers.h"

namespace bloomery::cli {
namespace {

bool is_set(const std::string& structure) {
  return structure.find("::") != std::string::npos;
}

std::size_t column_of(const Table& table, std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(table.columns, name, &Column::name) -
                                  table.columns.begin());
}

// A column of a filter, and the one of a set that it stands against.
struct Pair {
  const char* ours;
  const char* theirs;
  const char* what;
};
constexpr std::array kSetPairs{Pair{"bits_per_key", "bits_per_key", "bits a key"},
                               Pair{"insert_ns", "insert_ns", "insert"},
                               Pair{"absent_ns", "absent_ns", "absent"},
                               Pair{"present_ns", "present_ns", "present"},
                               Pair{"mixed_ns", "mixed_ns", "mixed"},
                               Pair{"absent_batched_ns", "absent_ns", "absent in batches"},
                               Pair{"present_batched_ns", "present_ns", "present in batches"},
                               Pair{"mixed_batched_ns", "mixed_ns", "mixed in batches"}};

struct Named {
  const char* column;
  const char* name;
  const char* what = "";
};
constexpr std::array kRoundFilters{Named{"blocked_ms", "blocked", "ms in batches"},
                                   Named{"classic_ms", "classic", "ms in batches"},
                                   Named{"blocked_singly_ms", "blocked", "ms one by one"},
                                   Named{"classic_singly_ms", "classic", "ms one by one"}};
constexpr std::array kRoundSets{Named{"std_set_ms", "std::unordered_set"},
                                Named{"flat_set_ms", "boost::unordered_flat_set"}};

}  // namespace

Verdict::Verdict()
    : losses_{.name = "losses",
              .columns = {{"table", "lost in", true},
                          {"filter", "filter", true},
                          {"against", "against", true},
                          {"at", "keys or rounds"},
                          {"what", "what", true},
                          {"ours", "filter's"},
                          {"theirs", "set's"},
                          {"factor", "times"}}} {}

Verdict::Score& Verdict::score_of(const std::string& table, const std::string& filter) {
  const auto known = std::ranges::find_if(
      scores_, [&](const Score& score) { return score.table == table && score.filter == filter; });
  if (known != scores_.end()) return *known;
  return scores_.emplace_back(Score{table, filter, 0, 0, 1, ""});
}

void Verdict::compare(const std::string& table, const std::string& filter, const std::string& set,
                      const Cell& at, const std::string& at_noun, const std::string& what,
                      const Cell& ours, const Cell& theirs) {
  if (!ours.value.is_number() || !theirs.value.is_number()) return;  // built without that set
  Score& score = score_of(table, filter);
  ++score.comparisons;
  const double mine = ours.value;
  const double other = theirs.value;
  if (mine <= other) return;
  ++score.lost;
  const double factor = mine / other;
  if (factor > score.worst) {
    score.worst = factor;
    score.worst_what = fmt::format("{}, {} {}, against {}", what, at.shown, at_noun, set);
  }
  losses_.rows.push_back({Cell::text(table), Cell::text(filter), Cell::text(set), at,
                          Cell::text(what), ours, theirs, Cell::number(factor)});
}

void Verdict::add_sets(const Table& sets) {
  const std::size_t keys = column_of(sets, "keys");
  const std::size_t structure = column_of(sets, "structure");
  for (const auto& ours : sets.rows) {
    if (is_set(ours[structure].shown)) continue;
    for (const auto& theirs : sets.rows) {
      if (!is_set(theirs[structure].shown) || theirs[keys].value != ours[keys].value) continue;
      for (const Pair& pair : kSetPairs) {
        compare(sets.name, ours[structure].shown, theirs[structure].shown, ours[keys], "keys",
                pair.what, ours[column_of(sets, pair.ours)], theirs[column_of(sets, pair.theirs)]);
      }
    }
  }
}

void Verdict::add_rounds(const Table& rounds) {
  for (const auto& row : rounds.rows) {
    for (const Named& filter : kRoundFilters) {
      for (const Named& set : kRoundSets) {
        compare(rounds.name, filter.name, set.name, row[column_of(rounds, "rounds")], "rounds",
                filter.what, row[column_of(rounds, filter.column)],
                row[column_of(rounds, set.column)]);
      }
    }
  }
}

Json Verdict::to_json() const {
  Json list = Json::array();
  for (const Score& score : scores_) {
    list.push_back({{"table", score.table},
                    {"filter", score.filter},
                    {"comparisons", score.comparisons},
                    {"lost", score.lost}});
  }
  return list;
}

std::vector<std::string> Verdict::in_words() const {
  std::vector<std::string> lines;
  std::string table;
  for (const Score& score : scores_) {
    if (score.table != table) {
      table = score.table;
      lines.push_back(table + ": ");
    } else {
      lines.back() += "; ";
    }
    if (score.lost == 0) {
      lines.back() += fmt::format("{} lost none of {} with hash sets", score.filter,
                                  counted(score.comparisons, "comparison"));
    } else {
      lines.back() += fmt::format("{} lost {} of {}, by most: {}, {:.3g} times", score.filter,
                                  grouped(score.lost), grouped(score.comparisons), score.worst_what,
                                  score.worst);
    }
  }
  return lines;
}

}  // namespace bloomery::cli
