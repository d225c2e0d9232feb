#include "partial/auto_encoder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "base/endian.h"
#include "filter/table_ops.h"
#include "partial/blocks.h"
#include "partial/encode.h"
#include "partial/gap_code.h"

namespace bloomery {
namespace {

using Bytes = std::vector<std::byte>;

// Hashes of one frame for a whole table. A hash takes less than 9 bytes, so it stays below 1 MiB.
constexpr std::size_t kHashesPerFrame = std::size_t{1} << 16U;

// Calls put(cell, times) for every cell above zero, in order, while it returns true.
template <unsigned kCellBits, typename Put>
void each_cell_of(std::span<const std::byte> table, const Put& put) {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kCellBits) - 1;
  const auto words = as_words(table);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::uint64_t word = words[i]; word != 0;) {
      const unsigned cell = static_cast<unsigned>(std::countr_zero(word)) / kCellBits;
      if (!put(i * (64 / kCellBits) + cell, word >> (cell * kCellBits) & kMask)) return;
      word &= ~(kMask << (cell * kCellBits));
    }
  }
}

template <typename Put>
void each_cell(Kind kind, std::span<const std::byte> table, const Put& put) {
  return kind == Kind::kCounting ? each_cell_of<4>(table, put) : each_cell_of<1>(table, put);
}

// How many insertions a block shows.
std::uint64_t count_raised(Kind kind, std::span<const std::byte> table) {
  if (kind != Kind::kCounting) return count_ones(kind, table);
  std::uint64_t sum = 0;
  each_cell(kind, table, [&](std::uint64_t, std::uint64_t value) {
    sum += value;
    return true;
  });
  return sum;
}

// The gaps between the raised cells of a block, or more than `limit` bytes where they take more.
void code_gaps(Kind kind, std::uint64_t cells, std::span<const std::byte> table,
               std::uint64_t raised, std::size_t limit, Bytes& out) {
  // Two bits are never at one place, so their gaps begin at 1; those of counters begin at 0.
  const std::uint64_t least = kind == Kind::kCounting ? 0 : 1;
  const auto range = static_cast<double>(cells - raised * least);
  out.clear();
  GapWriter writer(GolombDivisor::for_gaps(range, raised), out);
  std::uint64_t from = 0;
  each_cell(kind, table, [&](std::uint64_t cell, std::uint64_t times) {
    writer.put(cell - from);
    for (; times > 1; --times) writer.put(0);
    from = cell + least;
    return out.size() <= limit;
  });
  writer.finish();
}

// Requires sorted hashes, at least one.
void code_hashes(std::span<const std::uint64_t> hashes, Bytes& out) {
  out.resize(sizeof hashes[0]);
  store_le(out.data(), hashes.front());
  const auto range = static_cast<double>(hashes.back() - hashes.front());
  GapWriter writer(GolombDivisor::for_gaps(range, hashes.size() - 1), out);
  for (std::size_t i = 1; i < hashes.size(); ++i) writer.put(hashes[i] - hashes[i - 1]);
  writer.finish();
}

std::vector<std::uint64_t> sorted_hashes(const GroupKeys& keys) {
  std::vector<std::uint64_t> hashes;
  for (const auto piece : keys.hashes) {
    for (const KeyHash hash : piece) hashes.push_back(static_cast<std::uint64_t>(hash));
  }
  std::ranges::sort(hashes);
  // A key that comes twice counts twice only where there are counters.
  if (keys.spec->kind != Kind::kCounting) {
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  }
  return hashes;
}

class AutoEncoder {
 public:
  AutoEncoder(const GroupKeys& keys, const FilterView& filter, GroupBytes& facts,
              const EmitBlock& emit)
      : keys_(&keys),
        filter_(&filter),
        facts_(&facts),
        emit_(&emit),
        blocks_(filter.spec()),
        kind_(filter.spec().kind) {}

  Result<void> encode() {
    double entropy = 0;
    std::uint64_t raised = 0;
    for (std::uint32_t block = 0; block < blocks_.count(); ++block) {
      entropy += block_entropy_bytes(kind_, blocks_.cells(block).size(), table(block));
      raised += count_raised(kind_, table(block));
    }
    facts_->entropy_bytes += entropy;
    if (may_win_with_hashes(raised, entropy)) hashes_ = sorted_hashes(*keys_);
    if (kind_ == Kind::kBlocked || hashes_.empty()) return encode_blocks();
    return encode_whole();
  }

 private:
  // The payload of a block, empty for an empty one.
  struct Choice {
    Encoding encoding = Encoding::kRaw;
    std::span<const std::byte> payload;
  };

  [[nodiscard]] std::span<const std::byte> table(std::uint32_t block) const {
    return filter_->table().subspan(TableBlocks::first_byte(block), blocks_.bytes(block));
  }

  // Whether sorting may pay: random hashes take 64 - log2(n) + 1.5 bits each. The number of
  // distinct ones is at least what the raised cells need.
  [[nodiscard]] bool may_win_with_hashes(std::uint64_t raised, double entropy) const {
    if (keys_->hashes.empty() || raised == 0) return false;
    const double n = std::max(1.0, static_cast<double>(raised) / keys_->spec->hashes);
    return n * (65.5 - std::log2(n)) / 8 < entropy + static_cast<double>(keys_->group.size());
  }

  Choice choose_cells(std::uint32_t block) {
    const auto raw = table(block);
    const std::uint64_t raised = count_raised(kind_, raw);
    if (raised == 0) return {};
    const std::uint64_t cells = blocks_.cells(block).size();
    // With more bits than this the best code is one bit a cell, as it lies there.
    if (kind_ != Kind::kCounting && raised * 5 > raw.size() * 16) return {Encoding::kRaw, raw};
    code_gaps(kind_, cells, raw, raised, raw.size(), gaps_);
    if (gaps_.size() < raw.size()) return {Encoding::kGaps, gaps_};
    return {Encoding::kRaw, raw};
  }

  // The hashes of one block of the blocked kind, taken from the front of `rest`.
  std::span<const std::uint64_t> take_block(std::uint32_t block,
                                            std::span<const std::uint64_t>& rest) const {
    const auto end = std::ranges::partition_point(
        rest, [&](std::uint64_t hash) { return blocks_.of_line(KeyHash{hash}) <= block; });
    const auto taken = rest.first(static_cast<std::size_t>(end - rest.begin()));
    rest = rest.subspan(taken.size());
    return taken;
  }

  Result<void> encode_blocks() {
    std::span<const std::uint64_t> rest = hashes_;
    Bytes coded;
    for (std::uint32_t block = 0; block < blocks_.count(); ++block) {
      Choice choice = chosen_.empty() ? choose_cells(block) : chosen_[block];
      const auto hashes = take_block(block, rest);
      if (!hashes.empty()) {
        code_hashes(hashes, coded);
        if (coded.size() < choice.payload.size()) choice = {Encoding::kHashes, coded};
      }
      count_block(choice);
      if (choice.payload.empty()) continue;
      if (auto sent = emit(choice.encoding, block, choice.payload); !sent) return sent;
    }
    return {};
  }

  // All blocks as hashes, where that is less than all blocks one by one.
  Result<void> encode_whole() {
    std::vector<Bytes> frames;
    std::uint64_t weight = 0;
    for (std::span<const std::uint64_t> rest = hashes_; !rest.empty();) {
      const auto part = rest.first(std::min(kHashesPerFrame, rest.size()));
      rest = rest.subspan(part.size());
      code_hashes(part, frames.emplace_back());
      weight += frame_bytes(keys_->group, frames.back().size());
    }
    if (!is_below_blocks(weight)) {
      hashes_.clear();
      return encode_blocks();
    }
    kept_.clear();
    for (std::uint32_t block = 0; block < blocks_.count(); ++block) {
      ++(count_ones(kind_, table(block)) == 0 ? facts_->empty_blocks : facts_->hash_blocks);
    }
    const std::uint32_t place = blocks_.count() == 1 ? 0 : kWholeTable;
    for (const Bytes& frame : frames) {
      if (auto sent = emit(Encoding::kHashes, place, frame); !sent) return sent;
    }
    return {};
  }

  // Keeps what it chose, less than the table, so that no block is coded twice.
  bool is_below_blocks(std::uint64_t weight) {
    std::uint64_t sum = 0;
    for (std::uint32_t block = 0; block < blocks_.count() && sum <= weight; ++block) {
      Choice& choice = chosen_.emplace_back(choose_cells(block));
      if (choice.payload.empty()) continue;
      sum += frame_bytes(keys_->group, choice.payload.size());
      if (choice.encoding == Encoding::kGaps) choice.payload = kept_.emplace_back(gaps_);
    }
    return weight < sum;
  }

  void count_block(const Choice& choice) {
    if (choice.payload.empty()) {
      ++facts_->empty_blocks;
    } else if (choice.encoding == Encoding::kRaw) {
      ++facts_->raw_blocks;
    } else if (choice.encoding == Encoding::kGaps) {
      ++facts_->gap_blocks;
    } else {
      ++facts_->hash_blocks;
    }
  }

  Result<void> emit(Encoding encoding, std::uint32_t block, std::span<const std::byte> payload) {
    facts_->automatic += frame_bytes(keys_->group, payload.size());
    return *emit_ ? (*emit_)(encoding, block, payload) : Result<void>();
  }

  const GroupKeys* keys_;
  const FilterView* filter_;
  GroupBytes* facts_;
  const EmitBlock* emit_;
  TableBlocks blocks_;
  Kind kind_;
  std::vector<std::uint64_t> hashes_;  // sorted; empty where they cannot win
  Bytes gaps_;
  std::vector<Choice> chosen_;  // for all blocks, or none
  std::vector<Bytes> kept_;     // the gaps of those
};

}  // namespace

Result<void> encode_auto(const GroupKeys& keys, const FilterView& filter, GroupBytes& facts,
                         const EmitBlock& emit) {
  return AutoEncoder(keys, filter, facts, emit).encode();
}

}  // namespace bloomery
