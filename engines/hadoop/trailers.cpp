#include "engines/hadoop/trailers.h"

#include <span>

#include "base/checksum.h"
#include "base/error.h"
#include "engines/hadoop/big_endian.h"
#include "engines/hadoop/route.h"

namespace bloomery::hadoop {
namespace {

constexpr std::size_t kTrailerBytes = 3 * sizeof(std::uint64_t);

std::uint64_t checksum_of(std::string_view key, std::string_view value) {
  return checksum64(std::as_bytes(std::span(key))) * 31U +
         checksum64(std::as_bytes(std::span(value)));
}

Error wrong(std::uint32_t task, std::string_view what) {
  return make_error(ErrorCode::kDamaged, "task {}: {}; run the job again", task, what);
}

}  // namespace

void TaskOutput::make(Subject subject, std::string_view detail, std::uint32_t receiver,
                      std::string_view payload) {
  key_.assign(1, static_cast<char>(subject));
  key_ += detail;
  append_salt(key_, receiver, receivers());
  value_.clear();
  append_be(value_, task_);
  value_ += payload;
}

Result<void> TaskOutput::put(Subject subject, std::string_view detail, std::uint32_t receiver,
                             std::string_view payload) {
  make(subject, detail, receiver, payload);
  Sent& sent = sent_[receiver];
  ++sent.records;
  sent.checksums += checksum_of(key_, value_);
  return sink_->put(key_, value_);
}

Result<void> TaskOutput::finish() {
  for (std::uint32_t receiver = 0; receiver < receivers(); ++receiver) {
    std::string trailer;
    append_be(trailer, job_);
    append_be(trailer, sent_[receiver].records);
    append_be(trailer, sent_[receiver].checksums);
    make(Subject::kTrailer, "", receiver, trailer);
    if (auto done = sink_->put(key_, value_); !done) return done;
  }
  return {};
}

Result<Letter> TaskLedger::note(const Record& record) {
  if (record.key.size() < 1 + kSaltBytes || record.value.size() < sizeof(std::uint32_t)) {
    return make_error(ErrorCode::kDamaged, "a record that no task of this job can have sent");
  }
  Letter letter;
  letter.subject = static_cast<Subject>(static_cast<std::uint8_t>(record.key.front()));
  letter.detail = record.key.substr(1, record.key.size() - 1 - kSaltBytes);
  letter.task = load_be<std::uint32_t>(record.value.data());
  letter.payload = record.value.substr(sizeof letter.task);
  Task& task = tasks_[letter.task];
  if (letter.subject != Subject::kTrailer) {
    ++task.records;
    task.checksums += checksum_of(record.key, record.value);
    return letter;
  }
  if (letter.payload.size() != kTrailerBytes) {
    return wrong(letter.task, "its trailer has another length");
  }
  const auto number = [&](std::size_t i) {
    return load_be<std::uint64_t>(letter.payload.data() + i * sizeof(std::uint64_t));
  };
  if (number(0) != job_) return wrong(letter.task, "its trailer is of another job");
  ++task.trailers;
  task.promised_records = number(1);
  task.promised_checksums = number(2);
  return letter;
}

Result<void> TaskLedger::settle(std::uint64_t tasks) const {
  std::uint32_t expected = 0;
  for (const auto& [number, task] : tasks_) {
    if (number >= tasks) {
      return wrong(number, fmt::format("a job of {} tasks has none of this number", tasks));
    }
    if (number != expected) break;
    ++expected;
    if (task.trailers == 0) return wrong(number, "its trailer is missing, so it did not end");
    if (task.trailers > 1) return wrong(number, "its trailer has come twice");
    if (task.records != task.promised_records) {
      return wrong(number, fmt::format("{} records have come where its trailer says {}",
                                       task.records, task.promised_records));
    }
    if (task.checksums != task.promised_checksums) {
      return wrong(number, "other records have come than its trailer says");
    }
  }
  if (expected == tasks) return {};
  return wrong(expected, fmt::format("nothing has come of it, nor a trailer; {} of {} tasks are "
                                     "here",
                                     tasks_.size(), tasks));
}

}  // namespace bloomery::hadoop
