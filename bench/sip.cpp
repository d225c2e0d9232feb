// What does a hash for untrusted keys cost? SipHash-1-3 next to XXH3, on a filter out of cache.
#include "bench.h"
#include "keys.h"
#include "ours.h"

namespace bloomery::bench {

void ask_sip(Bench& bench) {
  bench.report().begin("sip", "SipHash against XXH3, 100 million 8-byte keys, batched lookups");
  const std::uint64_t keys = bench.scaled(100'000'000);
  const Hasher sip = Hasher::with_secret(SecretKey{std::byte{1}, std::byte{2}});
  Filter fast = make_filter(Kind::kBlocked, keys);
  Filter safe = make_filter(Kind::kBlocked, keys, kFpr, sip);
  insert_numbers(fast, 0, keys, 2);
  insert_numbers(safe, 0, keys, 2);
  for (const Mix mix : kMixes) {
    const auto questions = number_questions(keys, bench.scaled(16'000'000), mix);
    const Expected expected = expected_found(questions.keys.size(), questions.present, kFpr);
    Contest contest;
    const auto add = [&](const Filter& filter) {
      return contest.add({.name = "sip",
                          .keys = questions.keys.size(),
                          .run = [&] { return count_batched(filter, questions.view()); },
                          .expected = expected});
    };
    const auto xxh3_id = add(fast);
    const auto sip_id = add(safe);
    contest.run(bench.rounds());
    const std::string what(to_string(mix));
    bench.report().add("xxh3, " + what, contest[xxh3_id]);
    bench.report().add("sip, " + what, contest[sip_id], contest[xxh3_id].best, "xxh3",
                       Target{"SipHash mode out of cache", 1.5});
  }
}

}  // namespace bloomery::bench
