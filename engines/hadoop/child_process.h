// Runs a program and listens to it.
//
//   takes   words of a command line
//   gives   its status, what it prints, and its lines as they come
//
// It gets a process group of its own: what interrupts us must not end it behind our back.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/result.h"

namespace bloomery::hadoop {

struct ChildOptions {
  std::size_t max_output = SIZE_MAX;  // after so many bytes it is stopped, which counts as success
  std::function<void(std::string_view)> on_output;      // gets pieces instead of keeping them
  std::function<void(std::string_view)> on_error_line;  // as it comes
  const std::atomic<bool>* is_cancelled = nullptr;      // ends it when set
};

struct ChildResult {
  int status = 0;  // as a shell has it: 128 + signal
  bool was_cancelled = false;
  std::string output;
  std::string errors;  // standard error, the last 64 KiB
  double wall_seconds = 0;
  double cpu_seconds = 0;           // of it and of those it waited for
  std::uint64_t peak_resident = 0;  // of the largest of them, in bytes; mapped files count

  [[nodiscard]] bool is_good() const noexcept { return status == 0 && !was_cancelled; }
};

// Fails only where the program cannot be started.
Result<ChildResult> run_child(const std::vector<std::string>& words,
                              const ChildOptions& options = {});

}  // namespace bloomery::hadoop
