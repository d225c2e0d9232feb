// Changes banks the way an enemy would: a field here, a byte there, and then everything that should
// give it away made to fit again. Without this the fuzzer would never get past the digest.
#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

#include "bank/layout.h"
#include "filter/table_ops.h"
#include "support/bank_repair.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using namespace bloomery;

using Random = std::minstd_rand;

std::span<std::byte, kHeaderBytes> header_of(std::span<std::byte> bank) {
  return bank.first<kHeaderBytes>();
}

// Sets 1, 2, 4 or 8 bytes somewhere in the head to a number at the edge of something.
void lie(std::span<std::byte> bank, Random& random) {
  constexpr std::array<std::uint64_t, 12> kEdges{
      0,           1,           2,           64,          65535,      65536,
      1ULL << 31U, 1ULL << 32U, 1ULL << 46U, 1ULL << 63U, UINT64_MAX, UINT64_MAX - 63};
  const auto header = decode_header(header_of(bank));
  const std::uint64_t head = std::clamp<std::uint64_t>(header.payload_offset, 128, bank.size());
  const std::size_t width = std::size_t{1} << (random() % 4);
  const std::size_t at = random() % (head / width) * width;
  const auto room = bank.subspan(at, std::min(width, bank.size() - at));
  std::uint64_t value = 0;
  std::copy_n(room.data(), room.size(), reinterpret_cast<std::byte*>(&value));
  switch (random() % 3) {
    case 0:
      value = kEdges[random() % kEdges.size()];
      break;
    case 1:
      value += random() % 2 == 0 ? 1 : UINT64_MAX;
      break;
    default:
      value ^= std::uint64_t{1} << (random() % 64);
  }
  std::copy_n(reinterpret_cast<const std::byte*>(&value), room.size(), room.data());
}

void repair_sizes(std::span<std::byte> bank) {
  Header header = decode_header(header_of(bank));
  header.file_size = bank.size();
  if (header.payload_offset <= bank.size()) {
    header.payload_size = bank.size() - header.payload_offset;
  }
  encode_header(header, header_of(bank));
}

void repair_ones(std::span<std::byte> bank) {
  const Header header = decode_header(header_of(bank));
  for (std::uint64_t i = 0; i < header.entry_count; ++i) {
    const std::uint64_t at = kHeaderBytes + i * kEntryBytes;
    if (at > bank.size() || kEntryBytes > bank.size() - at) return;
    const auto place = bank.subspan(at).first<kEntryBytes>();
    EntryRecord entry = decode_entry(place);
    if (entry.table_offset > bank.size() || entry.table_size > bank.size() - entry.table_offset ||
        entry.table_offset % 8 != 0) {
      continue;
    }
    const auto table = bank.subspan(entry.table_offset, entry.table_size);
    entry.ones = count_ones(Kind{entry.kind}, table);
    encode_entry(entry, place);
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  Random random(seed);
  // Field by field more often than byte by byte: most other changes end at the first size.
  const bool has_header = size >= kHeaderBytes;
  if (has_header && random() % 3 != 0) {
    for (auto lies = random() % 3 + 1; lies > 0; --lies) {
      lie({reinterpret_cast<std::byte*>(data), size}, random);
    }
  } else {
    size = LLVMFuzzerMutate(data, size, max_size);
  }
  if (size < kHeaderBytes || random() % 16 == 0) return size;
  const std::span<std::byte> bank(reinterpret_cast<std::byte*>(data), size);
  if (random() % 2 == 0) repair_sizes(bank);
  if (random() % 4 != 0) repair_ones(bank);
  test::repair(bank);
  return size;
}
