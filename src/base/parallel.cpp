#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace bloomery {

unsigned thread_count(unsigned requested) noexcept {
  return requested != 0 ? requested : std::max(1U, std::thread::hardware_concurrency());
}

void parallel_for(unsigned threads, std::size_t count,
                  const std::function<void(std::size_t)>& work) {
  if (threads <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto run = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::scoped_lock lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    const std::size_t helper_count = std::min<std::size_t>(threads, count) - 1;
    try {
      helpers.reserve(helper_count);
      for (std::size_t i = 0; i < helper_count; ++i) helpers.emplace_back(run);
    } catch (const std::exception&) {
      // No more threads, or no memory for them: the ones that run do all the work.
    }
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace bloomery
