// Is a filter faster and smaller than an exact set? The same keys, the same hash, one call a key
// for all.
#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include "bench.h"
#include "keys.h"
#include "ours.h"
#include "peers/peer.h"

namespace bloomery::bench {
namespace {

template <typename Key>
struct Subject {
  std::uint64_t keys = 0;
  Filter filter;
  std::unique_ptr<Peer<Key>> flat;  // null when this program was built without it
  std::unique_ptr<Peer<Key>> standard;
};

template <typename Key>
Subject<Key> make_subject(std::uint64_t keys) {
  return {keys, make_filter(Kind::kBlocked, keys), make_peer<Key>(PeerId::kFlatSet, keys, kFpr),
          make_peer<Key>(PeerId::kStdSet, keys, kFpr)};
}

template <typename Key>
void ask_mix(Bench& bench, const Subject<Key>& subject, const Questions<Key>& questions,
             const std::string& what) {
  const auto keys = questions.view();
  const Expected exactly{questions.present, questions.present};
  // The rate of a filter with few blocks depends on where its keys fell.
  const double tolerance = subject.keys < 100'000 ? 0.6 : 0.1;
  const Expected about = expected_found(keys.size(), questions.present, kFpr, tolerance);
  Contest contest;
  const auto singly = contest.add({.name = what,
                                   .keys = keys.size(),
                                   .run = [&, keys] { return count_singly(subject.filter, keys); },
                                   .expected = about});
  const auto batched =
      contest.add({.name = what,
                   .keys = keys.size(),
                   .run = [&, keys] { return count_batched(subject.filter, keys); },
                   .expected = about});
  const auto standard = contest.add({.name = what,
                                     .keys = keys.size(),
                                     .run = [&, keys] { return subject.standard->count(keys); },
                                     .expected = exactly});
  Contest::Id flat = standard;
  if (subject.flat != nullptr) {
    flat = contest.add({.name = what,
                        .keys = keys.size(),
                        .run = [&, keys] { return subject.flat->count(keys); },
                        .expected = exactly});
  }
  contest.run(bench.rounds());

  Report& report = bench.report();
  report.add(what + ": std::unordered_set", contest[standard]);
  if (subject.flat != nullptr) {
    report.add(what + ": boost::unordered_flat_set", contest[flat]);
    report.add(what + ": bloomery, one at a time", contest[singly], contest[flat].best, "flat set",
               subject.keys >= 1'000'000 ? Target{"faster than a flat set from 1 M keys up", 1.0}
                                         : Target{"as fast as a flat set below 1 M keys", 1.1});
  }
  report.add(what + ": bloomery, one at a time", contest[singly], contest[standard].best,
             "std::unordered_set", Target{"faster than std::unordered_set", 1.0});
  report.add(what + ": bloomery, batched", contest[batched], contest[flat].best,
             subject.flat != nullptr ? "flat set" : "std::unordered_set");
}

template <typename Key>
void ask_memory(Bench& bench, const Subject<Key>& subject, const std::string& what,
                const Target& target) {
  const auto per_key = [&](std::size_t bytes) {
    return static_cast<double>(bytes) * 8 / static_cast<double>(subject.keys);
  };
  const double ours = per_key(subject.filter.table().size());
  const auto add = [&](const std::string& who, double bits) {
    bench.report().add(Row{.question = {}, .name = what + who, .value = bits, .unit = "bits/key"});
  };
  add("std::unordered_set", per_key(subject.standard->bytes()));
  if (subject.flat == nullptr) return add("bloomery", ours);
  const double flat = per_key(subject.flat->bytes());
  add("boost::unordered_flat_set", flat);
  bench.report().add(Row{.question = {},
                         .name = what + "bloomery",
                         .value = ours,
                         .unit = "bits/key",
                         .ratio = ours / flat,
                         .against = "flat set",
                         .target = target});
}

void ask_numbers(Bench& bench, std::uint64_t keys) {
  auto subject = make_subject<std::uint64_t>(keys);
  insert_numbers(subject.filter, 0, keys, 1);
  std::vector<std::uint64_t> numbers(keys);
  number_keys(0, numbers);
  subject.standard->insert(numbers);
  if (subject.flat != nullptr) subject.flat->insert(numbers);
  for (const Mix mix : kMixes) {
    ask_mix(bench, subject, number_questions(keys, bench.scaled(4'000'000), mix),
            fmt::format("{} numbers, {}", keys, to_string(mix)));
  }
  if (keys >= 1'000'000)
    ask_memory(bench, subject, fmt::format("{} numbers: ", keys),
               {"memory of a flat set, 8-byte keys", 1.0 / 8});
}

void ask_strings(Bench& bench, std::uint64_t keys) {
  auto subject = make_subject<std::string_view>(keys);
  const auto strings = string_keys(keys);
  subject.filter.insert(strings.views());
  subject.standard->insert(strings.views());
  if (subject.flat != nullptr) subject.flat->insert(strings.views());
  for (const Mix mix : kMixes) {
    ask_mix(bench, subject, string_questions(keys, bench.scaled(2'000'000), mix),
            fmt::format("{} strings, {}", keys, to_string(mix)));
  }
  if (keys >= 1'000'000)
    ask_memory(bench, subject, fmt::format("{} strings: ", keys),
               {"memory of a flat set, short strings", 1.0 / 15});
}

}  // namespace

void ask_sets(Bench& bench) {
  bench.report().begin("sets", "against exact sets, from 1,000 keys up");
  if (make_peer<std::uint64_t>(PeerId::kFlatSet, 1, kFpr) == nullptr) {
    bench.report().note("built without Boost 1.81: no flat set in this table");
  }
  const std::uint64_t most = bench.quick() ? 10'000 : 10'000'000;
  for (std::uint64_t keys = 1'000; keys <= most; keys *= 10) ask_numbers(bench, keys);
  for (std::uint64_t keys = 1'000; keys <= most; keys *= 10) ask_strings(bench, keys);
}

}  // namespace bloomery::bench
