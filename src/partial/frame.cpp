#include "partial/frame.h"

#include <cstring>
#include <set>

#include "base/checksum.h"
#include "base/endian.h"
#include "base/error.h"
#include "partial/blocks.h"

namespace bloomery {
namespace {

constexpr std::byte kMagic{0xB7};
constexpr std::size_t kHeadBytes = 20;
constexpr std::size_t kChecksumBytes = 8;
static_assert(kHeadBytes + kChecksumBytes == kFrameOverhead);

// Length of the name, keys, frames, checksums, spec.
constexpr std::size_t kTrailerGroupBytes = 2 + 8 + 4 + 8 + 8;

void append(std::vector<std::byte>& to, const void* from, std::size_t size) {
  const auto* bytes = static_cast<const std::byte*>(from);
  to.insert(to.end(), bytes, bytes + size);
}

template <typename Number>
void append(std::vector<std::byte>& to, Number number) {
  append(to, &number, sizeof number);
}

bool is_encoding(std::byte byte) {
  return byte >= std::byte{1} && byte <= static_cast<std::byte>(Encoding::kTrailer);
}

// What is wrong with a head whose lengths were found to fit; empty when nothing is.
std::string_view complaint(const Frame& frame) {
  const bool is_trailer = frame.encoding == Encoding::kTrailer;
  if (is_trailer != frame.group.empty()) {
    return is_trailer ? "a trailer with a group" : "a frame without a group";
  }
  if (is_trailer && frame.block != kWholeTable) return "a trailer with a block";
  if (!is_trailer && frame.payload.size() > kMaxPayload) return "more than 1 MiB in a frame";
  return {};
}

}  // namespace

std::uint64_t write_frame(const Frame& frame, std::vector<std::byte>& out) {
  out.clear();
  out.reserve(frame_bytes(frame.group, frame.payload.size()));
  append(out, kMagic);
  append(out, static_cast<std::uint8_t>(frame.encoding));
  append(out, static_cast<std::uint16_t>(frame.group.size()));
  append(out, frame.task);
  append(out, frame.number);
  append(out, frame.block);
  append(out, static_cast<std::uint32_t>(frame.payload.size()));
  append(out, frame.group.data(), frame.group.size());
  append(out, frame.payload.data(), frame.payload.size());
  const std::uint64_t checksum = checksum64(out);
  append(out, checksum);
  return checksum;
}

std::string describe(const Frame& frame) {
  if (frame.encoding == Encoding::kTrailer) return fmt::format("trailer of task {}", frame.task);
  const std::string block =
      frame.block == kWholeTable ? "whole table" : fmt::format("block {}", frame.block);
  return fmt::format("partial of task {}, group '{}', {}", frame.task, escaped(frame.group), block);
}

Result<std::vector<std::byte>> write_trailer(std::uint32_t task, std::uint32_t frames,
                                             std::span<const TrailerGroup> groups) {
  std::vector<std::byte> payload;
  for (const TrailerGroup& group : groups) {
    append(payload, static_cast<std::uint16_t>(group.group.size()));
    append(payload, group.group.data(), group.group.size());
    append(payload, group.keys);
    append(payload, group.frames);
    append(payload, group.checksums);
    append(payload, group.spec_check);
  }
  if (payload.size() > UINT32_MAX) {
    return make_error(ErrorCode::kUnsupported,
                      "task {}: its {} groups do not fit one trailer; use fewer or shorter groups",
                      task, groups.size());
  }
  std::vector<std::byte> bytes;
  write_frame({task, frames, Encoding::kTrailer, kWholeTable, {}, payload, 0}, bytes);
  return bytes;
}

Result<std::vector<TrailerGroup>> read_trailer(const Frame& trailer) {
  const auto lies = [&](std::string_view what) {
    return make_error(ErrorCode::kDamaged, "{}: {}; run the task again", describe(trailer), what);
  };
  std::vector<TrailerGroup> groups;
  std::set<std::string_view> names;
  std::uint64_t frames = 0;
  for (auto rest = trailer.payload; !rest.empty();) {
    if (rest.size() < kTrailerGroupBytes) return lies("ends within a group");
    const std::size_t length = load_le<std::uint16_t>(rest.data());
    if (length == 0) return lies("a group without a name");
    if (rest.size() < kTrailerGroupBytes + length) return lies("ends within a group");
    const auto* name = reinterpret_cast<const char*>(rest.data() + 2);
    const std::byte* numbers = rest.data() + 2 + length;
    groups.push_back({std::string(name, length), load_le<std::uint64_t>(numbers),
                      load_le<std::uint32_t>(numbers + 8), load_le<std::uint64_t>(numbers + 12),
                      load_le<std::uint64_t>(numbers + 20)});
    if (!names.insert({name, length}).second) return lies("names a group twice");
    frames += groups.back().frames;
    rest = rest.subspan(kTrailerGroupBytes + length);
  }
  if (frames != trailer.number) return lies("its groups have another number of frames than it has");
  return groups;
}

Error PartialReader::damaged(std::string_view what) const {
  return make_error(ErrorCode::kDamaged, "{}: damaged at byte {}: {}; run the task again",
                    escaped(name_), at_, what);
}

Result<std::optional<Frame>> PartialReader::next() {
  const auto rest = bytes_.subspan(at_);
  if (rest.empty()) return std::optional<Frame>();
  if (rest.size() < kFrameOverhead) return damaged("ends within a frame");
  if (rest[0] != kMagic || !is_encoding(rest[1])) return damaged("no frame starts here");
  const std::size_t group = load_le<std::uint16_t>(rest.data() + 2);
  const std::size_t payload = load_le<std::uint32_t>(rest.data() + 16);
  if (rest.size() - kFrameOverhead < group + payload) return damaged("ends within a frame");

  const std::size_t end = kHeadBytes + group + payload;
  const Frame frame{load_le<std::uint32_t>(rest.data() + 4),
                    load_le<std::uint32_t>(rest.data() + 8),
                    static_cast<Encoding>(rest[1]),
                    load_le<std::uint32_t>(rest.data() + 12),
                    {reinterpret_cast<const char*>(rest.data() + kHeadBytes), group},
                    rest.subspan(kHeadBytes + group, payload),
                    load_le<std::uint64_t>(rest.data() + end)};
  const std::string_view wrong =
      frame.checksum == checksum64(rest.first(end)) ? complaint(frame) : "checksum does not match";
  if (!wrong.empty()) return damaged(fmt::format("{}: {}", describe(frame), wrong));
  at_ += end + kChecksumBytes;
  return std::optional(frame);
}

}  // namespace bloomery
