#include "cli/generate/words.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"

namespace bloomery::cli {
namespace {

// A word is consonant, vowel, consonant, vowel, and so on.
constexpr std::string_view kConsonants = "bcdfghjklmnpqrstvwxz";
constexpr std::string_view kVowels = "aeiou";
constexpr std::uint64_t kSyllables = 100;
// What syllables are read from at once: 100^9 fits 60 bits.
constexpr std::size_t kLettersOfNumber = 18;

std::uint64_t choices_of(std::size_t length) {
  std::uint64_t choices = 1;
  for (std::size_t i = 0; i < std::min(length, kLettersOfNumber); ++i) {
    choices *= i % 2 == 0 ? kConsonants.size() : kVowels.size();
  }
  return choices;
}

}  // namespace

Result<Words> Words::create(std::uint64_t count, std::size_t length, std::uint64_t seed) {
  const std::uint64_t choices = choices_of(length);
  if (count > choices) {
    return make_error(ErrorCode::kInvalidArgument,
                      "there are only {} words of {} letters; ask for fewer or longer ones",
                      choices, length);
  }
  return Words(choices, length, seed);
}

char* Words::write(std::uint64_t i, char* to) const noexcept {
  // The first letters are a number that no other word has; those after them are drawn from it.
  std::uint64_t number = order_(i);
  std::uint64_t next = number;
  std::size_t written = 0;
  while (written < length_) {
    if (written > 0 && written % kLettersOfNumber == 0) number = next = mixed(next);
    const std::uint64_t syllable = number % kSyllables;
    number /= kSyllables;
    *to++ = kConsonants[syllable % kConsonants.size()];
    if (++written < length_) {
      *to++ = kVowels[syllable / kConsonants.size()];
      ++written;
    }
  }
  *to++ = '\n';
  return to;
}

}  // namespace bloomery::cli
