// Memory for large tables: zeroed, 64-byte aligned, in huge pages where that pays.
//
// A random line of a 1 GB table costs 2-3 times as much in 4 KiB pages as in huge ones, because the
// translation misses too (bench/, "random lines").
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace bloomery {

// Tables of at least this many bytes are mapped and ask for huge pages.
inline constexpr std::size_t kHugePageBytes = std::size_t{2} << 20U;

// Zeroed bytes, aligned to a cache line. Null when there is no memory.
[[nodiscard]] std::byte* allocate_table(std::size_t bytes) noexcept;
void free_table(std::byte* table, std::size_t bytes) noexcept;

// Scratch memory of the same sort, freed with its owner. May throw std::bad_alloc.
class TableBuffer {
 public:
  explicit TableBuffer(std::size_t bytes);

  [[nodiscard]] std::byte* data() const noexcept { return data_.get(); }
  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return {data_.get(), size()}; }
  [[nodiscard]] std::size_t size() const noexcept { return data_.get_deleter().size; }

 private:
  struct Deleter {
    std::size_t size = 0;
    void operator()(std::byte* table) const noexcept { free_table(table, size); }
  };
  std::unique_ptr<std::byte, Deleter> data_;
};

}  // namespace bloomery
