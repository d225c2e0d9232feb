// Goes over the tables of a bank once, on all threads: checksums, ones, and gaps that must be zero.
//
//   takes   the payload, piece by piece, and where the tables lie in it
//   gives   what stands in the head about it
//
// The writer stores the result, the reader compares. One pass for all three, because at memory
// speed the reading is the cost, and a piece that was just hashed is still in the cache to be
// counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "bloomery/result.h"
#include "bloomery/spec.h"

namespace bloomery {

// A table in the payload. Offsets count from the payload's start.
struct TablePlace {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t used_bits = 0;  // what lies behind them, to the next table, must be zero
  Kind kind = Kind::kClassic;
};

// Of m and the kind's 1 or 4 bits.
[[nodiscard]] TablePlace table_place(Kind kind, std::uint64_t m, std::uint64_t offset) noexcept;

struct Payload {
  std::uint64_t size = 0;
  std::size_t table_count = 0;
  std::function<TablePlace(std::size_t)> table;  // in order of offset
  // Called once by each thread; gives that thread's way to get a piece of the payload. The piece
  // stays valid until the next call.
  using ReadPiece =
      std::function<Result<std::span<const std::byte>>(std::uint64_t offset, std::size_t size)>;
  std::function<ReadPiece()> reader;
};

struct PayloadFacts {
  std::vector<std::uint64_t> checksums;  // of each block
  std::vector<std::uint64_t> ones;       // of each table
  std::optional<std::size_t> dirty;      // the first table with a gap that is not zero
};

Result<PayloadFacts> scan_payload(const Payload& payload, unsigned threads);

// Calls part(i, table, at, bytes) for every table that lies in a piece of the payload, whole or in
// part: `bytes` are those of table i, and of the gap behind it, from its byte `at` on.
using TablePart = std::function<void(std::size_t i, const TablePlace& table, std::uint64_t at,
                                     std::span<const std::byte> bytes)>;
void for_each_table(const Payload& payload, std::uint64_t offset, std::span<const std::byte> piece,
                    const TablePart& part);

// The table that holds the byte at `offset` or the gap behind it. Requires a table at or before it.
[[nodiscard]] std::size_t table_at(const Payload& payload, std::uint64_t offset);

}  // namespace bloomery
