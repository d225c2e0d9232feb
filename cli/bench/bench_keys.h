// The keys of `bloomery bench`: some that go in, others that never do, and questions about both.
//
//   takes   words that are made up, or the keys of a file
//   gives   keys to insert, and questions in mixed order, packed one after the other as a program
//           that reads them would have them
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/keys.h"
#include "bloomery/result.h"

namespace bloomery::cli {

class PackedKeys {
 public:
  PackedKeys() = default;
  PackedKeys(PackedKeys&&) = default;  // and no copies: the views point into bytes_
  PackedKeys& operator=(PackedKeys&&) = default;
  PackedKeys(const PackedKeys&) = delete;
  PackedKeys& operator=(const PackedKeys&) = delete;
  ~PackedKeys() = default;

  void append(std::string_view key);
  void finish();  // call it once, after the last append()

  [[nodiscard]] std::span<const std::string_view> views() const noexcept { return views_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_.size(); }

 private:
  std::vector<char> bytes_;
  std::vector<std::size_t> ends_;
  std::vector<std::string_view> views_;
};

struct BenchKeys {
  PackedKeys present;
  PackedKeys absent;
};

struct BenchQuestions {
  PackedKeys keys;
  std::uint64_t present = 0;  // how many of them were inserted
};

// Words of `length` letters.
Result<BenchKeys> made_up_keys(std::uint64_t present, std::uint64_t absent, std::size_t length);

// Every other one of the distinct keys, in mixed order, is present, and the rest absent. Requires
// at least two that differ.
[[nodiscard]] BenchKeys split_keys(std::vector<std::string_view> keys);

// As many questions as `count`. They repeat where there are fewer keys.
[[nodiscard]] BenchQuestions questions_of(const BenchKeys& keys, std::uint64_t count,
                                          bench::Mix mix);

}  // namespace bloomery::cli
