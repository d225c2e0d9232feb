#include "merge/merge_frame.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/endian.h"
#include "base/error.h"
#include "filter/cells.h"
#include "filter/table_ops.h"
#include "partial/gap_code.h"

namespace bloomery {
namespace {

class FrameMerger {
 public:
  FrameMerger(const Frame& frame, const FilterSpec& spec, TableWindow window)
      : frame_(&frame),
        spec_(&spec),
        window_(window),
        blocks_(spec),
        first_cell_(window.first_byte * (spec.kind == Kind::kCounting ? 2 : 8)),
        window_cells_(window.bytes.size() * (spec.kind == Kind::kCounting ? 2 : 8)),
        cells_{spec.kind, as_words(window.bytes).data(), spec.bits, spec.hashes} {}

  Result<void> merge() {
    auto merged = merge_any();
    flush();
    return merged;
  }

 private:
  Result<void> merge_any() {
    if (frame_->block == kWholeTable) {
      if (frame_->encoding != Encoding::kHashes || spec_->kind == Kind::kBlocked) {
        return refused("only hashes can be for a whole table, and not of the blocked kind");
      }
      return merge_hashes();
    }
    if (frame_->block >= blocks_.count()) {
      return refused(fmt::format("the table has only {} blocks", blocks_.count()));
    }
    block_ = blocks_.cells(frame_->block);
    const std::uint64_t first = TableBlocks::first_byte(frame_->block);
    if (first < window_.first_byte ||
        first + blocks_.bytes(frame_->block) > window_.first_byte + window_.bytes.size()) {
      return refused("not the block that is being merged");
    }
    switch (frame_->encoding) {
      case Encoding::kRaw:
        return merge_raw();
      case Encoding::kPositions:
        return merge_positions();
      case Encoding::kGaps:
        return merge_gaps();
      case Encoding::kHashes:
        if (spec_->kind != Kind::kBlocked && blocks_.count() > 1) {
          return refused("hashes of this kind are for the whole table");
        }
        return merge_hashes();
      case Encoding::kTrailer:
        break;
    }
    return refused("a trailer has no cells");
  }

  [[nodiscard]] Error refused(std::string_view what) const {
    return make_error(ErrorCode::kDamaged, "{}: {}; run the task again", describe(*frame_), what);
  }

  // In batches, so that lines are asked for ahead of use.
  void raise(std::uint64_t cell) {
    batch_[waiting_++] = cell - first_cell_;
    if (waiting_ == batch_.size()) flush();
  }
  void flush() {
    insert_positions(cells_, std::span(batch_).first(waiting_));
    waiting_ = 0;
  }

  // Through a small aligned piece, because a payload may lie anywhere.
  Result<void> merge_raw() {
    const std::uint64_t size = blocks_.bytes(frame_->block);
    const auto payload = frame_->payload;
    if (payload.size() != size) {
      return refused(fmt::format("{} bytes for a block of {}", payload.size(), size));
    }
    const std::uint64_t used = spec_->bits * (spec_->kind == Kind::kCounting ? 4 : 1) % 64;
    if (frame_->block + 1 == blocks_.count() && used != 0 &&
        (load_le<std::uint64_t>(payload.data() + size - 8) >> used) != 0) {
      return refused("not zero past the last cell of the table");
    }
    alignas(8) std::array<std::byte, 4096> piece;
    const std::uint64_t to = TableBlocks::first_byte(frame_->block) - window_.first_byte;
    for (std::uint64_t at = 0; at < size; at += piece.size()) {
      const std::size_t length = std::min<std::uint64_t>(piece.size(), size - at);
      std::memcpy(piece.data(), payload.data() + at, length);
      merge_tables(spec_->kind, window_.bytes.subspan(to + at, length),
                   std::span(piece).first(length));
    }
    return {};
  }

  Result<void> merge_positions() {
    const auto payload = frame_->payload;
    const unsigned width = blocks_.position_width();
    if (payload.size() % width != 0) return refused("ends within a position");
    for (std::size_t at = 0; at < payload.size(); at += width) {
      const std::byte* from = payload.data() + at;
      const std::uint64_t cell =
          width == 4 ? load_le<std::uint32_t>(from) : load_le<std::uint64_t>(from);
      if (cell < block_.begin || cell >= block_.end) {
        return refused(fmt::format("byte {}: position {} lies outside", at, cell));
      }
      raise(cell);
    }
    return {};
  }

  // Gaps for bits begin at 1, those for counters at 0; the first one counts from the block's start.
  Result<void> merge_gaps() {
    if (spec_->kind == Kind::kCounting) {
      return merge_gaps_of(0, [this](std::uint64_t cell) { raise(cell); });
    }
    // They rise, so there is nothing to ask for ahead of use.
    std::uint64_t* const words = cells_.words;
    const std::uint64_t first = first_cell_;
    return merge_gaps_of(1, [=](std::uint64_t cell) {
      words[(cell - first) / 64] |= std::uint64_t{1} << ((cell - first) % 64);
    });
  }

  template <typename Raise>
  Result<void> merge_gaps_of(std::uint64_t least, const Raise& raise_cell) {
    const auto divisor =
        frame_->payload.empty() ? std::nullopt : GolombDivisor::from_byte(frame_->payload[0]);
    if (!divisor) return refused("no divisor of gaps");
    GapReader reader(*divisor, frame_->payload.subspan(1));
    const std::uint64_t end = block_.end;
    std::uint64_t gap = 0;
    for (std::uint64_t from = block_.begin; from < end; from += gap + least) {
      const auto status = reader.next(end - 1 - from, gap);
      if (status == GapReader::Status::kEnd) return {};
      if (status == GapReader::Status::kDamaged) return refused("a gap that is none, or too large");
      raise_cell(from + gap);
    }
    return reader.next(0, gap) == GapReader::Status::kEnd
               ? Result<void>()
               : refused("more gaps than the block has cells");
  }

  Result<void> merge_hashes() {
    const auto payload = frame_->payload;
    const auto divisor = payload.size() < 9 ? std::nullopt : GolombDivisor::from_byte(payload[8]);
    if (!spec_->takes_hashes()) return refused("hashes for a filter that takes none");
    if (!divisor) return refused("no first hash and divisor");
    GapReader reader(*divisor, payload.subspan(9));
    auto hash = load_le<std::uint64_t>(payload.data());
    while (true) {
      if (!insert(KeyHash{hash})) return refused("a hash that belongs to another block");
      std::uint64_t gap = 0;
      const auto status = reader.next(UINT64_MAX - hash, gap);
      if (status == GapReader::Status::kEnd) return {};
      if (status == GapReader::Status::kDamaged) return refused("a gap that is none, or too large");
      hash += gap;
    }
  }

  bool insert(KeyHash hash) {
    if (spec_->kind == Kind::kBlocked && blocks_.of_line(hash) != frame_->block) return false;
    each_position(*spec_, hash, [&](std::uint64_t cell) {
      if (cell - first_cell_ < window_cells_) raise(cell);
    });
    return true;
  }

  const Frame* frame_;
  const FilterSpec* spec_;
  TableWindow window_;
  TableBlocks blocks_;
  std::uint64_t first_cell_;
  std::uint64_t window_cells_;
  Cells cells_;
  BlockCells block_;
  std::array<std::uint64_t, 512> batch_{};
  std::size_t waiting_ = 0;
};

}  // namespace

Result<void> merge_frame(const Frame& frame, const FilterSpec& spec, TableWindow window) {
  return FrameMerger(frame, spec, window).merge();
}

}  // namespace bloomery
