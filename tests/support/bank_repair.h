// What an enemy would do after changing a bank: make digest and checksums fit again.
#pragma once

#include <cstddef>
#include <span>

namespace bloomery::test {

// Computes the block checksums, then the digest, as far as the header's own numbers allow. Safe on
// any bytes.
void repair(std::span<std::byte> bank) noexcept;

}  // namespace bloomery::test
