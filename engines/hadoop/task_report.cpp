#include "engines/hadoop/task_report.h"

#include <algorithm>
#include <tuple>

#include "base/error.h"
#include "engines/hadoop/bytes.h"

namespace bloomery::hadoop {
namespace {

void put(ByteWriter& out, const RejectedRecord& record) {
  out.number(record.file)
      .number(record.offset)
      .number(static_cast<std::uint64_t>(record.category))
      .text(record.text)
      .text(record.reason);
}

bool get(ByteReader& in, RejectedRecord& record) {
  record.file = static_cast<std::uint32_t>(in.number());
  record.offset = in.number();
  const std::uint64_t category = in.number();
  record.text = in.text();
  record.reason = in.text();
  record.category = static_cast<Reject>(category);
  return !in.has_failed() && category < kRejectKinds;
}

Error bad_bytes() {
  return make_error(ErrorCode::kDamaged, "the report of a task makes no sense; run the job again");
}

void get_counts(ByteReader& in, FileTally& counts) {
  for (std::uint64_t* count :
       {&counts.read, &counts.used, &counts.missing, &counts.blank, &counts.header}) {
    *count = in.number();
  }
  for (std::uint64_t& count : counts.rejected) count = in.number();
}

// The same with other offsets; records that turned out to be something else are counted so.
Tally corrected(const TaskReport& report, const Correction& correction, const FileShape& shape) {
  Tally tally;
  FileTally& counts = tally.file(report.file);
  counts = report.tally.files()[report.file];
  const auto count_of = [&](Reject category) -> std::uint64_t& {
    return counts.rejected[static_cast<std::size_t>(category)];
  };
  const auto& truncated = correction.truncated;
  if (truncated) {
    --count_of(Reject::kFieldCount);
    ++count_of(truncated->category);
  }
  for (std::size_t i = 0; i < kRejectKinds; ++i) {
    for (RejectedRecord record : report.tally.samples(static_cast<Reject>(i))) {
      record.offset += correction.add;
      if (truncated && truncated->offset == record.offset) continue;
      if (record.category == Reject::kRepeatedHeader && record.offset == shape.header_offset) {
        --count_of(Reject::kRepeatedHeader);
        ++counts.header;
        continue;
      }
      tally.add_sample(std::move(record));
    }
  }
  if (truncated) tally.add_sample(*truncated);
  return tally;
}

// Where tasks know offsets, Hadoop has taken the CR from the end of each one's last line.
bool is_reached(std::uint64_t place, std::uint64_t end) {
  return place == end || place == end + 1;
}

Error not_covered(const ReportedFile& file, std::uint64_t offset) {
  return make_error(ErrorCode::kMismatch,
                    "{}: tasks read {} bytes of its {}; was it changed while the job ran?",
                    escaped(file.name, 4096), offset, file.size);
}

// The reports of one file, in the order of their ranges, laid end to end.
Result<std::uint64_t> lay_out(std::span<const TaskReport> reports, const ReportedFile& file,
                              MergedReports& merged) {
  std::uint64_t offset = file.first;
  for (const TaskReport& report : reports) {
    if (!file.has_true_offsets) merged.by_task[report.task].add = offset - report.offset;
    if (report.bytes == 0) continue;
    if (file.has_true_offsets) {
      if (!is_reached(report.offset, offset)) return not_covered(file, offset);
      offset = report.offset;
    }
    offset += report.bytes;
  }
  const bool is_whole = offset == file.size + 1 || offset == file.size ||
                        (file.has_true_offsets && is_reached(file.size, offset));
  if (file.is_plain && !is_whole) return not_covered(file, offset);
  return offset;
}

Result<void> merge_file(std::span<const TaskReport> reports, const ReportedFile& file,
                        MergedReports& merged) {
  const auto end = lay_out(reports, file, merged);
  if (!end) return end.error();
  const bool lacks_end = file.is_plain && *end == file.size + 1;
  const auto has_read = [](const TaskReport& report) { return report.bytes > 0; };
  const auto last = std::find_if(reports.rbegin(), reports.rend(), has_read);
  if (lacks_end && last != reports.rend() && last->truncated) {
    Correction& correction = merged.by_task[last->task];
    correction.truncated = last->truncated;
    correction.truncated->offset += correction.add;
  }
  for (const TaskReport& report : reports) {
    const Tally tally = corrected(report, merged.by_task[report.task], file.shape);
    if (auto done = merged.tally.merge(tally); !done) return done;
  }
  return {};
}

}  // namespace

std::string encode(const RejectedRecord& record) {
  ByteWriter out;
  put(out, record);
  return out.take();
}

Result<RejectedRecord> decode_rejected(std::string_view bytes) {
  ByteReader in(bytes);
  RejectedRecord record;
  if (!get(in, record) || !in.is_good()) return bad_bytes();
  return record;
}

std::string encode(const TaskReport& report) {
  ByteWriter out;
  out.number(report.task).number(report.file).number(report.start);
  out.number(report.offset).number(report.bytes);
  const auto& files = report.tally.files();
  const FileTally counts = report.file < files.size() ? files[report.file] : FileTally{};
  for (const std::uint64_t count :
       {counts.read, counts.used, counts.missing, counts.blank, counts.header}) {
    out.number(count);
  }
  for (const std::uint64_t count : counts.rejected) out.number(count);
  std::vector<const RejectedRecord*> samples;
  for (std::size_t i = 0; i < kRejectKinds; ++i) {
    for (const auto& one : report.tally.samples(static_cast<Reject>(i))) samples.push_back(&one);
  }
  out.number(samples.size());
  for (const RejectedRecord* sample : samples) put(out, *sample);
  out.number(report.truncated ? 1 : 0);
  if (report.truncated) put(out, *report.truncated);
  return out.take();
}

Result<TaskReport> decode_report(std::string_view bytes) {
  ByteReader in(bytes);
  TaskReport report;
  report.task = static_cast<std::uint32_t>(in.number());
  const std::uint64_t file = in.number();
  if (file >= UINT32_MAX) return bad_bytes();
  report.file = static_cast<std::uint32_t>(file);
  report.start = in.number();
  report.offset = in.number();
  report.bytes = in.number();
  get_counts(in, report.tally.file(report.file));
  const std::uint64_t samples = in.number();
  for (std::uint64_t i = 0; i < samples; ++i) {
    RejectedRecord record;
    if (!get(in, record)) return bad_bytes();
    report.tally.add_sample(std::move(record));
  }
  if (in.number() == 1) {
    if (!get(in, report.truncated.emplace())) return bad_bytes();
  }
  if (!in.is_good()) return bad_bytes();
  return report;
}

Result<MergedReports> merge_reports(std::vector<TaskReport> reports,
                                    std::span<const ReportedFile> files) {
  std::ranges::sort(reports, {},
                    [](const TaskReport& one) { return std::tie(one.file, one.start); });
  MergedReports merged;
  merged.by_task.resize(reports.size());
  for (const TaskReport& report : reports) {
    if (report.file >= files.size() || report.task >= reports.size()) return bad_bytes();
  }
  for (std::uint32_t number = 0; number < files.size(); ++number) {
    const std::span<const TaskReport> found(
        std::ranges::lower_bound(reports, number, {}, &TaskReport::file),
        std::ranges::upper_bound(reports, number, {}, &TaskReport::file));
    // Of an empty file Hadoop makes a task, or none.
    if (found.empty() && files[number].size > 0) {
      return make_error(ErrorCode::kMismatch, "{}: no task has read it; was it removed?",
                        escaped(files[number].name, 4096));
    }
    if (found.empty()) continue;
    if (auto done = merge_file(found, files[number], merged); !done) return done.error();
  }
  return merged;
}

}  // namespace bloomery::hadoop
