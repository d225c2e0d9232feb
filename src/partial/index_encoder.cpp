#include "partial/index_encoder.h"

#include <algorithm>

#include "base/endian.h"
#include "partial/blocks.h"

namespace bloomery {
namespace {

// Positions of a round. The more there are, the fewer frames a table of many blocks takes; these
// take 16 MiB, or 32 above 2^32 cells.
constexpr std::size_t kRoundPositions = std::size_t{1} << 22U;

template <typename T>
using Pieces = std::span<const std::span<const T>>;

template <typename Visit>
void positions_of(const FilterSpec& spec, std::span<const KeyHash> hashes, const Visit& visit) {
  for (const KeyHash hash : hashes) each_position(spec, hash, visit);
}
template <typename Visit>
void positions_of(const FilterSpec& /*spec*/, std::span<const std::uint64_t> positions,
                  const Visit& visit) {
  for (const std::uint64_t position : positions) visit(position);
}

class IndexEncoder {
 public:
  IndexEncoder(const GroupKeys& keys, GroupBytes& facts, const EmitBlock& emit)
      : keys_(&keys), facts_(&facts), emit_(&emit), blocks_(*keys.spec), ends_(blocks_.count()) {}

  // Cuts the pieces into rounds of `size` keys or positions.
  template <typename T>
  Result<void> encode(Pieces<T> pieces, std::size_t size) {
    std::vector<std::span<const T>> round;
    std::size_t room = size;
    for (auto piece : pieces) {
      while (!piece.empty()) {
        round.push_back(piece.first(std::min(room, piece.size())));
        piece = piece.subspan(round.back().size());
        room -= round.back().size();
        if (room > 0) continue;
        if (auto done = encode_round<T>(round); !done) return done;
        round.clear();
        room = size;
      }
    }
    return encode_round<T>(round);
  }

 private:
  template <typename T>
  Result<void> encode_round(Pieces<T> pieces) {
    count<T>(pieces);
    weigh();
    if (!*emit_) return {};
    place<T>(pieces);
    return emit_round();
  }

  // How many positions each block has; then, where each block's start in the sorted round.
  template <typename T>
  void count(Pieces<T> pieces) {
    std::ranges::fill(ends_, 0);
    for (const auto piece : pieces) {
      positions_of(*keys_->spec, piece, [&](std::uint64_t p) { ++ends_[blocks_.of_cell(p)]; });
    }
  }

  void weigh() {
    for (const std::uint64_t positions : ends_) {
      const std::uint64_t bytes = positions * blocks_.position_width();
      const std::uint64_t frames = (bytes + kMaxPayload - 1) / kMaxPayload;
      facts_->indexes += frames * frame_bytes(keys_->group, 0) + bytes;
    }
  }

  template <typename T>
  void place(Pieces<T> pieces) {
    std::uint64_t sum = 0;
    for (std::uint64_t& end : ends_) sum += std::exchange(end, sum);
    const unsigned width = blocks_.position_width();
    sorted_.resize(sum * width);
    for (const auto piece : pieces) {
      positions_of(*keys_->spec, piece, [&](std::uint64_t position) {
        std::byte* to = sorted_.data() + ends_[blocks_.of_cell(position)]++ * width;
        if (width == 4) {
          store_le(to, static_cast<std::uint32_t>(position));
        } else {
          store_le(to, position);
        }
      });
    }
  }

  Result<void> emit_round() {
    std::uint64_t at = 0;
    for (std::uint32_t block = 0; block < blocks_.count(); ++block) {
      const std::uint64_t end = ends_[block] * blocks_.position_width();
      while (at < end) {
        const auto payload = std::span(sorted_).subspan(at, std::min(kMaxPayload, end - at));
        if (auto sent = (*emit_)(Encoding::kPositions, block, payload); !sent) return sent;
        at += payload.size();
      }
    }
    return {};
  }

  const GroupKeys* keys_;
  GroupBytes* facts_;
  const EmitBlock* emit_;
  TableBlocks blocks_;
  std::vector<std::uint64_t> ends_;  // a number for each block
  std::vector<std::byte> sorted_;    // the round's positions, block after block
};

}  // namespace

Result<void> encode_indexes(const GroupKeys& keys, GroupBytes& facts, const EmitBlock& emit) {
  IndexEncoder encoder(keys, facts, emit);
  if (!keys.spec->takes_hashes()) return encoder.encode(keys.positions, kRoundPositions);
  return encoder.encode(keys.hashes, kRoundPositions / keys.spec->hashes);
}

}  // namespace bloomery
