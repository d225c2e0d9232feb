// The bytes of a bank in memory, where a Bank can use them: 64-byte aligned.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>

namespace bloomery::python {

class MemoryBank {
 public:
  explicit MemoryBank(std::span<const std::byte> bytes)
      : size_(bytes.size()),
        data_(static_cast<std::byte*>(std::aligned_alloc(64, (bytes.size() + 63) / 64 * 64)),
              &std::free) {
    if (data_ == nullptr) throw std::bad_alloc();
    std::memcpy(data_.get(), bytes.data(), bytes.size());
  }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_.get(), size_}; }

 private:
  std::size_t size_;
  std::unique_ptr<std::byte, decltype(&std::free)> data_;
};

}  // namespace bloomery::python
