// What travels from a map task to a merger: self-describing records, little-endian.
//
//   takes   a task's blocks
//   gives   frames, and at the end of a task a trailer that says what must have arrived
//
// A frame stands alone: it may be a record of Hadoop Streaming, arrive in any order, and arrive
// twice. Its number within the task is its identity, its checksum its content. Every length is
// checked before it is used, and reading allocates nothing. This is format: docs/partials.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/result.h"

namespace bloomery {

// The numbers are format.
enum class Encoding : std::uint8_t {
  kRaw = 1,        // the block's bytes
  kPositions = 2,  // fixed-width numbers of cells, unsorted
  kGaps = 3,       // the block's cells, Golomb-coded
  kHashes = 4,     // sorted hashes of keys, Golomb-coded
  kTrailer = 5,
};

struct Frame {
  std::uint32_t task = 0;
  std::uint32_t number = 0;  // of the frame within the task
  Encoding encoding = Encoding::kRaw;
  std::uint32_t block = 0;  // or kWholeTable
  std::string_view group;   // empty for a trailer
  std::span<const std::byte> payload;
  std::uint64_t checksum = 0;
};

// The bytes of a frame apart from group and payload.
inline constexpr std::uint64_t kFrameOverhead = 28;
// No payload but a trailer's is larger.
inline constexpr std::uint64_t kMaxPayload = std::uint64_t{1} << 20U;

[[nodiscard]] inline std::uint64_t frame_bytes(std::string_view group, std::uint64_t payload) {
  return kFrameOverhead + group.size() + payload;
}

// Replaces `out` by the frame's bytes and returns their checksum. Frame::checksum is not looked at.
// Requires lengths that fit: 65,535 bytes of group, 2^32 - 1 of payload.
std::uint64_t write_frame(const Frame& frame, std::vector<std::byte>& out);

// "partial of task 3, group 'a', block 0": the start of a message.
[[nodiscard]] std::string describe(const Frame& frame);

// What a task says of one of its groups when it is done.
struct TrailerGroup {
  std::string group;
  std::uint64_t keys = 0;        // inserted, repeats included
  std::uint32_t frames = 0;      // shipped
  std::uint64_t checksums = 0;   // their checksums, added
  std::uint64_t spec_check = 0;  // of the spec they were made for

  friend bool operator==(const TrailerGroup&, const TrailerGroup&) = default;
};

// Fails when the groups are too many for one frame.
Result<std::vector<std::byte>> write_trailer(std::uint32_t task, std::uint32_t frames,
                                             std::span<const TrailerGroup> groups);
// Requires a frame with Encoding::kTrailer. Fails for one that lies about its lengths, names a
// group twice, or whose frames do not add up to its number.
Result<std::vector<TrailerGroup>> read_trailer(const Frame& trailer);

// Reads one frame after another from bytes that may be anything.
class PartialReader {
 public:
  // `name` stands for the source in messages. Frames point into `bytes`.
  PartialReader(std::span<const std::byte> bytes, std::string_view name) noexcept
      : bytes_(bytes), name_(name) {}

  // The next frame, its checksum found right; nothing at the end. After an error, the same again.
  Result<std::optional<Frame>> next();

 private:
  [[nodiscard]] Error damaged(std::string_view what) const;

  std::span<const std::byte> bytes_;
  std::string_view name_;
  std::size_t at_ = 0;
};

}  // namespace bloomery
