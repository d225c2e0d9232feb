#include "bank/identify.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "bank/foreign_filter.h"
#include "bank/record.h"
#include "base/error.h"

namespace bloomery {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kDecompress = "decompress it first";
constexpr std::string_view kUnpack = "unpack it first";
constexpr std::string_view kBuildFrom = "build a bank from it and open that";
constexpr std::string_view kCopyAgain = "copy it again, as binary data";
constexpr std::string_view kCheckPath = "check the path";

struct Signature {
  std::string_view bytes;
  Identity identity;
};

// Of two that begin alike, the longer comes first.
constexpr std::array kSignatures{
    Signature{"\x89"
              "BLM\n\x1a\n"sv,
              {"a bank whose line ends a text transfer has changed", kCopyAgain, true}},
    Signature{"\x89"
              "BLM\r\r\n\x1a"sv,
              {"a bank whose line ends a text transfer has changed", kCopyAgain, true}},
    Signature{"\x09"
              "BLM\r\n\x1a"sv,
              {"a bank that has lost its eighth bits in a transfer", kCopyAgain, true}},
    Signature{"\xEF\xBF\xBD"
              "BLM"sv,
              {"a bank that was read as text and written again", kCopyAgain, true}},
    Signature{"\xC2\x89"
              "BLM"sv,
              {"a bank that was read as text and written again", kCopyAgain, true}},
    Signature{"\x1F\x8B"sv, {"gzip data", kDecompress}},
    Signature{"\x28\xB5\x2F\xFD"sv, {"zstd data", kDecompress}},
    Signature{"PK\x03\x04"sv, {"a zip or jar archive", kUnpack}},
    Signature{"PK\x05\x06"sv, {"an empty zip archive", kUnpack}},
    Signature{"BZh"sv, {"bzip2 data", kDecompress}},
    Signature{"\xFD"
              "7zXZ\0"sv,
              {"xz data", kDecompress}},
    Signature{"7z\xBC\xAF\x27\x1C"sv, {"a 7z archive", kUnpack}},
    Signature{"\x04\x22\x4D\x18"sv, {"lz4 data", kDecompress}},
    Signature{"\xFF\x06\x00\x00sNaPpY"sv, {"snappy data", kDecompress}},
    Signature{"version https://git-lfs"sv,
              {"a Git LFS pointer, which stands for the file", "run git lfs pull"}},
    Signature{"PAR1"sv, {"a Parquet file", kBuildFrom}},
    Signature{"PARE"sv, {"an encrypted Parquet file", kBuildFrom}},
    Signature{"ORC"sv, {"an ORC file", kBuildFrom}},
    Signature{"Obj\x01"sv, {"an Avro file", kBuildFrom}},
    Signature{"ARROW1"sv, {"an Arrow file", kBuildFrom}},
    Signature{"FEA1"sv, {"a Feather file", kBuildFrom}},
    Signature{"SEQ\x06"sv, {"a Hadoop sequence file", kBuildFrom}},
    Signature{"SQLite format 3\0"sv, {"an SQLite database", kBuildFrom}},
    Signature{"\x89HDF\r\n\x1A\n"sv, {"an HDF5 file", kBuildFrom}},
    Signature{"\x93NUMPY"sv, {"a NumPy array", kBuildFrom}},
    Signature{"\x7F"
              "ELF"sv,
              {"an executable program", kCheckPath}},
    Signature{"%PDF-"sv, {"a PDF document", kCheckPath}},
    Signature{"\x89PNG"sv, {"a PNG picture", kCheckPath}},
    Signature{"REDIS0"sv, {"a Redis snapshot (RDB)", "dump the filter out of it and import that"}},
};

std::optional<Identity> by_signature(std::string_view start) noexcept {
  const auto* found = std::ranges::find_if(
      kSignatures, [&](const Signature& each) { return start.starts_with(each.bytes); });
  return found == kSignatures.end() ? std::nullopt : std::optional(found->identity);
}

bool begins_like_html(std::string_view text) noexcept {
  constexpr std::array kOpenings{"<!doctype html"sv, "<html"sv, "<head"sv, "<body"sv};
  return std::ranges::any_of(kOpenings, [&](std::string_view opening) {
    return std::ranges::equal(text.substr(0, opening.size()), opening, {}, [](char c) {
      return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
  });
}

bool is_text(std::string_view start) noexcept {
  return std::ranges::all_of(start, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 ? byte != 0x7F : byte == '\t' || byte == '\n' || byte == '\r';
  });
}

std::optional<Identity> by_text(std::string_view start) noexcept {
  if (!is_text(start)) return std::nullopt;
  std::string_view text = start;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  if (begins_like_html(text)) {
    return Identity{"a web page", "get the file itself, not the page about it"};
  }
  if (text.starts_with("<?xml")) return Identity{"an XML file", kBuildFrom};
  if (text.starts_with("{") || text.starts_with("[")) return Identity{"a JSON file", kBuildFrom};
  if (text.find('\t') < text.find('\n')) return Identity{"tab-separated text", kBuildFrom};
  return Identity{"plain text", kBuildFrom};
}

}  // namespace

Identity identify(std::span<const std::byte> start, std::uint64_t size) noexcept {
  if (size == 0) {
    return {"an empty file", "build it again: what should have written it did not", false};
  }
  const auto bytes = start.first(std::min(start.size(), kIdentifyBytes));
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string_view magic(reinterpret_cast<const char*>(kMagic.data()), kMagic.size());
  if (size < magic.size() && magic.starts_with(text)) {
    return {"the first bytes of a bank", "copy it again, whole", true};
  }
  if (const auto known = by_signature(text)) return *known;
  if (const auto system = foreign_filter(bytes, size); !system.empty()) {
    return {system, "import it and open the bank that gives"};
  }
  if (const auto known = by_text(text)) return *known;
  if (std::ranges::all_of(text, [](char c) { return c == '\0'; })) {
    return {"a file of zeros", "restore a copy or build it again"};
  }
  return {"something unknown", "check the path, or build a bank from its data"};
}

Error not_a_bank(std::string_view name, std::span<const std::byte> start, std::uint64_t size) {
  const Identity identity = identify(start, size);
  const bool is_damage = identity.was_a_bank || size == 0;
  return make_error(is_damage ? ErrorCode::kDamaged : ErrorCode::kUnsupported,
                    "{}: not a bank but {}; {}", name, identity.what, identity.advice);
}

}  // namespace bloomery
