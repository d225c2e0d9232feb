#include "cli/generate/ratings.h"

#include <charconv>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "group/decimal.h"

namespace bloomery::cli {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kMaxRecords = std::uint64_t{1} << 40U;

// A factor as a fraction, so that scaling is exact.
struct Fraction {
  std::uint64_t above = 0;
  std::uint64_t below = 1;
};

Result<Fraction> parse_factor(std::string_view text) {
  const auto decimal = parse_decimal(text);
  constexpr std::size_t kMaxDigits = 9;
  if (!decimal || decimal->is_negative || decimal->whole.size() > kMaxDigits ||
      decimal->fraction.size() > kMaxDigits) {
    return make_error(ErrorCode::kInvalidArgument,
                      "must be a number above 0, such as 0.01 or 800, with at most {} digits on "
                      "either side of the "
                      "point",
                      kMaxDigits);
  }
  Fraction factor;
  for (const char c : decimal->whole)
    factor.above = factor.above * 10 + static_cast<unsigned>(c - '0');
  for (const char c : decimal->fraction) {
    factor.above = factor.above * 10 + static_cast<unsigned>(c - '0');
    factor.below *= 10;
  }
  return factor;
}

char* put(char* to, std::string_view text) noexcept {
  std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

// At least `digits` digits, zeros in front.
char* put_number(char* to, std::uint64_t number, unsigned digits) noexcept {
  std::array<char, 20> reversed{};
  unsigned length = 0;
  do {
    reversed[length++] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0 || length < digits);
  while (length > 0) *to++ = reversed[--length];
  return to;
}

// Of the record at `random`: any tenth that rounds to its group.
unsigned tenths_of(unsigned group, std::uint64_t random) noexcept {
  const unsigned lowest = group == 1 ? 10 : group * 10 - 5;
  const unsigned choices = group == 1 ? 5 : group == 10 ? 6 : 10;
  return lowest + static_cast<unsigned>(((random & 0xFFFFU) * choices) >> 16U);
}

// Few titles have many votes: every doubling is half as likely.
std::uint64_t votes_of(std::uint64_t random) noexcept {
  const auto doublings = static_cast<unsigned>(std::countr_zero(random | (1U << 18U)));
  const std::uint64_t base = std::uint64_t{5} << doublings;
  return base + (random >> 40U) % base;
}

}  // namespace

Result<Ratings> Ratings::create(std::string_view factor_text, std::uint64_t seed) {
  const auto factor = parse_factor(factor_text);
  if (!factor) return factor.error();
  std::array<std::uint64_t, 10> upto{};
  Wide sum = 0;
  for (std::size_t i = 0; i < upto.size(); ++i) {
    sum += (Wide{2} * kRatingCounts[i] * factor->above + factor->below) / (Wide{2} * factor->below);
    if (sum > kMaxRecords) {
      return make_error(ErrorCode::kInvalidArgument, "gives more than 2^40 records; take less");
    }
    upto[i] = static_cast<std::uint64_t>(sum);
  }
  if (sum == 0) return make_error(ErrorCode::kInvalidArgument, "gives no record; take more");
  return Ratings(upto, seed);
}

std::string_view Ratings::header(Format format) noexcept {
  if (format == Format::kJson) return "";
  return format == Format::kCsv ? "tconst,averageRating,numVotes\n"
                                : "tconst\taverageRating\tnumVotes\n";
}

char* Ratings::write(std::uint64_t i, Format format, char* to) const noexcept {
  const std::uint64_t place = order_(i);
  unsigned group = 1;
  for (const std::uint64_t end : upto_) group += static_cast<unsigned>(place >= end);
  const std::uint64_t random = mixed(i ^ seed_);
  const unsigned tenths = tenths_of(group, random >> 20U);
  const bool is_json = format == Format::kJson;
  const std::string_view gap = is_json                  ? R"(","averageRating":)"
                               : format == Format::kCsv ? ","
                                                        : "\t";
  to = put(to, is_json ? R"({"tconst":"tt)" : "tt");
  // Ascending with gaps, as the real ones are: eight numbers for each, one of them taken.
  to = put_number(to, i * 8 + (random >> 61U) + 1, 7);
  to = put(to, gap);
  to = put_number(to, tenths / 10, 1);
  *to++ = '.';
  *to++ = static_cast<char>('0' + tenths % 10);
  to = put(to, is_json ? ",\"numVotes\":" : gap);
  to = put_number(to, votes_of(random), 1);
  return put(to, is_json ? "}\n" : "\n");
}

}  // namespace bloomery::cli
