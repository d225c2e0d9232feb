#include "cli/bench/bench_keys.h"

#include <algorithm>

#include "bloomery/hash.h"
#include "cli/generate/words.h"

namespace bloomery::cli {

void PackedKeys::append(std::string_view key) {
  bytes_.insert(bytes_.end(), key.begin(), key.end());
  ends_.push_back(bytes_.size());
}

void PackedKeys::finish() {
  views_.reserve(ends_.size());
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    views_.emplace_back(bytes_.data() + begin, end - begin);
    begin = end;
  }
  ends_ = {};
}

Result<BenchKeys> made_up_keys(std::uint64_t present, std::uint64_t absent, std::size_t length) {
  const auto words = Words::create(present + absent, length, 1);
  if (!words) return words.error();
  BenchKeys keys;
  std::string word(length + 1, '\0');
  for (std::uint64_t i = 0; i < present + absent; ++i) {
    const char* end = words->write(i, word.data()) - 1;  // without its line end
    (i < present ? keys.present : keys.absent).append({word.data(), end});
  }
  keys.present.finish();
  keys.absent.finish();
  return keys;
}

BenchKeys split_keys(std::vector<std::string_view> keys) {
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  // By a hash that no filter here uses, so that the halves are as good as drawn by lot.
  const Hasher lot = Hasher::create(HashId::kMurmur3, 0x6c6f74).value();
  std::ranges::sort(keys, {}, [&](std::string_view key) { return lot(key); });
  BenchKeys split;
  const std::size_t half = keys.size() / 2;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    (i < half ? split.present : split.absent).append(keys[i]);
  }
  split.present.finish();
  split.absent.finish();
  return split;
}

BenchQuestions questions_of(const BenchKeys& keys, std::uint64_t count, bench::Mix mix) {
  BenchQuestions questions;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t random = bench::scrambled(~i);
    const bool is_present =
        mix == bench::Mix::kPresent || (mix == bench::Mix::kMixed && (random >> 63U) != 0);
    const auto from = is_present ? keys.present.views() : keys.absent.views();
    questions.keys.append(from[(is_present ? random : i) % from.size()]);
    questions.present += is_present ? 1U : 0U;
  }
  questions.keys.finish();
  return questions;
}

}  // namespace bloomery::cli
