// How fast are calls of many million keys? They sort the hashes by place first, so that many keys
// share each line that is fetched: the cost falls below one random line a key.
#include "bulk.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "keys.h"
#include "ours.h"
#include "peers/peer.h"

namespace bloomery::bench {
namespace {

constexpr std::uint64_t kLimitLines = 16'000'000;

// The hashes of keys 0, 1, ...
std::vector<KeyHash> number_hashes(std::uint64_t count) {
  std::vector<KeyHash> hashes(count);
  const Hasher hasher;
  for (std::uint64_t i = 0; i < count; ++i) hashes[i] = hasher(scrambled(i));
  return hashes;
}

void must_hold_all(const Filter& filter, std::span<const KeyHash> hashes) {
  if (count_batched(filter, hashes) != hashes.size()) {
    throw std::runtime_error("bulk: a filter built in one call denies a key");
  }
}

// A fresh filter a round, its allocation timed and its end not.
class Builder {
 public:
  explicit Builder(std::uint64_t keys) : keys_(keys) {}

  void forget() { filter_.reset(); }
  std::uint64_t from_hashes(std::span<const KeyHash> hashes, unsigned threads) {
    filter_.emplace(make_filter(Kind::kBlocked, keys_));
    filter_->insert(hashes, threads);
    return hashes.size();
  }
  std::uint64_t from_keys(std::span<const std::uint64_t> keys) {
    filter_.emplace(make_filter(Kind::kBlocked, keys_));
    filter_->insert(keys);
    return keys.size();
  }
  [[nodiscard]] const Filter& filter() const { return filter_.value(); }

 private:
  std::uint64_t keys_;
  std::optional<Filter> filter_;
};

void must_be_equal(const Filter& a, const Filter& b) {
  if (!std::ranges::equal(a.table(), b.table())) {
    throw std::runtime_error(
        "bulk: one and two threads, or hashes and keys, built different filters");
  }
}

void report_build(Bench& bench, const Contest& contest, Contest::Id limit, Contest::Id one,
                  Contest::Id two, Contest::Id keys) {
  Report& report = bench.report();
  const double line = contest[limit].best;
  report.add("limit, one thread", contest[limit]);
  report.add("build, one thread", contest[one], line, "limit",
             Target{"bulk build of 100 M ready hashes", 0.7});
  report.add("build, 8-byte keys, hashing included", contest[keys], line, "limit",
             Target{"bulk build of 100 M keys, hashing included", 0.7});
  report.add("build, two threads", contest[two], line, "limit");
  report.add(Row{.question = {},
                 .name = "build, two threads against one",
                 .value = contest[two].best,
                 .ratio = contest[one].best / contest[two].best,
                 .against = "one thread's speed",
                 .target = Target{"bulk build, speed of two threads", 1.8, true}});
}

void ask_build(Bench& bench, const LineTable& table, std::span<const KeyHash> hashes) {
  std::vector<std::uint64_t> keys(hashes.size());
  number_keys(0, keys);
  Builder one(keys.size());
  Builder two(keys.size());
  Builder hashing(keys.size());
  std::unique_ptr<Peer<std::uint64_t>> peer;

  Contest contest;
  const auto add = [&](std::string name, std::function<std::uint64_t()> run,
                       std::function<void()> before, unsigned threads = 1) {
    return contest.add({.name = std::move(name),
                        .keys = keys.size(),
                        .run = std::move(run),
                        .before = std::move(before),
                        .threads = threads});
  };
  const auto limit = add_limit(contest, table, bench.scaled(kLimitLines), 1);
  const auto one_id = add(
      "build", [&] { return one.from_hashes(hashes, 1); }, [&] { one.forget(); });
  const auto two_id = add(
      "build", [&] { return two.from_hashes(hashes, 2); }, [&] { two.forget(); }, 2);
  const auto keys_id = add(
      "build", [&] { return hashing.from_keys(keys); }, [&] { hashing.forget(); });
  std::optional<Contest::Id> peer_id;
  constexpr auto kPeer = PeerId::kBoostMultiblock64;
  if (make_peer<std::uint64_t>(kPeer, 1, kFpr) != nullptr) {
    const auto build_peer = [&] {
      peer = make_peer<std::uint64_t>(kPeer, keys.size(), kFpr);
      peer->insert(keys);
      return keys.size();
    };
    peer_id = add("build, peer", build_peer, [&] { peer.reset(); });
  }
  contest.run(bench.rounds());
  must_hold_all(one.filter(), hashes);
  must_be_equal(one.filter(), two.filter());
  must_be_equal(one.filter(), hashing.filter());
  report_build(bench, contest, limit, one_id, two_id, keys_id);
  if (peer_id) {
    bench.report().add(fmt::format("build, {}", to_string(kPeer)), contest[*peer_id],
                       contest[limit].best, "limit");
  }
}

std::vector<KeyHash> question_hashes(std::uint64_t inserted, std::uint64_t count, Mix mix,
                                     std::uint64_t* present) {
  const auto questions = number_questions(inserted, count, mix);
  std::vector<KeyHash> hashes(count);
  Hasher().hash_all(questions.keys, hashes);
  *present = questions.present;
  return hashes;
}

// One large call must give the answers of many small ones, in the order asked.
void must_answer_in_order(const Filter& filter, std::span<const KeyHash> hashes,
                          std::span<const std::uint64_t> answers) {
  for (std::size_t i = 0; i < hashes.size(); i += 97) {
    if (filter.may_contain(hashes[i]) != (((answers[i / 64] >> (i % 64)) & 1U) != 0)) {
      throw std::runtime_error(fmt::format("bulk: answer {} is not that of its key", i));
    }
  }
}

}  // namespace

void ask_in_one_call(Bench& bench, const Filter& filter, const LineTable& table,
                     std::uint64_t inserted, std::uint64_t count, const Target& target) {
  for (const Mix mix : kMixes) {
    std::uint64_t present = 0;
    const auto hashes = question_hashes(inserted, count, mix, &present);
    std::vector<std::uint64_t> answers((count + 63) / 64);
    Contest contest;
    const auto limit = add_limit(contest, table, bench.scaled(kLimitLines), 1);
    const auto ask = [&](unsigned threads) {
      return contest.add({.name = fmt::format("one call, {}", to_string(mix)),
                          .keys = count,
                          .run =
                              [&, threads] {
                                filter.may_contain(hashes, answers, threads);
                                return count_yes(answers);
                              },
                          .expected = expected_found(count, present, kFpr),
                          .threads = threads});
    };
    const auto one = ask(1);
    const auto two = ask(2);
    contest.run(bench.rounds());
    must_answer_in_order(filter, hashes, answers);
    bench.report().add(fmt::format("one call, {}", to_string(mix)), contest[one],
                       contest[limit].best, "limit", target);
    bench.report().add(fmt::format("one call, {}, two threads", to_string(mix)), contest[two],
                       contest[limit].best, "limit");
  }
}

void ask_bulk(Bench& bench) {
  bench.report().begin("bulk", "100 million keys in one call, allocation included");
  const std::uint64_t keys = bench.scaled(100'000'000);
  Filter filter = make_filter(Kind::kBlocked, keys);
  const LineTable table(filter.table().size());
  {
    const auto hashes = number_hashes(keys);
    ask_build(bench, table, hashes);
    filter.insert(hashes, 2);
  }
  ask_in_one_call(bench, filter, table, keys, keys, {"100 M keys, asked 100 M in one call", 0.8});
}

}  // namespace bloomery::bench
