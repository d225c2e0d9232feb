#include "support/bank_repair.h"

#include <algorithm>

#include "bank/layout.h"
#include "base/endian.h"

namespace bloomery::test {
namespace {

void repair_checksums(std::span<std::byte> bank, const HeadLayout& layout) noexcept {
  const auto payload = bank.subspan(layout.payload);
  const auto blocks = std::min(layout.block_count, block_count_of(payload.size()));
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const std::uint64_t at = block * kChecksumBlockBytes;
    const auto size = std::min<std::uint64_t>(kChecksumBlockBytes, payload.size() - at);
    store_le(bank.data() + layout.checksums + block * sizeof(std::uint64_t),
             checksum64(payload.subspan(at, size)));
  }
}

}  // namespace

void repair(std::span<std::byte> bank) noexcept {
  if (bank.size() < kHeaderBytes) return;
  const Header header = decode_header(bank.first<kHeaderBytes>());
  if (const auto layout = head_layout(header); layout && layout->payload <= bank.size()) {
    repair_checksums(bank, *layout);
  }
  if (header.payload_offset < kHeaderBytes || header.payload_offset > bank.size()) return;
  const Digest digest = digest_of_head(bank.first(header.payload_offset));
  std::ranges::copy(digest, bank.subspan(kDigestOffset).begin());
}

}  // namespace bloomery::test
