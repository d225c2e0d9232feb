#include "huge_pages.h"

#include <sys/mman.h>

namespace bloomery::bench {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20U;

std::size_t rounded(std::size_t bytes) noexcept {
  return (bytes + kHugePage - 1) / kHugePage * kHugePage;
}

}  // namespace

void* map_pages(std::size_t bytes, Pages pages) noexcept {
  // One huge page more than needed, so that an aligned piece can be cut out of it.
  const std::size_t size = rounded(bytes);
  void* const mapped = mmap(nullptr, size + kHugePage, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* const first = static_cast<std::byte*>(mapped);
  const std::size_t skip =
      rounded(reinterpret_cast<std::uintptr_t>(first)) - reinterpret_cast<std::uintptr_t>(first);
  if (skip > 0) munmap(first, skip);
  munmap(first + skip + size, kHugePage - skip);
  madvise(first + skip, size, pages == Pages::kHuge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  return first + skip;
}

void unmap_pages(void* data, std::size_t bytes) noexcept {
  if (data != nullptr) munmap(data, rounded(bytes));
}

}  // namespace bloomery::bench
