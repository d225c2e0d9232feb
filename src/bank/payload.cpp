#include "bank/payload.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>

#include "bank/layout.h"
#include "bank/record.h"
#include "base/checksum.h"
#include "base/parallel.h"
#include "filter/table_ops.h"

namespace bloomery {
namespace {

// What a thread reads at once: small enough for its cache, large enough for the disk.
constexpr std::uint64_t kVerifiedBytes = 16 * kChecksumBlockBytes;

// Whether every bit from `first_bit` on is zero.
bool is_zero_from(std::span<const std::byte> bytes, std::uint64_t first_bit) noexcept {
  const auto first_byte = static_cast<std::size_t>(first_bit / 8);
  if (first_byte >= bytes.size()) return true;
  const auto kept = static_cast<unsigned>(first_bit % 8);
  if ((std::to_integer<unsigned>(bytes[first_byte]) >> kept) != 0) return false;
  return std::ranges::all_of(bytes.subspan(first_byte + 1),
                             [](std::byte b) { return b == std::byte{0}; });
}

class Scan {
 public:
  explicit Scan(const Payload& payload) : payload_(payload) {
    facts_.checksums.resize(block_count_of(payload.size));
    facts_.ones.resize(payload.table_count);
  }

  Result<PayloadFacts> run(unsigned threads) {
    const std::uint64_t pieces =
        payload_.size / kVerifiedBytes + (payload_.size % kVerifiedBytes != 0 ? 1 : 0);
    const auto workers = std::min<std::uint64_t>(thread_count(threads), pieces);
    parallel_for(static_cast<unsigned>(workers), workers, [&](std::size_t) { work(); });
    if (failure_) return *failure_;
    if (first_dirty_ < payload_.table_count) facts_.dirty = first_dirty_;
    return std::move(facts_);
  }

 private:
  void work() {
    const auto read = payload_.reader();
    for (;;) {
      const std::uint64_t offset = next_piece_.fetch_add(1) * kVerifiedBytes;
      if (offset >= payload_.size) return;
      const auto size = std::min(kVerifiedBytes, payload_.size - offset);
      const auto piece = read(offset, static_cast<std::size_t>(size));
      if (!piece) return fail(piece.error());
      check_blocks(offset, *piece);
      for_each_table(payload_, offset, *piece,
                     [this](std::size_t i, const TablePlace& table, std::uint64_t at,
                            std::span<const std::byte> part) { count_part(i, table, at, part); });
    }
  }

  void fail(const Error& error) {
    next_piece_ = payload_.size / kVerifiedBytes + 1;
    const std::scoped_lock lock(failure_mutex_);
    if (!failure_) failure_ = error;
  }

  void check_blocks(std::uint64_t offset, std::span<const std::byte> piece) noexcept {
    for (std::size_t at = 0; at < piece.size(); at += kChecksumBlockBytes) {
      const auto size = std::min<std::size_t>(kChecksumBlockBytes, piece.size() - at);
      facts_.checksums[(offset + at) / kChecksumBlockBytes] = checksum64(piece.subspan(at, size));
    }
  }

  void count_part(std::size_t i, const TablePlace& table, std::uint64_t at,
                  std::span<const std::byte> part) noexcept {
    const std::uint64_t first_bit = table.used_bits > at * 8 ? table.used_bits - at * 8 : 0;
    if (!is_zero_from(part, first_bit)) mark_dirty(i);
    const std::uint64_t in_table = table.size > at ? table.size - at : 0;
    const auto ones =
        count_ones(table.kind, part.first(std::min<std::uint64_t>(in_table, part.size())));
    std::atomic_ref(facts_.ones[i]).fetch_add(ones, std::memory_order_relaxed);
  }

  void mark_dirty(std::size_t i) noexcept {
    std::size_t first = first_dirty_;
    while (i < first && !first_dirty_.compare_exchange_weak(first, i)) {
    }
  }

  const Payload& payload_;
  PayloadFacts facts_;
  std::atomic<std::uint64_t> next_piece_{0};
  std::atomic<std::size_t> first_dirty_{SIZE_MAX};
  std::mutex failure_mutex_;
  std::optional<Error> failure_;
};

}  // namespace

TablePlace table_place(Kind kind, std::uint64_t m, std::uint64_t offset) noexcept {
  const std::uint64_t bits_each = kind == Kind::kCounting ? 4 : 1;
  return {offset, table_bytes(kind, m), m * bits_each, kind};
}

// A table lies in several pieces, or a piece holds several tables: takes the common part of each.
void for_each_table(const Payload& payload, std::uint64_t offset, std::span<const std::byte> piece,
                    const TablePart& part) {
  const std::uint64_t end = offset + piece.size();
  for (std::size_t i = table_at(payload, offset); i < payload.table_count; ++i) {
    const TablePlace table = payload.table(i);
    if (table.offset >= end) return;
    const std::uint64_t table_end = table.offset + padded_table_size(table.size);
    const std::uint64_t from = std::max(table.offset, offset);
    const std::uint64_t to = std::min(table_end, end);
    part(i, table, from - table.offset, piece.subspan(from - offset, to - from));
  }
}

std::size_t table_at(const Payload& payload, std::uint64_t offset) {
  std::size_t low = 0;
  std::size_t high = payload.table_count;
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (payload.table(middle).offset <= offset ? low : high) = middle;
  }
  return low;
}

Result<PayloadFacts> scan_payload(const Payload& payload, unsigned threads) {
  return Scan(payload).run(threads);
}

}  // namespace bloomery
