// How fast are questions to a blocked filter, next to the random-line limit and to Boost.Bloom?
#include <fmt/core.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench.h"
#include "bulk.h"
#include "keys.h"
#include "limit.h"
#include "ours.h"
#include "peers/peer.h"

namespace bloomery::bench {
namespace {

template <typename Key>
using NamedPeer = std::pair<PeerId, std::unique_ptr<Peer<Key>>>;

// A filter of ours, the peers with the same keys, and a table of the same size for the limit.
template <typename Key>
struct Subject {
  Filter filter;
  std::vector<NamedPeer<Key>> peers;
  LineTable table;
  std::uint64_t keys = 0;
};

struct Goals {
  std::optional<Target> batched = {};  // ratio to the limit
  std::optional<Target> singly = {};
  std::optional<Target> peers = {};  // ratio to the best peer as it comes
};

template <typename Key>
std::vector<NamedPeer<Key>> available_peers(std::uint64_t keys, std::vector<PeerId> ids) {
  std::vector<NamedPeer<Key>> peers;
  for (const PeerId id : ids) {
    if (auto peer = make_peer<Key>(id, keys, kFpr)) peers.emplace_back(id, std::move(peer));
  }
  return peers;
}

Subject<std::uint64_t> number_subject(Bench& bench, std::uint64_t keys, std::vector<PeerId> ids) {
  Filter filter = make_filter(Kind::kBlocked, keys);
  insert_numbers(filter, 0, keys, 2);
  auto peers = available_peers<std::uint64_t>(keys, std::move(ids));
  if (peers.empty()) bench.report().note("built without Boost.Bloom: no peer in this table");
  std::vector<std::uint64_t> piece(1'000'000);
  for (std::uint64_t done = 0; !peers.empty() && done < keys; done += piece.size()) {
    piece.resize(std::min(keys - done, piece.size()));
    number_keys(done, piece);
    for (auto& [id, peer] : peers) peer->insert(piece);
  }
  LineTable table(filter.table().size());
  return {std::move(filter), std::move(peers), std::move(table), keys};
}

// Gives every thread its part of the keys.
template <typename Key, typename Count>
std::uint64_t shared_out(std::span<const Key> keys, unsigned threads, const Count& count) {
  const std::size_t part = keys.size() / threads;
  return sum_over_threads(threads, [&](unsigned t) {
    return count(t + 1 == threads ? keys.subspan(part * t) : keys.subspan(part * t, part));
  });
}

template <typename Key>
class Asker {
 public:
  Asker(Bench& bench, const Subject<Key>& subject, const Questions<Key>& questions, Mix mix)
      : bench_(bench), subject_(subject), questions_(questions), mix_(mix) {}

  // Calls of kCallKeys keys to ours, the bulk call of the peers.
  void batched(unsigned threads, const Goals& goals) {
    Contest contest;
    const auto limit = add_limit(contest, subject_.table, questions_.view().size(), threads);
    const auto ours = add(contest, "bloomery", threads, [this](std::span<const Key> keys) {
      return count_batched(subject_.filter, keys);
    });
    std::vector<Contest::Id> peers;
    for (const auto& [id, peer] : subject_.peers) {
      peers.push_back(add(contest, to_string(id), threads,
                          [&p = *peer](std::span<const Key> keys) { return p.count(keys); }));
    }
    contest.run(bench_.rounds());

    const double line = contest[limit].best;
    bench_.report().add(name("limit", threads), contest[limit]);
    bench_.report().add(name("bloomery", threads), contest[ours], line, "limit", goals.batched);
    double best_peer = std::numeric_limits<double>::infinity();
    const auto as_it_comes = [](PeerId id) { return id != PeerId::kBoostMultiblock64Huge; };
    for (std::size_t i = 0; i < peers.size(); ++i) {
      bench_.report().add(name(to_string(subject_.peers[i].first), threads), contest[peers[i]],
                          line, "limit");
      if (as_it_comes(subject_.peers[i].first)) {
        best_peer = std::min(best_peer, contest[peers[i]].best);
      }
    }
    if (goals.peers && !peers.empty()) {
      bench_.report().add(name("bloomery against the best peer", threads), contest[ours], best_peer,
                          "best peer", goals.peers);
    }
  }

  void singly(const Goals& goals) {
    Contest contest;
    const auto limit = add_limit(contest, subject_.table, questions_.view().size(), 1);
    const auto ours = add(contest, "bloomery, one at a time", 1, [this](std::span<const Key> keys) {
      return count_singly(subject_.filter, keys);
    });
    std::optional<Contest::Id> peer;
    if (!subject_.peers.empty()) {
      peer = add(contest, to_string(subject_.peers[0].first), 1, [this](std::span<const Key> keys) {
        return subject_.peers[0].second->count_singly(keys);
      });
    }
    contest.run(bench_.rounds());
    const double line = contest[limit].best;
    bench_.report().add(name("bloomery, one at a time", 1), contest[ours], line, "limit",
                        goals.singly);
    if (peer) {
      bench_.report().add(
          name(fmt::format("{}, one at a time", to_string(subject_.peers[0].first)), 1),
          contest[*peer], line, "limit");
    }
  }

  // Without the time of hashing: for keys that come hashed.
  void ready_hashes(std::span<const KeyHash> hashes) {
    Contest contest;
    const auto limit = add_limit(contest, subject_.table, hashes.size(), 1);
    const auto ours = contest.add({.name = "bloomery, ready hashes",
                                   .keys = hashes.size(),
                                   .run = [&] { return count_batched(subject_.filter, hashes); },
                                   .expected = expected()});
    const auto singly = contest.add({.name = "bloomery, ready hashes, one at a time",
                                     .keys = hashes.size(),
                                     .run = [&] { return count_singly(subject_.filter, hashes); },
                                     .expected = expected()});
    contest.run(bench_.rounds());
    const double line = contest[limit].best;
    bench_.report().add(name("bloomery, ready hashes", 1), contest[ours], line, "limit");
    bench_.report().add(name("bloomery, ready hashes, one at a time", 1), contest[singly], line,
                        "limit");
  }

 private:
  template <typename Count>
  Contest::Id add(Contest& contest, std::string_view who, unsigned threads, Count count) {
    return contest.add(
        {.name = name(who, threads),
         .keys = questions_.view().size(),
         .run = [this, threads, count] { return shared_out(questions_.view(), threads, count); },
         .expected = expected(),
         .threads = threads});
  }
  [[nodiscard]] Expected expected() const {
    return expected_found(questions_.view().size(), questions_.present, kFpr);
  }
  [[nodiscard]] std::string name(std::string_view who, unsigned threads) const {
    return fmt::format("{}, {}{}", who, to_string(mix_), threads > 1 ? ", two threads" : "");
  }

  Bench& bench_;
  const Subject<Key>& subject_;
  const Questions<Key>& questions_;
  Mix mix_;
};

void ask_numbers(Bench& bench, const Subject<std::uint64_t>& subject, std::uint64_t count,
                 const Goals& one_thread, std::optional<Goals> two_threads) {
  for (const Mix mix : kMixes) {
    const auto questions = number_questions(subject.keys, bench.scaled(count), mix);
    Asker<std::uint64_t> asker(bench, subject, questions, mix);
    asker.batched(1, one_thread);
    if (two_threads) asker.batched(2, *two_threads);
    asker.singly(one_thread);
    if (mix != Mix::kAbsent) continue;
    std::vector<KeyHash> hashes(questions.keys.size());
    subject.filter.spec().hasher.hash_all(questions.keys, hashes);
    asker.ready_hashes(hashes);
  }
}

}  // namespace

void ask_lookup_1m(Bench& bench) {
  bench.report().begin("lookup-1m", "1 million 8-byte keys, a filter in cache");
  const auto subject = number_subject(bench, bench.scaled(1'000'000),
                                      {PeerId::kBoostMultiblock64, PeerId::kBoostMultiblock32});
  const Target promise{"as fast as Boost.Bloom's bulk call, 1 M keys", 1.0};
  ask_numbers(bench, subject, 8'000'000, {.peers = promise}, Goals{.peers = promise});
}

void ask_lookup_100m(Bench& bench) {
  bench.report().begin("lookup-100m", "100 million 8-byte keys, a filter out of cache");
  const auto subject = number_subject(
      bench, bench.scaled(100'000'000),
      {PeerId::kBoostMultiblock64, PeerId::kBoostMultiblock64Huge, PeerId::kBoostMultiblock32});
  ask_numbers(bench, subject, 16'000'000,
              {.batched = Target{"batched lookups, 100 M keys, one thread", 1.15},
               .singly = Target{"one key at a time, 100 M keys", 1.6}},
              Goals{.batched = Target{"batched lookups, 100 M keys, two threads", 1.2}});
}

void ask_lookup_strings(Bench& bench) {
  bench.report().begin("lookup-strings", "10 million keys of 9 and 10 bytes");
  const auto keys = string_keys(bench.scaled(10'000'000));
  Filter filter = make_filter(Kind::kBlocked, keys.views().size());
  filter.insert(keys.views(), 2);
  auto peers = available_peers<std::string_view>(
      keys.views().size(),
      {PeerId::kBoostMultiblock64, PeerId::kBoostMultiblock64Huge, PeerId::kBoostMultiblock32});
  for (auto& [id, peer] : peers) peer->insert(keys.views());
  LineTable table(filter.table().size());
  const Subject<std::string_view> subject{std::move(filter), std::move(peers), std::move(table),
                                          keys.views().size()};
  const Target promise{"as fast as Boost.Bloom's bulk call, 10 M short strings", 1.0};
  for (const Mix mix : kMixes) {
    const auto questions = string_questions(subject.keys, bench.scaled(4'000'000), mix);
    Asker<std::string_view> asker(bench, subject, questions, mix);
    asker.batched(1, {.peers = promise});
    asker.batched(2, {.peers = promise});
    asker.singly({});
  }
}

void ask_large(Bench& bench) {
  bench.report().begin("large", "800 million 8-byte keys, a filter of 1 GB");
  const auto subject =
      number_subject(bench, bench.scaled(800'000'000), {PeerId::kBoostMultiblock64});
  ask_numbers(bench, subject, 16'000'000, {.batched = Target{"batched lookups, 800 M keys", 1.3}},
              std::nullopt);

  ask_in_one_call(bench, subject.filter, subject.table, subject.keys, bench.scaled(100'000'000),
                  {"800 M keys, asked 100 M in one call", 0.6});
}

}  // namespace bloomery::bench
