// What a file is, told from its first bytes and never from its name.
//
//   takes   the first bytes of a file
//   gives   how to read it, to input.h, or the message that says who can; and its name to whoever
//           expected something else
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
  kBank,
  kUtf16,
  kBzip2,
  kXz,
  kLz4,
  kSnappy,
  kZip,
  k7z,
  kParquet,
  kOrc,
  kAvro,
  kArrow,
  kFeather,
  kSequenceFile,
  kSqlite,
  kHdf5,
  kNumpy,
  kRedis,
  kLfsPointer,
  kProgram,
  kPdf,
  kPng,
  kJpeg,
};

// What can be done with it.
enum class Nature : std::uint8_t { kText, kBank, kCompressed, kArchive, kData, kOther };

// How many first bytes recognise() wants to see.
inline constexpr std::size_t kContentBytes = 64;

[[nodiscard]] Content recognise(std::string_view first_bytes) noexcept;
[[nodiscard]] Nature nature_of(Content content) noexcept;

// "text", "gzip", "zstd", "Parquet", ...
[[nodiscard]] std::string_view to_string(Content content) noexcept;
// "text", "gzip data", "a Parquet file", ...
[[nodiscard]] std::string_view noun_of(Content content) noexcept;

// Fails, naming what reads it, for content that is not records of text in plain, gzip or zstd form.
Result<void> check_readable(Content content, std::string_view name);

}  // namespace bloomery
