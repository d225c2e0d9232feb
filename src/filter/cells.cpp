#include "filter/cells.h"

#include <algorithm>
#include <array>

#include "filter/positions.h"

namespace bloomery {
namespace {

struct BitCell {
  static constexpr std::uint64_t kPerWord = 64;
  static bool test(std::uint64_t word, std::uint64_t position) {
    return ((word >> (position % kPerWord)) & 1U) != 0;
  }
  static std::uint64_t raised(std::uint64_t word, std::uint64_t position) {
    return word | (std::uint64_t{1} << (position % kPerWord));
  }
};

struct CounterCell {
  static constexpr std::uint64_t kPerWord = 16;
  static constexpr std::uint64_t kFull = 15;
  static std::uint64_t shift(std::uint64_t position) { return 4 * (position % kPerWord); }
  static std::uint64_t value(std::uint64_t word, std::uint64_t position) {
    return (word >> shift(position)) & kFull;
  }
  static bool test(std::uint64_t word, std::uint64_t position) {
    return value(word, position) != 0;
  }
  static std::uint64_t raised(std::uint64_t word, std::uint64_t position) {
    return value(word, position) == kFull ? word : word + (std::uint64_t{1} << shift(position));
  }
  static std::uint64_t lowered(std::uint64_t word, std::uint64_t position) {
    const std::uint64_t now = value(word, position);
    return now == kFull || now == 0 ? word : word - (std::uint64_t{1} << shift(position));
  }
};

// How far ahead of use a line is asked for.
constexpr std::size_t kAhead = 32;

template <typename Cell>
class CellLoops {
 public:
  // Positions go through a ring, so that each is used kAhead positions after its line was asked
  // for.
  static void insert(const Cells& cells, std::span<const KeyHash> hashes) {
    std::array<std::uint64_t, kAhead> ring;
    std::size_t made = 0;
    for (const KeyHash hash : hashes) {
      PositionSequence sequence(hash, cells.bits);
      for (std::uint32_t i = 0; i < cells.hashes; ++i, ++made) {
        std::uint64_t& slot = ring[made % kAhead];
        if (made >= kAhead) raise(cells.words, slot);
        slot = sequence.next();
        __builtin_prefetch(cells.words + slot / Cell::kPerWord, 1);
      }
    }
    const std::size_t waiting = std::min(made, kAhead);
    for (std::size_t i = 0; i < waiting; ++i)
      raise(cells.words, ring[(made - waiting + i) % kAhead]);
  }

  static void insert(const Cells& cells, std::span<const std::uint64_t> positions) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const std::size_t ahead = std::min(i + kAhead, positions.size() - 1);
      __builtin_prefetch(cells.words + positions[ahead] / Cell::kPerWord, 1);
      raise(cells.words, positions[i]);
    }
  }

  static bool test(const std::uint64_t* words, std::uint64_t position) {
    return Cell::test(words[position / Cell::kPerWord], position);
  }

  static bool query_one(const Probe& probe, KeyHash hash) {
    PositionSequence sequence(hash, probe.size);
    for (std::uint32_t i = 0; i < probe.hashes; ++i) {
      if (!test(probe.words, sequence.next())) return false;
    }
    return true;
  }

  static void query(const ConstCells& cells, std::span<const KeyHash> hashes,
                    std::uint64_t* answers) {
    std::fill_n(answers, (hashes.size() + 63) / 64, 0);
    for (std::size_t start = 0; start < hashes.size(); start += kRound) {
      const auto round = hashes.subspan(start, std::min(kRound, hashes.size() - start));
      query_round(cells, round, answers + start / 64);
    }
  }

 private:
  // A key that may still be in the filter: its place in the round and its next position's state.
  struct Candidate {
    std::uint64_t state;
    std::uint64_t place;
  };
  static constexpr std::size_t kRound = 1024;
  using Round = std::array<Candidate, kRound + kAhead>;

  static void raise(std::uint64_t* words,  // NOLINT(*-non-const-parameter): written through
                    std::uint64_t position) {
    std::uint64_t& word = words[position / Cell::kPerWord];
    word = Cell::raised(word, position);
  }

  static void query_round(const ConstCells& cells, std::span<const KeyHash> hashes,
                          std::uint64_t* answers) {  // NOLINT(*-non-const-parameter)
    Round round;
    std::size_t live = hashes.size();
    for (std::size_t i = 0; i < live; ++i) round[i] = {static_cast<std::uint64_t>(hashes[i]), i};
    for (std::uint32_t i = 0; i < cells.hashes && live > 0; ++i) live = sift(cells, round, live);
    for (std::size_t i = 0; i < live; ++i) {
      answers[round[i].place / 64] |= std::uint64_t{1} << (round[i].place % 64);
    }
  }

  // Looks at one position of every candidate, and moves those that pass to the front.
  static std::size_t sift(const ConstCells& cells, Round& round, std::size_t live) {
    const auto prefetch = [&](const Candidate& candidate) {
      __builtin_prefetch(cells.words + scale(candidate.state, cells.bits) / Cell::kPerWord);
    };
    for (std::size_t i = 0; i < std::min(live, kAhead); ++i) prefetch(round[i]);
    // Past the end, the loop below asks for lines that are here already.
    std::fill_n(round.begin() + static_cast<std::ptrdiff_t>(live), kAhead, round[live - 1]);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < live; ++i) {
      prefetch(round[i + kAhead]);
      const Candidate candidate = round[i];
      round[kept] = {PositionSequence::advance(candidate.state), candidate.place};
      kept += static_cast<std::size_t>(test(cells.words, scale(candidate.state, cells.bits)));
    }
    return kept;
  }
};

using BitLoops = CellLoops<BitCell>;
using CounterLoops = CellLoops<CounterCell>;

}  // namespace

void insert_cells(const Cells& cells, std::span<const KeyHash> hashes) noexcept {
  return cells.kind == Kind::kCounting ? CounterLoops::insert(cells, hashes)
                                       : BitLoops::insert(cells, hashes);
}

void insert_positions(const Cells& cells, std::span<const std::uint64_t> positions) noexcept {
  return cells.kind == Kind::kCounting ? CounterLoops::insert(cells, positions)
                                       : BitLoops::insert(cells, positions);
}

void remove_positions(const Cells& cells, std::span<const std::uint64_t> positions) noexcept {
  for (const std::uint64_t position : positions) {
    std::uint64_t& word = cells.words[position / CounterCell::kPerWord];
    word = CounterCell::lowered(word, position);
  }
}

bool query_cell(const ConstCells& cells, std::uint64_t position) noexcept {
  return cells.kind == Kind::kCounting ? CounterLoops::test(cells.words, position)
                                       : BitLoops::test(cells.words, position);
}

bool query_bits(const Probe& probe, KeyHash hash) noexcept {
  return BitLoops::query_one(probe, hash);
}

bool query_counters(const Probe& probe, KeyHash hash) noexcept {
  return CounterLoops::query_one(probe, hash);
}

void query_cells(const ConstCells& cells, std::span<const KeyHash> hashes,
                 std::uint64_t* answers) noexcept {
  return cells.kind == Kind::kCounting ? CounterLoops::query(cells, hashes, answers)
                                       : BitLoops::query(cells, hashes, answers);
}

}  // namespace bloomery
