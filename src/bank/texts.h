// Recipe and metadata as bytes: docs/format.md, "Texts".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "bloomery/bank.h"

namespace bloomery {

// Fails for a name or text that is too long, or an empty name.
Result<std::vector<std::byte>> encode_texts(const TextMap& texts);

// Why bytes are not texts, and at which of them that shows.
struct TextsFault {
  std::uint64_t offset = 0;
  std::string what;
};

[[nodiscard]] std::variant<TextMap, TextsFault> decode_texts(std::span<const std::byte> bytes);

}  // namespace bloomery
