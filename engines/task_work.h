// What a task of any engine does with the keys it reads.
#pragma once

#include "bloomery/result.h"
#include "group/key_reader.h"

namespace bloomery {

// What one task does with its keys. A new one is made for every task.
class TaskWork {
 public:
  TaskWork() = default;
  TaskWork(const TaskWork&) = delete;
  TaskWork& operator=(const TaskWork&) = delete;
  virtual ~TaskWork() = default;

  // `groups` has the names of the groups in the batch.
  virtual Result<void> take(const KeyBatch& batch, const GroupTable& groups) = 0;
  // After the task's last batch.
  virtual Result<void> finish() = 0;
};

}  // namespace bloomery
