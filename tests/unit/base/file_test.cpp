// Reading and mapping files, small numbers in byte arrays, sizes that must not wrap.
#include "base/file.h"

#include <gtest/gtest.h>

#include "base/checked.h"
#include "base/checksum.h"
#include "base/mapped_file.h"
#include "support/contains.h"
#include "support/temporary_folder.h"

namespace bloomery {
namespace {

using test::TemporaryFolder;

TEST(File, ReadsWhatIsThereAndSaysWhereItEnds) {
  const TemporaryFolder folder;
  test::write_file(folder.path("f"), "0123456789");
  const auto opened = open_to_read(folder.path("f"));
  ASSERT_TRUE(opened.has_value());
  EXPECT_EQ(opened->size, 10U);
  std::array<std::byte, 4> part{};
  ASSERT_TRUE(read_at(opened->file, 6, part, "f").has_value());
  EXPECT_EQ(part[3], std::byte{'9'});
  const auto beyond = read_at(opened->file, 7, part, "f");
  ASSERT_FALSE(beyond);
  EXPECT_PRED2(test::contains, beyond.error().message, "ends at byte 10");
  EXPECT_FALSE(read_at(opened->file, UINT64_MAX, part, "f").has_value());
}

TEST(File, IsNotOpenedByAPathWithAZeroByte) {
  const TemporaryFolder folder;
  test::write_file(folder.path("f"), "x");
  const std::string path = folder.path("f") + std::string("\0x", 2);
  EXPECT_EQ(open_to_read(path).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(MappedFile::open(path).error().code, ErrorCode::kInvalidArgument);
  EXPECT_FALSE(open_folder(folder.path() + std::string("\0x", 2)).is_open());
}

TEST(File, ShowsPathsWithoutControlCharacters) {
  EXPECT_EQ(printable_path("a\x1b[31m"), "a\\x1b[31m");
  EXPECT_EQ(printable_path(std::string(300, 'x')).size(), 300U);
}

TEST(MappedFile, HoldsTheBytes) {
  const TemporaryFolder folder;
  test::write_file(folder.path("f"), "mapped");
  auto mapped = MappedFile::open(folder.path("f"));
  ASSERT_TRUE(mapped.has_value());
  MappedFile moved = std::move(*mapped);
  ASSERT_EQ(moved.bytes().size(), 6U);
  EXPECT_EQ(moved.bytes()[0], std::byte{'m'});
}

TEST(MappedFile, OfAnEmptyFileIsEmpty) {
  const TemporaryFolder folder;
  test::write_file(folder.path("f"), "");
  EXPECT_TRUE(MappedFile::open(folder.path("f")).value().bytes().empty());
}

TEST(MappedFile, IsOfARegularFileOnly) {
  EXPECT_FALSE(MappedFile::open("/dev/null").has_value());
  EXPECT_EQ(MappedFile::open("/no/such/file").error().code, ErrorCode::kNotFound);
}

TEST(CheckedSize, RemembersThatItWrapped) {
  CheckedSize size(UINT64_MAX - 1);
  EXPECT_TRUE((size += 1).is_valid());
  EXPECT_FALSE((size += 1).is_valid());
  EXPECT_FALSE((size += 1).is_valid());
  EXPECT_FALSE(CheckedSize(0).add_product(1ULL << 32U, 1ULL << 32U).is_valid());
  EXPECT_FALSE(CheckedSize(UINT64_MAX - 5).round_up(64).is_valid());
  EXPECT_EQ(CheckedSize(65).round_up(64).value(), 128U);
  EXPECT_EQ(CheckedSize(64).round_up(64).value(), 64U);
  EXPECT_EQ(CheckedSize(7).add_product(3, 5).value(), 22U);
}

// From the reference program: the empty input, seed 0.
TEST(Checksum, IsXxh3) {
  EXPECT_EQ(checksum64({}), 0x2d06800538d394c2U);
  const Digest digest = digest128({});
  EXPECT_EQ(std::to_integer<int>(digest[0]), 0x7f);   // low half 6001c324468d497f comes first
  EXPECT_EQ(std::to_integer<int>(digest[15]), 0x99);  // high half 99aa06d3014798d8 last
}

TEST(Checksum, DigestOfPartsIsThatOfTheWhole) {
  std::vector<std::byte> bytes(10'000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7);
  const auto all = std::span<const std::byte>(bytes);
  EXPECT_EQ(digest128({all.first(1), all.subspan(1, 4998), all.subspan(4999)}), digest128({all}));
}

}  // namespace
}  // namespace bloomery
