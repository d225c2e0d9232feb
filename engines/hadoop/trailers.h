// Records with a sender, and trailers that say what each sender has sent: nothing gets lost or
// comes twice unnoticed.
//
//   takes   what a task has for each receiver
//   gives   the same to the receiver, who insists on a trailer of every task that fits
//
// The same envelope goes from map to reduce and from reduce to the driver. A key is the subject (1
// byte), a detail by which records of a subject sort, and two bytes of route.h; a value is the
// number of the sending task (4 bytes) and the payload. A trailer has the number of records, the
// sum of their checksums, and the job's own number, so that no other job's records fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/result.h"
#include "engines/hadoop/record_stream.h"

namespace bloomery::hadoop {

// In the order in which a reducer gets them.
enum class Subject : std::uint8_t {
  kGroup = 'g',       // plan: records and distinct keys of a group
  kBlock = 'k',       // build: a block of a group's table
  kCount = 'n',       // build: keys of a group
  kWeight = 'o',      // build: what a group's partials weigh
  kCandidates = 'p',  // verify: candidates, by key
  kSettled = 'q',     // verify: what became of them
  kAsked = 'r',       // verify: counts of a task
  kReport = 's',      // what became of every record of a task
  kRejected = 't',    // one rejected record, for --rejects
  kFailure = 'u',     // why a task could not do its work
  kTrailer = 0xFF,
};

class TaskOutput {
 public:
  // `job` is any number that only this job has.
  TaskOutput(RecordSink& sink, std::uint32_t task, std::uint32_t receivers, std::uint64_t job)
      : sink_(&sink), task_(task), job_(job), sent_(receivers) {}

  Result<void> put(Subject subject, std::string_view detail, std::uint32_t receiver,
                   std::string_view payload);
  // A trailer to every receiver. Call it once, at the end.
  Result<void> finish();

  [[nodiscard]] std::uint32_t receivers() const noexcept {
    return static_cast<std::uint32_t>(sent_.size());
  }
  [[nodiscard]] std::uint32_t task() const noexcept { return task_; }

 private:
  struct Sent {
    std::uint64_t records = 0;
    std::uint64_t checksums = 0;
  };
  void make(Subject subject, std::string_view detail, std::uint32_t receiver,
            std::string_view payload);

  RecordSink* sink_;
  std::uint32_t task_;
  std::uint64_t job_;
  std::vector<Sent> sent_;
  std::string key_;
  std::string value_;
};

// A record taken out of its envelope.
struct Letter {
  Subject subject = Subject::kTrailer;
  std::string_view detail;
  std::uint32_t task = 0;
  std::string_view payload;
};

class TaskLedger {
 public:
  explicit TaskLedger(std::uint64_t job) : job_(job) {}

  // Opens a record and notes it. Trailers are the ledger's own business: they come back too.
  Result<Letter> note(const Record& record);
  // Fails unless there is a trailer of each of `tasks` tasks, and exactly what they say has come.
  [[nodiscard]] Result<void> settle(std::uint64_t tasks) const;

 private:
  struct Task {
    std::uint64_t records = 0;
    std::uint64_t checksums = 0;
    std::uint64_t promised_records = 0;
    std::uint64_t promised_checksums = 0;
    std::uint64_t trailers = 0;
  };
  std::uint64_t job_;
  std::map<std::uint32_t, Task> tasks_;
};

}  // namespace bloomery::hadoop
