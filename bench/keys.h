// The keys of every benchmark: the same on every machine, and present and absent ones never meet.
//
//   takes   how many keys a filter holds, and how many questions to ask
//   gives   the keys to insert, and questions in random order
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace bloomery::bench {

enum class Mix : std::uint8_t { kAbsent, kPresent, kMixed };
inline constexpr std::array<Mix, 3> kMixes{Mix::kAbsent, Mix::kPresent, Mix::kMixed};
[[nodiscard]] std::string_view to_string(Mix mix) noexcept;

// A bijection on 64 bits that looks random (the finaliser of splitmix64).
[[nodiscard]] constexpr std::uint64_t scrambled(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

// Key number `first`, `first` + 1, ... Keys below the number inserted are present, all others
// absent.
void number_keys(std::uint64_t first, std::span<std::uint64_t> keys) noexcept;

// Keys of 9 or 10 bytes, such as tt0133093, packed one after the other.
class StringKeys {
 public:
  StringKeys() = default;
  StringKeys(StringKeys&&) = default;  // and no copies: the views point into bytes_
  StringKeys& operator=(StringKeys&&) = default;
  StringKeys(const StringKeys&) = delete;
  StringKeys& operator=(const StringKeys&) = delete;
  ~StringKeys() = default;

  static constexpr std::uint64_t kMost = 40'000'000;  // of each, present and absent
  void append(std::uint64_t index);
  [[nodiscard]] std::span<const std::string_view> views() const noexcept { return views_; }
  void finish();  // call it once, after the last append()

 private:
  std::vector<char> bytes_;
  std::vector<std::string_view> views_;
  std::vector<std::uint8_t> lengths_;
};
[[nodiscard]] StringKeys string_keys(std::uint64_t count);

template <typename Key>
struct Questions;

template <>
struct Questions<std::uint64_t> {
  std::vector<std::uint64_t> keys;
  std::uint64_t present = 0;  // how many of them were inserted
  [[nodiscard]] std::span<const std::uint64_t> view() const noexcept { return keys; }
};

template <>
struct Questions<std::string_view> {
  StringKeys keys;
  std::uint64_t present = 0;
  [[nodiscard]] std::span<const std::string_view> view() const noexcept { return keys.views(); }
};

// `count` questions to a set of the keys numbered below `inserted`.
[[nodiscard]] Questions<std::uint64_t> number_questions(std::uint64_t inserted, std::uint64_t count,
                                                        Mix mix);
[[nodiscard]] Questions<std::string_view> string_questions(std::uint64_t inserted,
                                                           std::uint64_t count, Mix mix);

}  // namespace bloomery::bench
