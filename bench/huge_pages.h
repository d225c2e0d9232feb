// Memory for the benchmarks' own tables, in huge pages or in 4 KiB ones, whichever is asked for.
//
// It does not use the library's allocator: what measures the library's limit must not depend on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace bloomery::bench {

enum class Pages : std::uint8_t { kHuge, kSmall };

// Zeroed and aligned to 2 MiB. Null when there is no memory.
[[nodiscard]] void* map_pages(std::size_t bytes, Pages pages) noexcept;
void unmap_pages(void* data, std::size_t bytes) noexcept;

struct Unmap {
  std::size_t bytes = 0;
  void operator()(void* data) const noexcept { unmap_pages(data, bytes); }
};

// Lets a peer have huge pages too.
template <typename T>
struct HugeAllocator {
  using value_type = T;

  HugeAllocator() = default;
  template <typename U>
  HugeAllocator(const HugeAllocator<U>&) noexcept {}  // NOLINT(*-explicit-*)

  [[nodiscard]] T* allocate(std::size_t count) {
    void* data = map_pages(count * sizeof(T), Pages::kHuge);
    if (data == nullptr) throw std::bad_alloc();
    return static_cast<T*>(data);
  }
  void deallocate(T* data, std::size_t count) noexcept { unmap_pages(data, count * sizeof(T)); }

  friend bool operator==(const HugeAllocator&, const HugeAllocator&) = default;
};

}  // namespace bloomery::bench
