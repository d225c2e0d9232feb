// Filters against exact sets: the same keys and the same hash for all.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "bench/harness.h"
#include "bench/ours.h"
#include "bench/peers/sets.h"
#include "cli/bench/tables.h"
#include "cli/output/numbers.h"

namespace bloomery::cli {
namespace {

using bench::Contest;
using bench::Mix;
using Keys = std::span<const std::string_view>;
using ExactSet = std::unique_ptr<bench::Peer<std::string_view>>;

// Columns of times in one row, in this order.
enum Column : std::size_t {
  kKeys,
  kStructure,
  kBitsPerKey,
  kInsert,
  kSingly,
  kBatched = 7,
  kRate = 10
};

// What has keys and can be asked: a filter or a set.
struct Holder {
  std::string name;
  std::optional<Filter> filter;
  ExactSet set;
};

ExactSet make_set(const std::string& name) {
  return name == "std::unordered_set" ? bench::make_std_set<std::string_view>()
                                      : bench::make_flat_set<std::string_view>();
}

Holder make_holder(const std::string& name, std::uint64_t keys, double fpr) {
  const auto kind = kind_from_string(name);
  if (kind) return {name, bench::make_filter(*kind, keys, fpr), nullptr};
  return {name, std::nullopt, make_set(name)};
}

void fill(Holder& holder, Keys keys) {
  if (holder.filter) return holder.filter->insert(keys);
  holder.set->insert(keys);
}

// Nanoseconds a key, into an empty holder. The last one is kept.
double time_filling(Holder& holder, Keys keys, const BenchSettings& settings) {
  Contest contest;
  const auto id = contest.add(
      {.name = holder.name,
       .keys = keys.size(),
       .run =
           [&] {
             fill(holder, keys);
             return keys.size();
           },
       .before = [&] { holder = make_holder(holder.name, keys.size(), settings.fpr); }});
  contest.run(keys.size() < 1'000'000 ? settings.rounds : std::min(settings.rounds, 3));
  return contest[id].best;
}

struct Asked {
  double singly = 0;
  double batched = 0;  // 0: it has no such call
};

// All holders take turns at the same questions.
std::vector<Asked> time_asking(const std::vector<Holder>& holders, const BenchQuestions& questions,
                               const BenchSettings& settings) {
  Contest contest;
  std::vector<std::pair<Contest::Id, std::optional<Contest::Id>>> ids;
  const Keys asked = questions.keys.views();
  for (const Holder& holder : holders) {
    // Every way of asking must find the same, each time, and all that were inserted. How many more
    // depends on the keys; `rate` tells.
    const std::uint64_t found =
        holder.filter ? bench::count_singly(*holder.filter, asked) : questions.present;
    const bench::Expected expected{std::max(found, questions.present), found};
    const auto add = [&](auto run) {
      return contest.add(
          {.name = holder.name, .keys = asked.size(), .run = run, .expected = expected});
    };
    if (!holder.filter) {
      ids.emplace_back(add([&] { return holder.set->count(asked); }), std::nullopt);
      continue;
    }
    const auto singly = add([&] { return bench::count_singly(*holder.filter, asked); });
    ids.emplace_back(singly, add([&] { return bench::count_batched(*holder.filter, asked); }));
  }
  contest.run(settings.rounds);
  std::vector<Asked> times;
  times.reserve(ids.size());
  for (const auto& [singly, batched] : ids) {
    times.push_back({contest[singly].best, batched ? contest[*batched].best : 0});
  }
  return times;
}

std::uint64_t memory_of(const Holder& holder, const BenchKeys& keys) {
  // A set of texts has to keep their bytes, too.
  return holder.filter ? holder.filter->table().size() : holder.set->bytes() + keys.present.bytes();
}

Cell time_cell(double nanoseconds) {
  if (nanoseconds == 0) return {.shown = "-"};
  return {.value = nanoseconds, .shown = fmt::format("{:.1f}", nanoseconds)};
}

double measured_rate(const Filter& filter, const BenchQuestions& absent) {
  return static_cast<double>(bench::count_batched(filter, absent.keys.views())) /
         static_cast<double>(absent.keys.views().size());
}

double value_at(const std::vector<Cell>& row, std::size_t column) {
  return row[column].value.is_number() ? row[column].value.get<double>() : 0;
}

}  // namespace

Table empty_sets_table() {
  return {.name = "sets",
          .columns = {{"keys", "keys"},
                      {"structure", "structure", true},
                      {"bits_per_key", "bits/key"},
                      {"insert_ns", "insert ns"},
                      {"absent_ns", "absent ns"},
                      {"present_ns", "present ns"},
                      {"mixed_ns", "mixed ns"},
                      {"absent_batched_ns", "batched: absent"},
                      {"present_batched_ns", "present"},
                      {"mixed_batched_ns", "mixed"},
                      {"rate", "measured rate"},
                      {"predicted", "predicted"}}};
}

void add_sets(Table& table, const BenchKeys& keys, const BenchSettings& settings) {
  const Keys present = keys.present.views();
  std::vector<Holder> holders;
  std::vector<std::vector<Cell>> rows;
  for (const char* name :
       {"blocked", "classic", "counting", "std::unordered_set", "boost::unordered_flat_set"}) {
    Holder holder = make_holder(name, present.size(), settings.fpr);
    if (!holder.filter && holder.set == nullptr) continue;  // built without it
    const double insert = time_filling(holder, present, settings);
    const double bits = static_cast<double>(memory_of(holder, keys)) * 8;
    rows.push_back({Cell::count(present.size()), Cell::text(name),
                    Cell::number(bits / static_cast<double>(present.size())), time_cell(insert)});
    holders.push_back(std::move(holder));
  }
  const std::uint64_t questions = std::clamp<std::uint64_t>(present.size(), 100'000, 2'000'000);
  std::array<std::vector<Asked>, bench::kMixes.size()> times;
  for (std::size_t mix = 0; mix < times.size(); ++mix) {
    const auto asked = questions_of(keys, questions, bench::kMixes[mix]);
    times[mix] = time_asking(holders, asked, settings);
  }
  const auto absent = questions_of(keys, questions, Mix::kAbsent);
  for (std::size_t i = 0; i < holders.size(); ++i) {
    for (const auto& mix : times) rows[i].push_back(time_cell(mix[i].singly));
    for (const auto& mix : times) rows[i].push_back(time_cell(mix[i].batched));
    const auto& filter = holders[i].filter;
    rows[i].push_back(filter ? Cell::rate(measured_rate(*filter, absent)) : Cell{.shown = "-"});
    rows[i].push_back(filter ? Cell::rate(predicted_fpr(filter->spec().kind, present.size(),
                                                        filter->spec().bits, filter->spec().hashes))
                             : Cell{.shown = "-"});
    table.rows.push_back(std::move(rows[i]));
  }
}

std::vector<std::string> sets_in_words(const Table& table) {
  std::vector<std::string> lines;
  for (const auto& ours : table.rows) {
    if (ours[kStructure].shown != "blocked") continue;
    for (const auto& other : table.rows) {
      const bool is_set = other[kStructure].shown.find("::") != std::string::npos;
      if (!is_set || other[kKeys].value != ours[kKeys].value) continue;
      double slowest = 0;
      double fastest = 1e300;
      for (std::size_t mix = 0; mix < bench::kMixes.size(); ++mix) {
        const double ratio =
            value_at(other, kSingly + mix) /
            std::min(value_at(ours, kSingly + mix), value_at(ours, kBatched + mix));
        slowest = std::max(slowest, ratio);
        fastest = std::min(fastest, ratio);
      }
      lines.push_back(fmt::format(
          "{} keys: {} takes {:.1f} times the memory of blocked and {:.2g} to {:.2g} times its "
          "time",
          ours[kKeys].shown, other[kStructure].shown,
          value_at(other, kBitsPerKey) / value_at(ours, kBitsPerKey), fastest, slowest));
    }
  }
  return lines;
}

}  // namespace bloomery::cli
