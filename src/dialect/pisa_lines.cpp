#include "dialect/pisa_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "base/error.h"
#include "dialect/numbers.h"
#include "parse/json_record.h"

namespace bloomery {
namespace {

constexpr std::uint64_t kMaxLineBits = std::uint64_t{1} << 32U;

std::string_view text_of_line(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> bytes_of_line(std::string_view text) noexcept {
  return std::as_bytes(std::span(text.data(), text.size()));
}

// The whole of `text` as a number.
template <typename T>
std::optional<T> number_in(std::string_view text) noexcept {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || text.empty()) return std::nullopt;
  return value;
}

int hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

unsigned reversed_bits(unsigned byte) noexcept {
  unsigned result = 0;
  for (unsigned i = 0; i < 8; ++i) result |= ((byte >> i) & 1U) << (7 - i);
  return result;
}

std::uint64_t whole_bytes(std::uint64_t bits) noexcept {
  return bits / 8 + (bits % 8 != 0 ? 1 : 0);
}

// One line of a file.
class LineReader {
 public:
  LineReader(const PisaForm& form, std::uint64_t offset)
      : form_(&form),
        offset_(offset),
        record_({"rating", "m", "K", "P", std::string(form.bits_name)}) {}

  Result<ContainerEntry> read(std::string_view line) {
    if (record_.read(line) != JsonStatus::kGood)
      return damaged("not a JSON object of plain values");
    const auto rating = number_in<std::int32_t>(record_.field(0));
    const auto bits = number_in<std::uint64_t>(record_.field(1));
    const auto hashes = number_in<std::uint32_t>(record_.field(2));
    const auto fpr = number_in<double>(record_.field(3));
    if (!rating) return damaged("no whole number \"rating\"");
    if (!bits || *bits == 0 || *bits > kMaxLineBits) return damaged("no \"m\" from 1 to 2^32");
    if (!hashes || *hashes == 0) return damaged("no \"K\" from 1 on");
    if (!fpr) return damaged("no number \"P\"");
    ContainerEntry entry;
    entry.group = std::to_string(*rating);
    entry.hash = form_->hash;
    entry.bits = *bits;
    entry.hashes = *hashes;
    // One of the programs writes -1 here, and another a constant: it is what it says only if it can
    // be.
    entry.fpr = *fpr > 0 && *fpr < 1 ? *fpr : 0;
    const std::string_view hex = record_.field(4);
    const std::uint64_t most = 2 * whole_bytes(*bits);
    const bool has_length =
        form_->is_trimmed ? hex.size() <= most && hex.size() % 2 == 0 : hex.size() == most;
    if (!has_length) {
      return damaged(fmt::format("\"{}\" has {} digits where {} bits take {}", form_->bits_name,
                                 hex.size(), *bits, most));
    }
    // Digits with escapes would not lie in the file.
    if (!hex.empty() && (hex.data() < line.data() || hex.data() >= line.data() + line.size())) {
      return damaged(fmt::format("\"{}\" has escapes", form_->bits_name));
    }
    entry.body = bytes_of_line(hex);
    return entry;
  }

 private:
  [[nodiscard]] Error damaged(std::string_view what) const {
    return make_error(ErrorCode::kDamaged, "damaged at byte {}: {}", offset_, what);
  }

  const PisaForm* form_;
  std::uint64_t offset_;
  JsonRecord record_;
};

}  // namespace

bool has_member(std::span<const std::byte> start, std::string_view name) noexcept {
  const std::string_view text = text_of_line(start);
  const std::string_view line = text.substr(0, text.find('\n'));
  if (!line.starts_with('{')) return false;
  const std::size_t found = line.find(name);
  return found != std::string_view::npos && found > 0 && line[found - 1] == '"' &&
         line.substr(found + name.size()).starts_with('"');
}

Result<std::vector<ContainerEntry>> read_lines(const PisaForm& form,
                                               std::span<const std::byte> file) {
  std::vector<ContainerEntry> entries;
  std::string_view rest = text_of_line(file);
  while (!rest.empty()) {
    const auto offset = static_cast<std::uint64_t>(file.size() - rest.size());
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.empty()) continue;
    auto entry = LineReader(form, offset).read(line);
    if (!entry) return entry.error();
    entries.push_back(*std::move(entry));
  }
  if (entries.empty()) return make_error(ErrorCode::kDamaged, "damaged at byte 0: no line");
  return entries;
}

Result<void> decode_line(const PisaForm& form, const ContainerEntry& entry,
                         std::span<std::byte> table) {
  const std::string_view hex = text_of_line(entry.body);
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    const int high = hex_value(hex[i]);
    const int low = hex_value(hex[i + 1]);
    if (high < 0 || low < 0) {
      return make_error(ErrorCode::kDamaged, "digit {} of \"{}\" is not hexadecimal", i,
                        form.bits_name);
    }
    const auto byte = static_cast<unsigned>(high * 16 + low);
    table[i / 2] = static_cast<std::byte>(form.is_msb_first ? reversed_bits(byte) : byte);
  }
  if (!is_zero_from(table, entry.bits)) {
    return make_error(ErrorCode::kDamaged, "bits past the last, {}, are not zero", entry.bits);
  }
  return {};
}

Result<void> write_line(const PisaForm& form, const ContainerEntry& entry,
                        std::span<const std::byte> table, std::string_view before,
                        std::string_view after, const ByteSink& sink) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::size_t size = whole_bytes(entry.bits);
  while (form.is_trimmed && size > 0 && table[size - 1] == std::byte{}) --size;
  if (auto done = sink(bytes_of_line(before)); !done) return done;
  std::array<char, 65536> piece;
  for (std::size_t at = 0; at < size;) {
    std::size_t used = 0;
    for (; at < size && used < piece.size(); ++at) {
      const auto plain = static_cast<unsigned>(table[at]);
      const unsigned byte = form.is_msb_first ? reversed_bits(plain) : plain;
      piece[used++] = kDigits[byte >> 4U];
      piece[used++] = kDigits[byte & 15U];
    }
    if (auto done = sink(bytes_of_line({piece.data(), used})); !done) return done;
  }
  return sink(bytes_of_line(after));
}

Result<std::string> rating_of(const std::string& group) {
  const auto rating = number_in<std::int32_t>(group);
  if (rating && std::to_string(*rating) == group) return group;
  return make_error(ErrorCode::kInvalidArgument,
                    "the course project's groups are ratings, whole numbers of 32 bits; \"{}\" is "
                    "none",
                    escaped(group));
}

}  // namespace bloomery
