#include "bank/identify.h"

#include <algorithm>
#include <array>
#include <optional>

#include "bank/foreign_filter.h"
#include "bank/record.h"
#include "base/ascii.h"
#include "base/error.h"
#include "input/content.h"

namespace bloomery {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kBuildFrom = "build a bank from it and open that";
constexpr std::string_view kCopyAgain = "copy it again, as binary data";
constexpr std::string_view kCheckPath = "check the path";

// A bank that a transfer has changed.
struct Signature {
  std::string_view bytes;
  Identity identity;
};

constexpr std::array kSpoilt{
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
};

std::optional<Identity> by_signature(std::string_view start) noexcept {
  const auto* found = std::ranges::find_if(
      kSpoilt, [&](const Signature& each) { return start.starts_with(each.bytes); });
  return found == kSpoilt.end() ? std::nullopt : std::optional(found->identity);
}

std::string_view advice_on(Content content) noexcept {
  if (content == Content::kLfsPointer) return "run git lfs pull";
  if (content == Content::kRedis) return "dump the filter out of it and import that";
  switch (nature_of(content)) {
    case Nature::kCompressed:
      return "decompress it first";
    case Nature::kArchive:
      return "unpack it first";
    case Nature::kData:
      return kBuildFrom;
    default:
      return kCheckPath;
  }
}

std::optional<Identity> by_content(std::string_view start) noexcept {
  const Content content = recognise(start);
  if (content == Content::kText) return std::nullopt;
  return Identity{noun_of(content), advice_on(content)};
}

bool begins_like_html(std::string_view text) noexcept {
  constexpr std::array kOpenings{"<!doctype html"sv, "<html"sv, "<head"sv, "<body"sv};
  return std::ranges::any_of(kOpenings, [&](std::string_view opening) {
    return std::ranges::equal(text.substr(0, opening.size()), opening, {}, ascii_lower);
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
  if (const auto known = by_content(text)) return *known;
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
