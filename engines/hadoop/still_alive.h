// Tells Hadoop every half minute that the task still works: it ends tasks that say nothing for ten.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace bloomery::hadoop {

class StillAlive {
 public:
  StillAlive();
  StillAlive(const StillAlive&) = delete;
  StillAlive& operator=(const StillAlive&) = delete;
  ~StillAlive();

 private:
  void tell();

  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace bloomery::hadoop
