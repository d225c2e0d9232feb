// Thousands of rounds of the same few questions: the case that is hardest for a filter, because a
// set of 329 names is in the first-level cache, too.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "bench/harness.h"
#include "bench/ours.h"
#include "bench/peers/sets.h"
#include "cli/bench/tables.h"

namespace bloomery::cli {
namespace {

using bench::Contest;

// HUST's last row.
constexpr std::uint64_t kLastRounds = 10'000;
constexpr double kPublishedFilter = 1'255;
constexpr double kPublishedSet = 832;

Cell milliseconds(double value) {
  return {.value = value, .shown = fmt::format("{:.2f}", value)};
}

}  // namespace

Table rounds_table(const BenchKeys& names, const BenchSettings& settings) {
  Table table{.name = "rounds",
              .columns = {{"rounds", "rounds"},
                          {"questions", "questions"},
                          {"blocked_ms", "in batches: blocked ms"},
                          {"classic_ms", "classic ms"},
                          {"blocked_singly_ms", "one by one: blocked ms"},
                          {"classic_singly_ms", "classic ms"},
                          {"std_set_ms", "std::unordered_set ms"},
                          {"flat_set_ms", "flat set ms"},
                          {"published_filter_ms", "HUST filter ms"},
                          {"published_set_ms", "HUST set ms"}}};
  const auto keys = names.present.views();
  Filter blocked = bench::make_filter(Kind::kBlocked, keys.size(), settings.fpr);
  Filter classic = bench::make_filter(Kind::kClassic, keys.size(), settings.fpr);
  const auto standard = bench::make_std_set<std::string_view>();
  const auto flat = bench::make_flat_set<std::string_view>();
  blocked.insert(keys);
  classic.insert(keys);
  standard->insert(keys);
  if (flat != nullptr) flat->insert(keys);

  for (std::uint64_t rounds = 2'000; rounds <= kLastRounds; rounds += 2'000) {
    const std::uint64_t questions = rounds * keys.size();
    Contest contest;
    const auto add = [&](const char* name, const std::function<std::uint64_t()>& one_round) {
      const auto all = [one_round, rounds] {
        std::uint64_t found = 0;
        for (std::uint64_t i = 0; i < rounds; ++i) found += one_round();
        return found;
      };
      return contest.add({.name = name, .keys = 1, .run = all, .expected = {questions, questions}});
    };
    const auto a = add("blocked", [&] { return bench::count_batched(blocked, keys); });
    const auto b = add("classic", [&] { return bench::count_batched(classic, keys); });
    const auto a1 = add("blocked", [&] { return bench::count_singly(blocked, keys); });
    const auto b1 = add("classic", [&] { return bench::count_singly(classic, keys); });
    const auto c = add("std::unordered_set", [&] { return standard->count(keys); });
    const auto d = flat == nullptr ? c : add("flat set", [&] { return flat->count(keys); });
    contest.run(std::min(settings.rounds, 3));
    const auto of = [&](Contest::Id id) { return milliseconds(contest[id].best * 1e-6); };
    const bool is_last = rounds == kLastRounds;
    table.rows.push_back({Cell::count(rounds), Cell::count(questions), of(a), of(b), of(a1), of(b1),
                          of(c), flat == nullptr ? Cell{.shown = "-"} : of(d),
                          is_last ? milliseconds(kPublishedFilter) : Cell{},
                          is_last ? milliseconds(kPublishedSet) : Cell{}});
  }
  return table;
}

}  // namespace bloomery::cli
