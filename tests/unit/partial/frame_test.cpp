#include "partial/frame.h"

#include <gtest/gtest.h>

#include "partial/blocks.h"
#include "support/contains.h"

namespace bloomery {
namespace {

using Bytes = std::vector<std::byte>;

Bytes sample_frame() {
  const Bytes payload(5, std::byte{7});
  Bytes bytes;
  write_frame({3, 2, Encoding::kGaps, 9, std::string_view("a\0b", 3), payload, 0}, bytes);
  return bytes;
}

std::vector<TrailerGroup> sample_groups() {
  return {{"a", 10, 2, 77, 1}, {std::string("\xFF\0", 2), 0, 1, 5, 2}};
}

Result<std::vector<TrailerGroup>> trailer_back(std::uint32_t frames,
                                               std::span<const TrailerGroup> groups) {
  const Bytes bytes = write_trailer(1, frames, groups).value();
  return read_trailer(PartialReader(bytes, "t").next().value().value());
}

TEST(Frame, ReadsBackWhatWasWritten) {
  const Bytes bytes = sample_frame();
  EXPECT_EQ(bytes.size(), frame_bytes("abc", 5));
  PartialReader reader(bytes, "t");
  const Frame frame = reader.next().value().value();
  EXPECT_EQ(frame.task, 3U);
  EXPECT_EQ(frame.number, 2U);
  EXPECT_EQ(frame.encoding, Encoding::kGaps);
  EXPECT_EQ(frame.block, 9U);
  EXPECT_EQ(frame.group, std::string_view("a\0b", 3));
  EXPECT_EQ(Bytes(frame.payload.begin(), frame.payload.end()), Bytes(5, std::byte{7}));
  const auto end = reader.next();
  ASSERT_TRUE(end.has_value());
  EXPECT_FALSE(end->has_value());
}

TEST(Frame, EveryPrefixIsRefused) {
  const Bytes bytes = sample_frame();
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    const auto frame = PartialReader(std::span(bytes).first(size), "t").next();
    ASSERT_FALSE(frame) << size;
    EXPECT_EQ(frame.error().code, ErrorCode::kDamaged);
  }
}

TEST(Frame, EveryFlippedBitIsRefused) {
  Bytes bytes = sample_frame();
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    const std::byte mask{static_cast<unsigned char>(1U << (bit % 8))};
    bytes[bit / 8] ^= mask;
    EXPECT_FALSE(PartialReader(bytes, "t").next()) << "bit " << bit;
    bytes[bit / 8] ^= mask;
  }
}

TEST(Frame, MessagesNameSourceOffsetTaskAndGroup) {
  Bytes bytes = sample_frame();
  const Bytes second = sample_frame();
  bytes.insert(bytes.end(), second.begin(), second.end());
  bytes.back() ^= std::byte{1};
  PartialReader reader(bytes, "map 3");
  ASSERT_TRUE(reader.next().has_value());
  const auto frame = reader.next();
  ASSERT_FALSE(frame);
  for (const auto* part : {"map 3: damaged at byte 36", "task 3", "group 'a\\x00b'", "block 9"}) {
    EXPECT_PRED2(test::contains, frame.error().message, part);
  }
}

TEST(Frame, RightChecksumsDoNotMakeWrongHeadsRight) {
  const Bytes large(kMaxPayload + 1);
  const std::vector<Frame> wrong{
      {0, 0, Encoding::kRaw, 0, "", {}, 0},     {0, 0, Encoding::kTrailer, kWholeTable, "g", {}, 0},
      {0, 0, Encoding::kTrailer, 0, "", {}, 0}, {0, 0, Encoding::kRaw, 0, "g", large, 0},
      {0, 0, Encoding{0}, 0, "g", {}, 0},       {0, 0, Encoding{6}, 0, "g", {}, 0},
  };
  for (const Frame& frame : wrong) {
    Bytes bytes;
    write_frame(frame, bytes);
    EXPECT_FALSE(PartialReader(bytes, "t").next());
  }
}

TEST(Trailer, ReadsBackWhatWasWritten) {
  EXPECT_EQ(trailer_back(3, sample_groups()).value(), sample_groups());
  EXPECT_TRUE(trailer_back(0, {}).value().empty());
}

TEST(Trailer, LiesAreRefused) {
  auto groups = sample_groups();
  EXPECT_FALSE(trailer_back(4, groups));
  groups[1].group = groups[0].group;
  EXPECT_FALSE(trailer_back(3, groups));
  groups[1].group.clear();
  EXPECT_FALSE(trailer_back(3, groups));
}

TEST(Trailer, EveryPrefixOfItsPayloadIsRefused) {
  const Bytes bytes = write_trailer(1, 3, sample_groups()).value();
  Frame frame = PartialReader(bytes, "t").next().value().value();
  const auto whole = frame.payload;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    frame.payload = whole.first(size);
    EXPECT_FALSE(read_trailer(frame)) << size;
  }
}

}  // namespace
}  // namespace bloomery
