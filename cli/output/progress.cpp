#include "cli/output/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/output/numbers.h"
#include "cli/output/writer.h"

namespace bloomery::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kPoll{20};
constexpr milliseconds kBetweenDraws{100};
constexpr milliseconds kBetweenLines{10'000};
// What a quick job need not show.
constexpr milliseconds kBeforeFirst{300};

void put_error(const std::string& text) {
  Writer error(STDERR_FILENO, "standard error");
  error.put(text);
  error.flush();
}

}  // namespace

std::string progress_line(const JobProgress& progress, double seconds) {
  const std::uint64_t bytes = progress.bytes;
  const std::uint64_t total = progress.total_bytes;
  const double speed = seconds > 0 ? static_cast<double>(bytes) / seconds : 0;
  std::string line = fmt::format("{:<9}", progress.step.load());
  if (total > 0) {
    const double share = std::min(1.0, static_cast<double>(bytes) / static_cast<double>(total));
    line += fmt::format(" {:3.0f} %  {} of {}", share * 100, size_text(bytes), size_text(total));
  } else {
    line += " " + size_text(bytes);
  }
  line += fmt::format("  {} records  {}/s", grouped(progress.records),
                      size_text(static_cast<std::uint64_t>(speed)));
  if (total > bytes && speed > 0) {
    line += fmt::format("  ETA {}", duration(static_cast<double>(total - bytes) / speed));
  }
  return line;
}

ProgressBar::ProgressBar(const Console& console, const JobProgress& progress)
    : console_(&console),
      progress_(&progress),
      is_bar_(console.shows_progress()),
      start_(steady_clock::now()) {
  if (is_bar_ || console.is_verbose()) thread_ = std::thread([this] { show(); });
}

ProgressBar::~ProgressBar() {
  is_done_ = true;
  if (thread_.joinable()) thread_.join();
}

void ProgressBar::show() {
  const milliseconds between = is_bar_ ? kBetweenDraws : kBetweenLines;
  auto next = start_ + (is_bar_ ? kBeforeFirst : kBetweenLines);
  bool has_drawn = false;
  while (!is_done_) {
    std::this_thread::sleep_for(kPoll);
    const auto now = steady_clock::now();
    if (now < next) continue;
    next = now + between;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const std::string line = progress_line(*progress_, seconds);
    if (is_bar_) {
      put_error("\r\x1b[K" + line);
      has_drawn = true;
    } else {
      console_->note(line);
    }
  }
  if (has_drawn) put_error("\r\x1b[K");
}

}  // namespace bloomery::cli
