#include "bank/texts.h"

#include <cstring>
#include <limits>

#include "bank/record.h"
#include "base/endian.h"
#include "base/error.h"

namespace bloomery {
namespace {

constexpr std::size_t kSizesBytes = 8;

void append(std::vector<std::byte>& bytes, std::string_view text) {
  const auto* start = reinterpret_cast<const std::byte*>(text.data());
  bytes.insert(bytes.end(), start, start + text.size());
}

std::string_view as_text(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Result<std::vector<std::byte>> encode_texts(const TextMap& texts) {
  std::vector<std::byte> bytes;
  for (const auto& [name, text] : texts) {
    if (name.empty() || name.size() > kMaxGroupBytes) {
      return make_error(ErrorCode::kInvalidArgument,
                        "name \"{}\" in recipe or metadata: has {} bytes; 1 to {} are allowed",
                        escaped(name), name.size(), kMaxGroupBytes);
    }
    if (text.size() > std::numeric_limits<std::uint32_t>::max()) {
      return make_error(
          ErrorCode::kInvalidArgument,
          "text of \"{}\" in recipe or metadata: has {} bytes; at most {} are allowed",
          escaped(name), text.size(), std::numeric_limits<std::uint32_t>::max());
    }
    std::array<std::byte, kSizesBytes> sizes{};
    store_le(sizes.data(), static_cast<std::uint32_t>(name.size()));
    store_le(sizes.data() + 4, static_cast<std::uint32_t>(text.size()));
    bytes.insert(bytes.end(), sizes.begin(), sizes.end());
    append(bytes, name);
    append(bytes, text);
  }
  return bytes;
}

std::variant<TextMap, TextsFault> decode_texts(std::span<const std::byte> bytes) {
  TextMap texts;
  std::uint64_t offset = 0;
  while (!bytes.empty()) {
    if (bytes.size() < kSizesBytes) return TextsFault{offset, "half a pair of sizes"};
    const auto name_size = load_le<std::uint32_t>(bytes.data());
    const auto text_size = load_le<std::uint32_t>(bytes.data() + 4);
    const std::size_t left = bytes.size() - kSizesBytes;
    if (name_size == 0 || name_size > kMaxGroupBytes) {
      return TextsFault{offset, fmt::format("a name of {} bytes", name_size)};
    }
    if (name_size > left || text_size > left - name_size) {
      return TextsFault{offset, "a name or text longer than what is left"};
    }
    const auto name = as_text(bytes.subspan(kSizesBytes, name_size));
    if (!texts.empty() && name <= texts.rbegin()->first) {
      return TextsFault{offset + kSizesBytes, "names that are not in ascending order"};
    }
    texts.emplace_hint(texts.end(), name,
                       as_text(bytes.subspan(kSizesBytes + name_size, text_size)));
    const std::size_t pair_size = kSizesBytes + name_size + text_size;
    bytes = bytes.subspan(pair_size);
    offset += pair_size;
  }
  return texts;
}

}  // namespace bloomery
