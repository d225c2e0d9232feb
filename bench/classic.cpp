// How fast is the classic kind? A key costs as many random lines as it has positions to look at: k
// to build and for present keys, 1 / (1 - fill) for absent ones, which stop at the first zero.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "bench.h"
#include "keys.h"
#include "limit.h"
#include "ours.h"
#include "peers/peer.h"

namespace bloomery::bench {
namespace {

constexpr std::uint64_t kLimitLines = 16'000'000;

struct Subject {
  Filter filter;
  std::unique_ptr<Peer<std::uint64_t>> peer;
  LineTable table;
};

Subject make_subject(Bench& bench, std::uint64_t keys) {
  Filter filter = make_filter(Kind::kClassic, keys);
  insert_numbers(filter, 0, keys, 2);
  auto peer = make_peer<std::uint64_t>(PeerId::kBoostClassic, keys, kFpr);
  if (peer == nullptr) {
    bench.report().note("built without Boost.Bloom: no peer in this table");
  } else {
    std::vector<std::uint64_t> numbers(keys);
    number_keys(0, numbers);
    peer->insert(numbers);
  }
  LineTable table(filter.table().size());
  return {std::move(filter), std::move(peer), std::move(table)};
}

// Reports ours and the peer's time against `lines` random lines.
void report_lines(Bench& bench, const std::string& what, const Contest& contest, double lines,
                  std::optional<Contest::Id> peer) {
  const double floor = lines * contest[0].best;
  const auto against = fmt::format("{:.2f} lines", lines);
  bench.report().add("bloomery, " + what, contest[1], floor, against,
                     Target{"classic, batched: " + what, 1.25});
  if (peer) bench.report().add("Boost filter<7>, " + what, contest[*peer], floor, against);
}

// Inserts keys again that are there already: the same lines, the same bits, and nothing changes.
void ask_build(Bench& bench, Subject& subject, std::uint64_t keys) {
  std::vector<std::uint64_t> numbers(std::min<std::uint64_t>(keys, bench.scaled(4'000'000)));
  number_keys(0, numbers);
  std::vector<KeyHash> hashes(kCallKeys);
  const auto insert = [&] {
    for (std::size_t done = 0; done < numbers.size(); done += kCallKeys) {
      const auto call =
          std::span(numbers).subspan(done, std::min(kCallKeys, numbers.size() - done));
      subject.filter.spec().hasher.hash_all(call, hashes);
      subject.filter.insert(std::span<const KeyHash>(hashes).first(call.size()));
    }
    return numbers.size();
  };
  Contest contest;
  add_limit(contest, subject.table, bench.scaled(kLimitLines), 1);
  contest.add({.name = "classic, build", .keys = numbers.size(), .run = insert});
  std::optional<Contest::Id> peer;
  if (subject.peer != nullptr) {
    peer = contest.add({.name = "classic, peer", .keys = numbers.size(), .run = [&] {
                          subject.peer->insert(numbers);
                          return numbers.size();
                        }});
  }
  const std::uint64_t ones_before = subject.filter.ones();
  contest.run(bench.rounds());
  if (subject.filter.ones() != ones_before) {
    throw std::runtime_error("classic: inserting a key again changed the filter");
  }
  bench.report().add("limit", contest[0]);
  report_lines(bench, "build", contest, subject.filter.spec().hashes, peer);
}

void ask_questions(Bench& bench, const Subject& subject, std::uint64_t keys, Mix mix) {
  const auto questions = number_questions(keys, bench.scaled(4'000'000), mix);
  const Expected expected = expected_found(questions.keys.size(), questions.present, kFpr);
  Contest contest;
  add_limit(contest, subject.table, bench.scaled(kLimitLines), 1);
  contest.add({.name = "classic",
               .keys = questions.keys.size(),
               .run = [&] { return count_batched(subject.filter, questions.view()); },
               .expected = expected});
  std::optional<Contest::Id> peer;
  if (subject.peer != nullptr) {
    peer = contest.add({.name = "classic, peer",
                        .keys = questions.keys.size(),
                        .run = [&] { return subject.peer->count(questions.view()); },
                        .expected = expected});
  }
  contest.run(bench.rounds());
  const double all = subject.filter.spec().hashes;
  const double first_zero = 1 / (1 - subject.filter.fill());
  const double share =
      static_cast<double>(questions.present) / static_cast<double>(questions.keys.size());
  report_lines(bench, std::string(to_string(mix)), contest, share * all + (1 - share) * first_zero,
               peer);
}

}  // namespace

void ask_classic(Bench& bench) {
  bench.report().begin("classic", "100 million 8-byte keys in a classic filter");
  const std::uint64_t keys = bench.scaled(100'000'000);
  Subject subject = make_subject(bench, keys);
  ask_build(bench, subject, keys);
  for (const Mix mix : kMixes) ask_questions(bench, subject, keys, mix);
}

}  // namespace bloomery::bench
