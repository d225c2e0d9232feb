// How fast is the machine? Random lines at every size that is used later, and the hash alone.
#include <fmt/format.h>

#include <array>
#include <vector>

#include "bench.h"
#include "keys.h"
#include "limit.h"
#include "ours.h"

namespace bloomery::bench {
namespace {

void ask_lines(Bench& bench, std::size_t bytes) {
  const std::uint64_t lines = bench.quick() ? 10'000 : 8'000'000;
  const LineTable huge(bytes);
  const std::size_t in_huge_pages = huge_page_bytes();
  const LineTable small(bytes, Pages::kSmall);
  Contest contest;
  const auto one = add_limit(contest, huge, lines, 1);
  const auto two = add_limit(contest, huge, lines, 2);
  const auto one_small = add_limit(contest, small, lines, 1);
  contest.run(bench.rounds());
  const auto size = fmt::format("{:.4g} MB", static_cast<double>(bytes) / 1e6);
  bench.report().add("random lines, " + size, contest[one]);
  bench.report().add("random lines, " + size + ", two threads", contest[two], contest[one].best,
                     "one thread");
  bench.report().add("random lines, " + size + ", 4 KiB pages", contest[one_small],
                     contest[one].best, "huge pages");
  if (in_huge_pages < bytes / 10 * 9 && bytes > (std::size_t{4} << 20U)) {
    bench.report().note(fmt::format("only {} of {} bytes are in huge pages: the limit is too high",
                                    in_huge_pages, bytes));
  }
}

// Streams keys and hashes them, in calls like those of the lookups.
template <typename Key>
std::uint64_t hash_all(const Hasher& hasher, std::span<const Key> keys) {
  std::array<KeyHash, kCallKeys> hashes{};
  for (std::size_t done = 0; done < keys.size(); done += kCallKeys) {
    const auto call = keys.subspan(done, std::min(keys.size() - done, kCallKeys));
    hasher.hash_all(call, hashes);
  }
  return keys.size();
}

void ask_hashes(Bench& bench) {
  const auto numbers = number_questions(1, bench.scaled(16'000'000), Mix::kAbsent);
  const auto strings = string_questions(1, bench.scaled(4'000'000), Mix::kAbsent);
  const std::array<std::pair<std::string, Hasher>, 3> hashers{
      {{"xxh3", Hasher()},
       {"murmur3", unwrap(Hasher::create(HashId::kMurmur3, 0))},
       {"sip", Hasher::with_secret(SecretKey{})}}};
  for (const auto& named : hashers) {
    const std::string& name = named.first;
    const Hasher& hasher = named.second;
    Contest contest;
    const auto number = contest.add({.name = name, .keys = numbers.view().size(), .run = [&] {
                                       return hash_all(hasher, numbers.view());
                                     }});
    const auto string = contest.add({.name = name, .keys = strings.view().size(), .run = [&] {
                                       return hash_all(hasher, strings.view());
                                     }});
    contest.run(bench.rounds());
    bench.report().add("hash floor, 8-byte keys, " + name, contest[number]);
    bench.report().add("hash floor, 9-10 byte strings, " + name, contest[string]);
  }
}

}  // namespace

void ask_limits(Bench& bench) {
  bench.report().begin("limits", "ns per random 64-byte line, and per hash");
  for (const std::uint64_t keys : {1'000'000U, 10'000'000U, 100'000'000U, 800'000'000U}) {
    ask_lines(bench, unwrap(size_for(Kind::kBlocked, bench.scaled(keys), kFpr)).bits / 8);
  }
  ask_hashes(bench);
}

}  // namespace bloomery::bench
