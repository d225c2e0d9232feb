#include "split/piece_reader.h"

#include <array>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "split/piece_cutter.h"

namespace bloomery {
namespace {

// One being used, one being filled, and two for when the two run unevenly.
constexpr std::size_t kSlots = 4;

}  // namespace

struct PieceReader::State {
  State(std::unique_ptr<ByteSource> source, const Options& options)
      : cutter(std::move(source), options) {
    if (options.read_ahead) filler = std::thread([this] { fill_all(); });
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    {
      const std::lock_guard lock(mutex);
      is_stopped = true;
    }
    changed.notify_all();
    if (filler.joinable()) filler.join();
  }

  // No exception may leave the thread.
  Result<bool> next_slot() noexcept {
    try {
      return cutter.next(slots[filled % kSlots]);
    } catch (const std::bad_alloc&) {
      return Error{ErrorCode::kResource, "no memory for the next piece of input"};
    }
  }

  // Runs on the thread that reads ahead. Slots between `used` and `filled` are the consumer's.
  void fill_all() {
    while (true) {
      {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return is_stopped || filled - used < kSlots; });
        if (is_stopped) return;
      }
      Result<bool> got = next_slot();
      const bool has_more = got && *got;
      {
        const std::lock_guard lock(mutex);
        if (has_more) {
          ++filled;
        } else {
          end = std::move(got);
        }
      }
      changed.notify_all();
      if (!has_more) return;
    }
  }

  Result<std::optional<Piece>> next_ahead() {
    std::unique_lock lock(mutex);
    if (is_using) {
      ++used;
      changed.notify_all();
    }
    changed.wait(lock, [&] { return filled > used || end.has_value(); });
    is_using = filled > used;
    if (is_using) return std::optional(slots[used % kSlots].piece);
    if (!*end) return end->error();
    return std::optional<Piece>();
  }

  PieceCutter cutter;
  std::array<PieceCutter::Slot, kSlots> slots;
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t filled = 0;
  std::size_t used = 0;
  bool is_using = false;
  bool is_stopped = false;
  std::optional<Result<bool>> end;  // false at the end of the source, or why it failed
  std::thread filler;
};

PieceReader::PieceReader(std::unique_ptr<ByteSource> source, const Options& options)
    : state_(std::make_unique<State>(std::move(source), options)) {}
PieceReader::PieceReader(PieceReader&&) noexcept = default;
PieceReader& PieceReader::operator=(PieceReader&&) noexcept = default;
PieceReader::~PieceReader() = default;

Result<std::optional<Piece>> PieceReader::next() {
  if (state_->filler.joinable()) return state_->next_ahead();
  PieceCutter::Slot& slot = state_->slots[0];
  const auto got = state_->cutter.next(slot);
  if (!got) return got.error();
  return *got ? std::optional(slot.piece) : std::nullopt;
}

}  // namespace bloomery
