#include "base/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace bloomery {
namespace {

constexpr std::size_t kSizes[] = {0,    1,         63,        64,       65,
                                  4096, 1'000'001, 2'097'151, 2 << 20U, 5'000'001};

std::uintptr_t address_of(const TableBuffer& buffer) {
  return reinterpret_cast<std::uintptr_t>(buffer.data());
}

TEST(TableBuffer, BeginsOnACacheLineAndOnAHugePageWhereItIsLarge) {
  for (const std::size_t size : kSizes) {
    // Several, because one may lie well by chance.
    std::vector<TableBuffer> buffers;
    for (int i = 0; i < 5; ++i) buffers.emplace_back(size);
    for (const TableBuffer& buffer : buffers) {
      EXPECT_EQ(address_of(buffer) % 64, 0U) << size;
      if (size >= kHugePageBytes) {
        EXPECT_EQ(address_of(buffer) % kHugePageBytes, 0U) << size;
      }
    }
  }
}

TEST(TableBuffer, IsZeroAlsoWhereMemoryWasUsedBefore) {
  for (const std::size_t size : kSizes) {
    for (int i = 0; i < 3; ++i) {
      const TableBuffer buffer(size);
      ASSERT_EQ(buffer.size(), size);
      EXPECT_TRUE(
          std::ranges::all_of(buffer.bytes(), [](std::byte b) { return b == std::byte{}; }));
      std::ranges::fill(buffer.bytes(), std::byte{0xFF});
    }
  }
}

// The flags that the kernel has for the mapping with this address; none where it does not tell.
std::optional<std::string> flags_of(std::uintptr_t address) {
  std::ifstream smaps("/proc/self/smaps");
  bool is_inside = false;
  for (std::string line; std::getline(smaps, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    if (std::istringstream range(line); range >> std::hex >> begin >> dash >> end && dash == '-') {
      is_inside = begin <= address && address < end;
    } else if (is_inside && line.starts_with("VmFlags:")) {
      return line + " ";
    }
  }
  return std::nullopt;
}

TEST(TableBuffer, AsksForHugePagesWhereItIsLarge) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage")) {
    GTEST_SKIP() << "this kernel has no transparent huge pages";
  }
  for (const std::size_t size : {kHugePageBytes, std::size_t{5'000'001}}) {
    const TableBuffer buffer(size);
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
      const auto flags = flags_of(address_of(buffer) + at);
      if (!flags) {
        GTEST_SKIP() << "/proc/self/smaps has no flags";
      }
      EXPECT_NE(flags->find(" hg "), std::string::npos) << *flags << " of " << size << " bytes";
    }
  }
}

}  // namespace
}  // namespace bloomery
