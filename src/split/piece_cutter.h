// The work of PieceReader without its thread: fills one buffer after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "split/piece_reader.h"

namespace bloomery {

class PieceCutter {
 public:
  // A piece and the memory it lies in.
  struct Slot {
    std::vector<char> buffer;
    Piece piece;
  };

  PieceCutter(std::unique_ptr<ByteSource> source, const PieceReader::Options& options)
      : source_(std::move(source)), options_(options) {}

  // Puts the next piece into `slot`. False at the end.
  Result<bool> next(Slot& slot);

 private:
  Result<bool> read_more(Slot& slot);
  Result<void> skip_record(Slot& slot);
  void hand_over(Slot& slot, std::size_t end);
  void hand_over_long(Slot& slot);

  std::unique_ptr<ByteSource> source_;
  PieceReader::Options options_;
  std::string carry_;         // the beginning of a record whose end has not been read
  std::uint64_t offset_ = 0;  // of the carry's first byte
  std::size_t filled_ = 0;    // bytes in the slot at work
  bool is_ended_ = false;
  bool is_skipping_ = false;       // inside a record that is too long
  bool is_inside_quotes_ = false;  // where the skipping stands
};

}  // namespace bloomery
