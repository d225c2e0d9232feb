#include "dialect/pisa.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "dialect/hadoop.h"
#include "dialect/numbers.h"
#include "dialect/pisa_lines.h"

namespace bloomery {
namespace {

constexpr std::uint64_t kMaxPisaJavaBits = 0x7FFFFFFF;
// Hashes have 32 bits, so no position lies beyond them.
constexpr std::uint64_t kMaxPisaPythonBits = std::uint64_t{1} << 32U;

constexpr PisaForm kPisaJavaForm{.bits_name = "bitArray",
                                 .hash = ForeignHash::kHadoopMurmur,
                                 .is_msb_first = false,
                                 .is_trimmed = true};
constexpr PisaForm kPisaPythonForm{.bits_name = "bitarray",
                                   .hash = ForeignHash::kMurmur3x32,
                                   .is_msb_first = true,
                                   .is_trimmed = false};

// --- positions: hash i has the seed i

// The Java program hashes as many bytes as the key has UTF-16 units, which cuts every key short
// that is not ASCII.
std::string_view cut_to_units(std::string_view key) noexcept {
  std::size_t units = 0;
  for (const char c : key) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (byte < 0x80 || byte >= 0xC0) ++units;  // the first byte of a character
    if (byte >= 0xF0) ++units;                 // which takes a pair of surrogates
  }
  return key.substr(0, units);
}

void pisa_start_java(KeyWalk& walk, std::uint32_t /*seed*/) noexcept {
  walk.key = cut_to_units(walk.key);
  walk.state = 0;
}

std::uint64_t pisa_next_java(KeyWalk& walk) noexcept {
  return absolute_remainder(hadoop_murmur(walk.key, static_cast<std::uint32_t>(walk.state++)),
                            walk.bits);
}

void pisa_start_python(KeyWalk& walk, std::uint32_t /*seed*/) noexcept {
  walk.state = 0;
}

std::uint64_t pisa_next_python(KeyWalk& walk) noexcept {
  return floored_remainder(murmur3_x32(walk.key, static_cast<std::uint32_t>(walk.state++)),
                           walk.bits);
}

PositionRule pisa_java_positions(ForeignHash /*hash*/) noexcept {
  return {&pisa_start_java, &pisa_next_java};
}

PositionRule pisa_python_positions(ForeignHash /*hash*/) noexcept {
  return {&pisa_start_python, &pisa_next_python};
}

// --- sizes

Error too_many_for_pisa(std::uint64_t keys, double fpr, std::string_view what) {
  return make_error(ErrorCode::kInvalidArgument, "{} keys at fpr {}: {}; use more groups", keys,
                    fpr, what);
}

// `inverse` is 1/K as the program has it, at its own precision.
Result<ForeignSize> pisa_size(std::uint64_t keys, double p, std::optional<std::uint32_t> hashes,
                              double inverse, std::uint64_t max_bits) {
  const auto n = static_cast<double>(keys);
  const double bits =
      hashes ? std::ceil(-(static_cast<double>(*hashes) * n) / std::log(1 - std::pow(p, inverse)))
             : std::ceil(n * std::log(p) / std::log(1 / std::pow(2.0, std::numbers::ln2)));
  if (!(bits <= static_cast<double>(max_bits))) {
    return too_many_for_pisa(keys, p,
                             fmt::format("needs more than {} bits, the most that the course "
                                         "project's filters can have",
                                         max_bits));
  }
  const auto m = static_cast<std::uint64_t>(bits);
  const double best = std::floor(std::numbers::ln2 * static_cast<double>(m) / n + 0.5);
  const std::uint32_t k = hashes ? *hashes : static_cast<std::uint32_t>(best);
  if (m == 0 || k == 0) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{} keys at fpr {}: the course project's formula gives {} bits and {} "
                      "hashes; use a lower fpr",
                      keys, p, m, k);
  }
  return ForeignSize{m, k};
}

Result<ForeignSize> pisa_java_size(std::uint64_t keys, double fpr,
                                   std::optional<std::uint32_t> hashes) {
  if (keys > kMaxPisaJavaBits || (hashes && keys * *hashes > kMaxPisaJavaBits)) {
    return too_many_for_pisa(keys, fpr,
                             "the Java program counts keys, and hashes of all keys, in 31 bits");
  }
  const float inverse = 1.0F / static_cast<float>(hashes.value_or(1));
  return pisa_size(keys, static_cast<float>(fpr), hashes, inverse, kMaxPisaJavaBits);
}

Result<ForeignSize> pisa_python_size(std::uint64_t keys, double fpr,
                                     std::optional<std::uint32_t> hashes) {
  return pisa_size(keys, fpr, hashes, 1.0 / hashes.value_or(1), kMaxPisaPythonBits);
}

// --- containers

bool pisa_recognises_java(std::span<const std::byte> start, std::uint64_t /*size*/) noexcept {
  return has_member(start, kPisaJavaForm.bits_name);
}

bool pisa_recognises_python(std::span<const std::byte> start, std::uint64_t /*size*/) noexcept {
  // Its bits come last, perhaps far behind; the first member does as well.
  return has_member(start, kPisaPythonForm.bits_name) ||
         (has_member(start, "rating") && has_member(start, "K") && has_member(start, "m") &&
          !has_member(start, kPisaJavaForm.bits_name));
}

Result<std::vector<ContainerEntry>> pisa_read_java(std::span<const std::byte> file) {
  return read_lines(kPisaJavaForm, file);
}

Result<std::vector<ContainerEntry>> pisa_read_python(std::span<const std::byte> file) {
  return read_lines(kPisaPythonForm, file);
}

Result<void> pisa_decode_java(const ContainerEntry& entry, std::span<std::byte> table) {
  return decode_line(kPisaJavaForm, entry, table);
}

Result<void> pisa_decode_python(const ContainerEntry& entry, std::span<std::byte> table) {
  return decode_line(kPisaPythonForm, entry, table);
}

// A float as Java's org.json writes it: below 0.001 with an exponent, and then at least one
// decimal.
std::string pisa_java_float(double value) {
  const auto number = static_cast<float>(value);
  if (number >= 1e-3F) return fmt::format("{}", number);
  std::array<char, 32> digits{};
  const auto* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number,
                                        std::chars_format::scientific)
                              .ptr;
  const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
  const std::size_t e = text.find('e');
  const std::string_view mantissa = text.substr(0, e);
  int exponent = 0;
  std::from_chars(text.data() + e + 1, end, exponent);
  return fmt::format("{}{}E{}", mantissa, mantissa.size() == 1 ? ".0" : "", exponent);
}

Result<void> pisa_write_java(const ContainerEntry& entry, std::span<const std::byte> table,
                             const ByteSink& sink) {
  const auto rating = rating_of(entry.group);
  if (!rating) return rating.error();
  return write_line(
      kPisaJavaForm, entry, table,
      fmt::format(R"({{"P":{},"bitArray":")", pisa_java_float(entry.fpr)),
      fmt::format("\",\"rating\":{},\"K\":{},\"m\":{}}}\n", *rating, entry.hashes, entry.bits),
      sink);
}

Result<void> pisa_write_python(const ContainerEntry& entry, std::span<const std::byte> table,
                               const ByteSink& sink) {
  const auto rating = rating_of(entry.group);
  if (!rating) return rating.error();
  return write_line(kPisaPythonForm, entry, table,
                    fmt::format(R"({{"rating": {}, "m": {}, "K": {}, "P": {}, "bitarray": ")",
                                *rating, entry.bits, entry.hashes, entry.fpr),
                    "\"}\n", sink);
}

constexpr std::array kPisaJavaHashes{ForeignHash::kHadoopMurmur};
constexpr std::array kPisaPythonHashes{ForeignHash::kMurmur3x32};

}  // namespace

const DialectRules kPisaJavaRules{
    .id = Dialect::kPisaJava,
    .name = "pisa-java",
    .system = "the course project's Java program",
    .hashes = kPisaJavaHashes,
    .max_bits = kMaxPisaJavaBits,
    .max_useful_bits = kMaxPisaJavaBits,
    .positions = &pisa_java_positions,
    .size_for = &pisa_java_size,
    .container = {.what = "filters of the course project's Java program",
                  .holds_many = true,
                  .recognises = &pisa_recognises_java,
                  .read = &pisa_read_java,
                  .decode = &pisa_decode_java,
                  .write = &pisa_write_java},
};

const DialectRules kPisaPythonRules{
    .id = Dialect::kPisaPython,
    .name = "pisa-python",
    .system = "the course project's Python program",
    .hashes = kPisaPythonHashes,
    .max_bits = kMaxPisaPythonBits,
    .max_useful_bits = kMaxPisaPythonBits,
    .positions = &pisa_python_positions,
    .size_for = &pisa_python_size,
    .container = {.what = "filters of the course project's Python program",
                  .holds_many = true,
                  .recognises = &pisa_recognises_python,
                  .read = &pisa_read_python,
                  .decode = &pisa_decode_python,
                  .write = &pisa_write_python},
};

}  // namespace bloomery
