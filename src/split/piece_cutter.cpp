#include "split/piece_cutter.h"

#include <algorithm>
#include <cstring>

#include "split/record_end.h"

namespace bloomery {
namespace {

// Enough of a record that is too long to show what it is.
constexpr std::size_t kShownBytes = 256;

bool has_odd_quotes(std::string_view text) noexcept {
  return std::count(text.begin(), text.end(), '"') % 2 != 0;
}

}  // namespace

Result<bool> PieceCutter::next(Slot& slot) {
  if (slot.buffer.size() < options_.piece_bytes) slot.buffer.resize(options_.piece_bytes);
  if (is_skipping_) {
    if (const auto skipped = skip_record(slot); !skipped) return skipped.error();
  }
  if (slot.buffer.size() < 2 * carry_.size()) slot.buffer.resize(2 * carry_.size());
  std::memcpy(slot.buffer.data(), carry_.data(), carry_.size());
  filled_ = carry_.size();
  carry_.clear();
  while (true) {
    const auto more = read_more(slot);
    if (!more) return more.error();
    const std::string_view text(slot.buffer.data(), filled_);
    const std::size_t end = *more ? last_record_end(text, options_.multiline) : filled_;
    if (end != kNoEnd) {
      hand_over(slot, end);
      return end > 0;
    }
    if (filled_ > options_.max_line) {
      hand_over_long(slot);
      return true;
    }
  }
}

// Adds what one read gives. False when there is nothing more to read.
Result<bool> PieceCutter::read_more(Slot& slot) {
  if (is_ended_) return false;
  if (filled_ == slot.buffer.size()) slot.buffer.resize(2 * slot.buffer.size());
  const auto got = source_->read(std::span(slot.buffer).subspan(filled_));
  if (!got) return got.error();
  filled_ += *got;
  is_ended_ = *got == 0;
  return !is_ended_;
}

void PieceCutter::hand_over(Slot& slot, std::size_t end) {
  slot.piece = {{slot.buffer.data(), end}, offset_, false};
  carry_.assign(slot.buffer.data() + end, filled_ - end);
  offset_ += end;
}

void PieceCutter::hand_over_long(Slot& slot) {
  const std::string_view text(slot.buffer.data(), filled_);
  slot.piece = {text.substr(0, kShownBytes), offset_, true};
  is_skipping_ = true;
  is_inside_quotes_ = options_.multiline && has_odd_quotes(text);
  offset_ += filled_;
}

Result<void> PieceCutter::skip_record(Slot& slot) {
  while (is_skipping_) {
    filled_ = 0;
    const auto more = read_more(slot);
    if (!more) return more.error();
    if (!*more) is_skipping_ = false;
    const std::string_view text(slot.buffer.data(), filled_);
    std::size_t begin = 0;
    while (is_skipping_ && begin < text.size()) {
      const std::size_t line_feed = std::min(text.find('\n', begin), text.size());
      if (options_.multiline && has_odd_quotes(text.substr(begin, line_feed - begin))) {
        is_inside_quotes_ = !is_inside_quotes_;
      }
      is_skipping_ = line_feed == text.size() || is_inside_quotes_;
      begin = std::min(line_feed + 1, text.size());
    }
    carry_ = text.substr(begin);
    offset_ += begin;
  }
  return {};
}

}  // namespace bloomery
