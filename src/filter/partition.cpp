#include "filter/partition.h"

#include <algorithm>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bloomery {
namespace {

// Writes whole cache lines without reading them first. Both places must be 16-byte aligned.
void stream_lines(void* to, const void* from, std::size_t bytes) noexcept {
#if defined(__SSE2__)
  auto* target = static_cast<__m128i*>(to);
  const auto* source = static_cast<const __m128i*>(from);
  for (std::size_t i = 0; i < bytes / sizeof(__m128i); ++i) {
    _mm_stream_si128(target + i, _mm_load_si128(source + i));
  }
#else
  std::memcpy(to, from, bytes);
#endif
}

// Streamed lines become visible to other threads.
void stream_fence() noexcept {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace

template <bool WithIds>
Partition<WithIds>::Partition(std::size_t parts, std::size_t capacity)
    : values_(pieces_for(parts, capacity) * kPiece * sizeof(std::uint64_t)),
      ids_(WithIds ? pieces_for(parts, capacity) * kPiece * sizeof(std::uint32_t) : 0),
      stages_(parts),
      filled_(parts),
      first_(parts),
      last_(parts),
      last_size_(parts),
      next_(pieces_for(parts, capacity)) {
  reset();
}

template <bool WithIds>
void Partition<WithIds>::reset() noexcept {
  std::fill(filled_.begin(), filled_.end(), 0);
  std::fill(first_.begin(), first_.end(), kNone);
  std::fill(last_.begin(), last_.end(), kNone);
  std::fill(last_size_.begin(), last_size_.end(), 0);
  used_pieces_ = 0;
}

template <bool WithIds>
void Partition<WithIds>::make_room(std::size_t part) noexcept {
  const bool is_first = last_[part] == kNone;
  if (!is_first && last_size_[part] < kPiece) return;
  const std::uint32_t piece = used_pieces_++;
  (is_first ? first_[part] : next_[last_[part]]) = piece;
  next_[piece] = kNone;
  last_[part] = piece;
  last_size_[part] = 0;
}

template <bool WithIds>
void Partition<WithIds>::flush(std::size_t part) noexcept {
  make_room(part);
  const Stage& stage = stages_[part];
  const std::uint32_t at = last_size_[part];
  stream_lines(values_of(last_[part]) + at, stage.values.data(), sizeof stage.values);
  if constexpr (WithIds) {
    stream_lines(ids_of(last_[part]) + at, stage.ids.data(), sizeof stage.ids);
  }
  last_size_[part] = at + static_cast<std::uint32_t>(kStage);
}

template <bool WithIds>
void Partition<WithIds>::finish() noexcept {
  for (std::size_t part = 0; part < stages_.size(); ++part) {
    if (filled_[part] == 0) continue;
    make_room(part);
    const std::uint32_t at = last_size_[part];
    const Stage& stage = stages_[part];
    std::copy_n(stage.values.data(), filled_[part], values_of(last_[part]) + at);
    if constexpr (WithIds) {
      std::copy_n(stage.ids.data(), filled_[part], ids_of(last_[part]) + at);
    }
    last_size_[part] = at + filled_[part];
  }
  stream_fence();
}

template class Partition<false>;
template class Partition<true>;

}  // namespace bloomery
