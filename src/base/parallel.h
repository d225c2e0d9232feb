// Runs the same work on several threads and waits for all of them.
#pragma once

#include <cstddef>
#include <functional>

namespace bloomery {

// `requested`, or as many threads as the machine has when it is 0.
[[nodiscard]] unsigned thread_count(unsigned requested) noexcept;

// Calls work(i) for every i below `count`, on up to `threads` threads, each taking the next i when
// it is done with the last; the calling thread is one of them. The first exception that work throws
// is thrown again here, after all threads have stopped.
void parallel_for(unsigned threads, std::size_t count,
                  const std::function<void(std::size_t)>& work);

}  // namespace bloomery
