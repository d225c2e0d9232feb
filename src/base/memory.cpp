#include "base/memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace bloomery {
namespace {

constexpr std::size_t kLineBytes = 64;

std::size_t round_up(std::size_t bytes, std::size_t unit) noexcept {
  return (bytes + unit - 1) / unit * unit;
}

// Maps more than asked for and gives the ends back, so that the rest starts on a huge page.
std::byte* map_huge(std::size_t bytes) noexcept {
  const std::size_t size = round_up(bytes, kHugePageBytes);
  void* mapped = ::mmap(nullptr, size + kHugePageBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* start = static_cast<std::byte*>(mapped);
  const std::size_t before = round_up(reinterpret_cast<std::uintptr_t>(start), kHugePageBytes) -
                             reinterpret_cast<std::uintptr_t>(start);
  if (before > 0) ::munmap(start, before);
  if (before < kHugePageBytes) ::munmap(start + before + size, kHugePageBytes - before);
  // A request, not a need: without huge pages the table is slower and just as right.
  static_cast<void>(::madvise(start + before, size, MADV_HUGEPAGE));
  return start + before;
}

}  // namespace

std::byte* allocate_table(std::size_t bytes) noexcept {
  if (bytes > PTRDIFF_MAX - 2 * kHugePageBytes) return nullptr;
  if (bytes >= kHugePageBytes) return map_huge(bytes);
  const std::size_t size = round_up(bytes == 0 ? 1 : bytes, kLineBytes);
  void* table = std::aligned_alloc(kLineBytes, size);
  if (table != nullptr) std::memset(table, 0, size);
  return static_cast<std::byte*>(table);
}

void free_table(std::byte* table, std::size_t bytes) noexcept {
  if (table == nullptr) return;
  if (bytes >= kHugePageBytes) {
    ::munmap(table, round_up(bytes, kHugePageBytes));
  } else {
    std::free(table);
  }
}

TableBuffer::TableBuffer(std::size_t bytes) : data_(allocate_table(bytes), Deleter{bytes}) {
  if (data_ == nullptr) throw std::bad_alloc();
}

}  // namespace bloomery
