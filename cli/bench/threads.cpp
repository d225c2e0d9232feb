// One filter on one thread after the other: filling it and asking it.
#include <fmt/format.h>

#include <vector>

#include "bench/harness.h"
#include "bench/ours.h"
#include "bloomery/filter.h"
#include "bloomery/sizing.h"
#include "cli/bench/tables.h"

namespace bloomery::cli {
namespace {

using bench::Contest;

Cell milliseconds(double nanoseconds) {
  return {.value = nanoseconds * 1e-6, .shown = fmt::format("{:.2f}", nanoseconds * 1e-6)};
}

Cell factor(double value) {
  return {.value = value, .shown = fmt::format("{:.2f}", value)};
}

Result<FilterSpec> spec_for(std::uint64_t keys, std::optional<std::uint64_t> bits, double fpr) {
  if (!bits) return plan_filter(Kind::kBlocked, keys, fpr);
  const auto size = size_within(Kind::kClassic, keys, *bits);
  if (!size) return size.error();
  FilterSpec spec;
  spec.kind = Kind::kClassic;
  spec.planned_keys = keys;
  spec.bits = size->bits;
  spec.hashes = size->hashes;
  spec.fpr = size->fpr;
  return spec;
}

}  // namespace

Table empty_threads_table() {
  return {.name = "threads",
          .columns = {{"keys", "keys"},
                      {"kind", "kind", true},
                      {"bits", "bits"},
                      {"questions", "questions"},
                      {"threads", "threads"},
                      {"insert_ms", "insert ms"},
                      {"insert_speed_up", "speed-up"},
                      {"query_ms", "query ms"},
                      {"query_speed_up", "speed-up"},
                      {"query_efficiency", "efficiency"},
                      {"admitted", "admitted"},
                      {"rejected", "rejected"}}};
}

Result<void> add_threads(Table& table, const BenchKeys& keys, std::uint64_t questions,
                         std::optional<std::uint64_t> bits, const BenchSettings& settings) {
  const auto present = keys.present.views();
  const auto spec = spec_for(present.size(), bits, settings.fpr);
  if (!spec) return spec.error();
  auto filter = Filter::create(*spec);
  if (!filter) return filter.error();
  const BenchQuestions asked = questions_of(keys, questions, bench::Mix::kMixed);
  const auto all = asked.keys.views();
  std::vector<std::uint64_t> answers((all.size() + 63) / 64);

  Contest contest;
  std::vector<Contest::Id> inserts;
  std::vector<Contest::Id> queries;
  for (unsigned threads = 1; threads <= settings.threads; ++threads) {
    inserts.push_back(contest.add({.name = "insert",
                                   .keys = 1,
                                   .run =
                                       [&, threads] {
                                         filter->insert(present, threads);
                                         return present.size();
                                       },
                                   .before = [&] { filter->clear(); }}));
  }
  // The filter is full after the last insert, and stays so.
  for (unsigned threads = 1; threads <= settings.threads; ++threads) {
    queries.push_back(contest.add({.name = "query",
                                   .keys = 1,
                                   .run =
                                       [&, threads] {
                                         filter->may_contain(all, answers, threads);
                                         return bench::count_yes(answers);
                                       },
                                   .expected = {asked.present, all.size()}}));
  }
  contest.run(settings.rounds);
  const std::uint64_t admitted = bench::count_yes(answers);
  for (unsigned i = 0; i < settings.threads; ++i) {
    const double insert = contest[inserts[i]].best;
    const double query = contest[queries[i]].best;
    const double gained = contest[queries[0]].best / query;
    table.rows.push_back(
        {Cell::count(present.size()), Cell::text(std::string(to_string(spec->kind))),
         Cell::count(spec->bits), Cell::count(all.size()), Cell::count(i + 1), milliseconds(insert),
         factor(contest[inserts[0]].best / insert), milliseconds(query), factor(gained),
         Cell::rate(gained / (i + 1)), Cell::count(admitted), Cell::count(all.size() - admitted)});
  }
  return {};
}

}  // namespace bloomery::cli
