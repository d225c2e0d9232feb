// What became of every record that one map task read, as bytes, and its place in the file.
//
//   takes   the tally of a map task
//   gives   the tally of the job, with true offsets, to the driver
//
// Hadoop hands over the lines of a range but neither the offset of the first one nor whether the
// last one of the file had an end. Both follow when the reports of a file are laid end to end: its
// ranges cover it, so each begins where the one before has ended, and together they are as long as
// the file, or one byte longer where the last end was missing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/result.h"
#include "parse/shape.h"
#include "parse/tally.h"

namespace bloomery::hadoop {

struct TaskReport {
  std::uint32_t task = 0;
  std::uint32_t file = 0;
  std::uint64_t start = 0;   // of the range, as Hadoop cut it
  std::uint64_t offset = 0;  // what the first record was taken to have
  std::uint64_t bytes = 0;   // of all records with their ends
  Tally tally;
  // The last record as it would have been rejected had it no end.
  std::optional<RejectedRecord> truncated;
};

[[nodiscard]] std::string encode(const TaskReport& report);
Result<TaskReport> decode_report(std::string_view bytes);

[[nodiscard]] std::string encode(const RejectedRecord& record);
Result<RejectedRecord> decode_rejected(std::string_view bytes);

// What the driver knows of an input.
struct ReportedFile {
  std::string name;
  FileShape shape;
  std::uint64_t size = 0;         // in bytes, as it lies there
  std::uint64_t first = 0;        // offset of its first record: after a byte-order mark
  bool is_plain = true;           // not compressed
  bool has_true_offsets = false;  // tasks knew them
};

// How far the offsets of a task are off, and what else turned out.
struct Correction {
  std::uint64_t add = 0;                    // modulo 2^64
  std::optional<RejectedRecord> truncated;  // its last record, which has no end
};

struct MergedReports {
  Tally tally;
  std::vector<Correction> by_task;
};
// Fails when ranges overlap, or do not cover a plain file.
Result<MergedReports> merge_reports(std::vector<TaskReport> reports,
                                    std::span<const ReportedFile> files);

}  // namespace bloomery::hadoop
