// What a file is, told from its first bytes and never from its name.
//
//   takes   the first bytes of an input
//   gives   how to read it, to input.h, or the message that says who can
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "bloomery/result.h"

namespace bloomery {

enum class Content : std::uint8_t {
  kText,  // whatever is not one of the others
  kGzip,
  kZstd,
  kParquet,
  kOrc,
  kAvro,
  kZip,
  kBzip2,
  kXz,
  kLz4,
  kBank,
};

// How many first bytes recognise() wants to see.
inline constexpr std::size_t kContentBytes = 16;

[[nodiscard]] Content recognise(std::string_view first_bytes) noexcept;

// "text", "gzip", "zstd", "Parquet", ...
[[nodiscard]] std::string_view to_string(Content content) noexcept;

// Fails, naming what reads it, for content that is not records of text in plain, gzip or zstd form.
Result<void> check_readable(Content content, std::string_view name);

}  // namespace bloomery
