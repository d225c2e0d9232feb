#include "engines/hadoop/keyed_lines.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/error.h"

namespace bloomery::hadoop {
namespace {

constexpr std::size_t kLineBytes = std::size_t{128} << 10U;

}  // namespace

// Without its LF. False at the end.
Result<bool> KeyedLines::read_line(std::string& line) {
  line.clear();
  while (true) {
    const std::size_t end = buffer_.find('\n', at_);
    if (end != std::string::npos) {
      line.append(buffer_, at_, end - at_);
      at_ = end + 1;
      return true;
    }
    line.append(buffer_, at_);
    buffer_.resize(kLineBytes);
    const auto got = source_->read(buffer_);
    if (!got) return got.error();
    buffer_.resize(*got);
    at_ = 0;
    if (*got == 0) return !line.empty();
  }
}

// The next line into line_ and offset_. False at the end.
Result<bool> KeyedLines::read_keyed() {
  auto got = read_line(line_);
  if (!got || !*got) return got;
  const std::size_t tab = line_.find('\t');
  const char* const end = line_.data() + std::min(tab, line_.size());
  const auto [rest, error] = std::from_chars(line_.data(), end, offset_);
  if (tab == std::string::npos || error != std::errc() || rest != end) {
    return make_error(ErrorCode::kDamaged, "Hadoop gave a line without its offset");
  }
  line_.erase(0, tab + 1);
  offset_ = std::max(offset_, first_);
  return true;
}

Result<std::optional<std::uint64_t>> KeyedLines::start() {
  const auto got = read_keyed();
  if (!got) return got.error();
  has_line_ = *got;
  return has_line_ ? std::optional(offset_) : std::nullopt;
}

Result<std::size_t> KeyedLines::read(std::span<char> to) {
  if (given_ == ready_.size()) {
    ready_.clear();
    given_ = 0;
    while (has_line_ && ready_.size() < kLineBytes) {
      ready_ += line_;
      const std::uint64_t end = offset_ + line_.size();
      const auto got = read_keyed();
      if (!got) return got.error();
      has_line_ = *got;
      if (has_line_ && offset_ == end + 2) ready_ += '\r';
      if (has_line_ && (offset_ <= end || offset_ > end + 2)) {
        return make_error(ErrorCode::kDamaged,
                          "a line at byte {} follows one that ends at byte {}; --tasks reads such "
                          "a file",
                          offset_, end);
      }
      ready_ += '\n';
    }
  }
  const std::size_t count = std::min(to.size(), ready_.size() - given_);
  std::memcpy(to.data(), ready_.data() + given_, count);
  given_ += count;
  return count;
}

}  // namespace bloomery::hadoop
