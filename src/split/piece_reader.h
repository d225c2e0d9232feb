// Cuts a stream into large pieces of whole records.
//
//   takes   a source of bytes, from input/
//   gives   pieces, to the parser
//
// For what cannot be mapped: pipes and compressed files. With `read_ahead` a thread of its own
// fills the next pieces while the last one is being used, so that a compressed file costs its
// decompression and little more; the price is that thread. A record that is longer than the buffer
// makes the buffer grow, up to `max_line`; beyond that only its first bytes are handed over and the
// rest is skipped, never kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "bloomery/result.h"
#include "input/byte_source.h"

namespace bloomery {

inline constexpr std::uint64_t kDefaultMaxLine = std::uint64_t{1} << 20U;

struct Piece {
  // Whole records with their ends; only the last record of an input may lack its LF.
  std::string_view bytes;
  // Where they begin in the text of the input.
  std::uint64_t offset = 0;
  // `bytes` is only the beginning of one record, which is longer than `max_line`.
  bool is_over_long = false;
};

class PieceReader {
 public:
  struct Options {
    std::size_t piece_bytes = std::size_t{256} << 10U;
    std::uint64_t max_line = kDefaultMaxLine;
    bool multiline = false;
    bool read_ahead = false;
  };

  PieceReader(std::unique_ptr<ByteSource> source, const Options& options);
  PieceReader(PieceReader&& other) noexcept;
  PieceReader& operator=(PieceReader&& other) noexcept;
  ~PieceReader();

  // The next piece, or nothing at the end of the source. A piece is good until the next call.
  Result<std::optional<Piece>> next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bloomery
