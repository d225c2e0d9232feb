#include "keys.h"

#include <fmt/format.h>

#include <iterator>

namespace bloomery::bench {
namespace {

// Numbers from here on are never inserted.
constexpr std::uint64_t kAbsentNumbers = std::uint64_t{1} << 40U;
constexpr std::uint64_t kAbsentStrings = StringKeys::kMost;

// A prime: index times anything smaller, modulo it, meets every value once. Ids have 7 or 8 digits.
constexpr std::uint64_t kIds = 99'999'989;

struct Choice {
  std::uint64_t index;
  bool present;
};

Choice choose(std::uint64_t question, std::uint64_t inserted, Mix mix, std::uint64_t absent) {
  const std::uint64_t random = scrambled(~question);
  const bool present = mix == Mix::kPresent || (mix == Mix::kMixed && (random >> 63U) != 0);
  return {present ? random % inserted : absent + question, present};
}

}  // namespace

std::string_view to_string(Mix mix) noexcept {
  if (mix == Mix::kAbsent) return "absent";
  return mix == Mix::kPresent ? "present" : "mixed";
}

void number_keys(std::uint64_t first, std::span<std::uint64_t> keys) noexcept {
  for (std::uint64_t& key : keys) key = scrambled(first++);
}

void StringKeys::append(std::uint64_t index) {
  const std::size_t before = bytes_.size();
  fmt::format_to(std::back_inserter(bytes_), "tt{:07}", index * 48'271 % kIds);
  lengths_.push_back(static_cast<std::uint8_t>(bytes_.size() - before));
}

void StringKeys::finish() {
  views_.reserve(lengths_.size());
  std::string_view rest(bytes_.data(), bytes_.size());
  for (const std::uint8_t length : lengths_) {
    views_.push_back(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  lengths_ = {};
}

StringKeys string_keys(std::uint64_t count) {
  StringKeys keys;
  for (std::uint64_t i = 0; i < count; ++i) keys.append(i);
  keys.finish();
  return keys;
}

Questions<std::uint64_t> number_questions(std::uint64_t inserted, std::uint64_t count, Mix mix) {
  Questions<std::uint64_t> questions;
  questions.keys.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Choice choice = choose(i, inserted, mix, kAbsentNumbers);
    questions.keys.push_back(scrambled(choice.index));
    questions.present += choice.present ? 1U : 0U;
  }
  return questions;
}

Questions<std::string_view> string_questions(std::uint64_t inserted, std::uint64_t count, Mix mix) {
  Questions<std::string_view> questions;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Choice choice = choose(i, inserted, mix, kAbsentStrings);
    questions.keys.append(choice.index);
    questions.present += choice.present ? 1U : 0U;
  }
  questions.keys.finish();
  return questions;
}

}  // namespace bloomery::bench
