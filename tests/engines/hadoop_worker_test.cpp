// The worker's map and reduce without a cluster: Hadoop's part (cutting, sorting, sharing out) is
// done here in a few lines, so that every way records can get lost is tried in no time.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "bloomery/version.h"
#include "engines/hadoop/big_endian.h"
#include "engines/hadoop/inputs.h"
#include "engines/hadoop/keyed_lines.h"
#include "engines/hadoop/route.h"
#include "engines/hadoop/sequence_file.h"
#include "engines/hadoop/task_report.h"
#include "engines/hadoop/trailers.h"
#include "engines/hadoop/worker.h"
#include "engines/hadoop/worker_job.h"
#include "group/recipe.h"

namespace bloomery::hadoop {
namespace {

namespace fs = std::filesystem;

// Some bytes at a time, as a pipe gives them.
class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string text, std::size_t step = 7)
      : text_(std::move(text)), step_(step) {}
  Result<std::size_t> read(std::span<char> to) override {
    const std::size_t count = std::min({step_, to.size(), text_.size() - at_});
    std::memcpy(to.data(), text_.data() + at_, count);
    at_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t step_;
  std::size_t at_ = 0;
};

using Pair = std::pair<std::string, std::string>;

class ListSink : public RecordSink {
 public:
  Result<void> put(std::string_view key, std::string_view value) override {
    records.emplace_back(key, value);
    return {};
  }
  std::vector<Pair> records;
};

std::string wire(const std::vector<Pair>& records) {
  std::string bytes;
  for (const auto& [key, value] : records) {
    append_be(bytes, static_cast<std::uint32_t>(key.size()));
    bytes += key;
    append_be(bytes, static_cast<std::uint32_t>(value.size()));
    bytes += value;
  }
  return bytes;
}

class HadoopWorker : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("bloomery_worker_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    job_.version = BLOOMERY_VERSION;
    job_.id = 42;
    job_.max_line = kDefaultMaxLine;
    job_.max_groups = kDefaultMaxGroups;
    job_.recipe = parse_recipe({{"key", "1"}, {"group", "2"}}).value();
    job_.files.push_back(
        {"a.txt", "/a.txt", shape_for(job_.recipe, "k\t1\n", {}, "a.txt").value(), 0});
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write_job() const { std::ofstream(folder_ / kJobFile) << to_json(job_); }

  std::vector<Pair> map(std::uint32_t number, std::uint64_t start, const std::string& lines,
                        std::uint32_t reduces) const {
    TaskPlace place;
    place.number = number;
    place.reduces = reduces;
    place.input_file = "hdfs://host:1/a.txt";
    place.input_start = start;
    place.folder = folder_;
    ListSink sink;
    const auto done = run_map(place, std::make_unique<TextSource>(lines), sink);
    EXPECT_TRUE(done) << (done ? "" : done.error().message);
    return sink.records;
  }

  Result<std::vector<Pair>> reduce(std::uint32_t number, std::uint32_t maps,
                                   std::vector<Pair> records) const {
    std::ranges::sort(records);
    return reduce_bytes(number, maps, wire(records));
  }

  Result<std::vector<Pair>> reduce_bytes(std::uint32_t number, std::uint32_t maps,
                                         const std::string& bytes) const {
    TaskPlace place;
    place.number = number;
    place.maps = maps;
    place.folder = folder_;
    ListSink sink;
    const auto done = run_reduce(place, std::make_unique<TextSource>(bytes, 1000), sink);
    if (!done) return done.error();
    return std::move(sink.records);
  }

  fs::path folder_;
  WorkerJob job_;
};

TEST_F(HadoopWorker, CountsOfAllTasksAndReducersAddUp) {
  write_job();
  const std::vector<Pair> first = map(0, 0, "a\t1\nb\t2\nc\t1\n", 3);
  const std::vector<Pair> second = map(1, 12, "d\t1\nbad\ne\t3\n", 3);
  std::map<std::string, std::uint64_t> counts;
  TaskLedger ledger(job_.id);
  std::vector<TaskReport> reports;
  for (std::uint32_t reducer = 0; reducer < 3; ++reducer) {
    std::vector<Pair> records;
    for (const auto* task : {&first, &second}) {
      for (const Pair& record : *task) {
        if (partition_of(record.first, 3) == reducer) records.push_back(record);
      }
    }
    const auto reduced = reduce(reducer, 2, records);
    ASSERT_TRUE(reduced) << reduced.error().message;
    for (const auto& [key, value] : *reduced) {
      const Letter letter = ledger.note({key, value}).value();
      if (letter.subject == Subject::kGroup) {
        counts[std::string(letter.detail)] += load_be<std::uint64_t>(letter.payload.data());
      } else if (letter.subject == Subject::kReport) {
        reports.push_back(decode_report(letter.payload.substr(4)).value());
      }
    }
  }
  EXPECT_TRUE(ledger.settle(3));
  EXPECT_EQ((std::map<std::string, std::uint64_t>{{"1", 3}, {"2", 1}, {"3", 1}}), counts);
  // Offsets are true when the reports lie end to end: "bad" is at byte 16 of 24.
  ReportedFile file{"a.txt", job_.files[0].shape, 24, 0, true, false};
  const auto merged = merge_reports(reports, std::span(&file, 1));
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(6U, merged->tally.total().read);
  ASSERT_EQ(1U, merged->tally.samples(Reject::kFieldCount).size());
  EXPECT_EQ(16U, merged->tally.samples(Reject::kFieldCount)[0].offset);
  file.size = 25;
  EXPECT_FALSE(merge_reports(reports, std::span(&file, 1))) << "a byte that nobody read";
}

TEST_F(HadoopWorker, ReducersInsistOnEveryRecordAndTrailer) {
  write_job();
  std::vector<Pair> all = map(0, 0, "a\t1\nb\t2\n", 1);
  const std::vector<Pair> second = map(1, 8, "c\t1\n", 1);
  all.insert(all.end(), second.begin(), second.end());
  ASSERT_TRUE(reduce(0, 2, all));
  EXPECT_FALSE(reduce(0, 3, all)) << "a task that sent nothing";
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<Pair> fewer = all;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(reduce(0, 2, fewer)) << "without record " << i;
    std::vector<Pair> more = all;
    more.push_back(all[i]);
    EXPECT_FALSE(reduce(0, 2, more)) << "with record " << i << " twice";
    std::vector<Pair> changed = all;
    changed[i].second.back() = static_cast<char>(changed[i].second.back() ^ 1);
    EXPECT_FALSE(reduce(0, 2, changed)) << "with another record " << i;
  }
  // Cut anywhere, even where Hadoop takes it for the end.
  std::ranges::sort(all);
  const std::string bytes = wire(all);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(reduce_bytes(0, 2, bytes.substr(0, size))) << size;
  }
}

TEST_F(HadoopWorker, WhatTheDataAreToBlameForComesBackAsARecord) {
  job_.max_groups = 2;
  write_job();
  const auto reduced = reduce(0, 1, map(0, 0, "a\t1\nb\t2\nc\t3\n", 1));
  ASSERT_TRUE(reduced) << reduced.error().message;
  TaskLedger ledger(job_.id);
  std::string failure;
  for (const auto& [key, value] : *reduced) {
    const Letter letter = ledger.note({key, value}).value();
    if (letter.subject == Subject::kFailure) failure = letter.payload;
  }
  EXPECT_NE(std::string::npos, failure.find("a.txt: more than 2 groups")) << failure;
}

TEST_F(HadoopWorker, ALastRecordWithoutAnEndIsTruncated) {
  write_job();
  const auto records = map(0, 0, "a\t1\nhalf\n", 1);
  TaskLedger ledger(job_.id);
  std::vector<TaskReport> reports;
  for (const auto& [key, value] : records) {
    const Letter letter = ledger.note({key, value}).value();
    if (letter.subject == Subject::kReport)
      reports.push_back(decode_report(letter.payload).value());
  }
  ASSERT_EQ(1U, reports.size());
  ReportedFile file{"a.txt", job_.files[0].shape, 8, 0, true, false};  // one byte fewer: no LF
  const auto merged = merge_reports(reports, std::span(&file, 1));
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(0U, merged->tally.samples(Reject::kFieldCount).size());
  EXPECT_EQ(1U, merged->tally.samples(Reject::kTruncatedLast).size());
  EXPECT_TRUE(merged->tally.check());
  file.size = 9;
  EXPECT_EQ(1U,
            merge_reports(reports, std::span(&file, 1))->tally.samples(Reject::kFieldCount).size());
}

TEST(HadoopReports, OfTasksThatKnowTheirOffsetsCoverTheFile) {
  const auto merge = [](std::uint64_t second_begins, std::uint64_t size) {
    std::vector<TaskReport> reports(2);
    for (std::uint32_t task = 0; task < 2; ++task) {
      reports[task].task = task;
      reports[task].start = reports[task].offset = task * second_begins;
      reports[task].bytes = 10;
      reports[task].tally.file(0).read = 1;
      reports[task].tally.file(0).used = 1;
    }
    const ReportedFile file{"a.txt", {}, size, 0, true, true};
    return merge_reports(reports, std::span(&file, 1)).has_value();
  };
  EXPECT_TRUE(merge(10, 20));
  EXPECT_TRUE(merge(11, 21)) << "a CR that Hadoop has kept to itself";
  EXPECT_TRUE(merge(10, 21)) << "the last one";
  EXPECT_TRUE(merge(10, 19)) << "no line end after the last";
  EXPECT_FALSE(merge(12, 22)) << "bytes that nobody read";
  EXPECT_FALSE(merge(9, 19)) << "a byte that two read";
  EXPECT_FALSE(merge(10, 22)) << "an end that nobody read";
}

TEST(HadoopRoute, EveryReducerIsReachedByEveryKey) {
  for (const std::uint32_t reducers : {1U, 2U, 3U, 128U, 200U, 1000U, kMaxReducers}) {
    for (const std::string& detail :
         {std::string(), std::string("\xff\0\x80", 3), std::string("9")}) {
      for (std::uint32_t reducer = 0; reducer < reducers; reducer += 1 + reducers / 50) {
        std::string key = detail;
        append_salt(key, reducer, reducers);
        ASSERT_EQ(detail.size() + kSaltBytes, key.size());
        ASSERT_EQ(reducer, partition_of(key, reducers));
      }
    }
  }
}

// As java.util.Arrays and Hadoop's WritableComparator.hashBytes() have it: 31 * 1 + (-1) = 30.
TEST(HadoopRoute, HashesLikeJava) {
  EXPECT_EQ(30U, partition_of("\xff", 1'000'000));
  EXPECT_EQ(31U * (31 + 'a') + 'b', partition_of("ab", 1'000'000));
}

TEST(HadoopSplits, GiveAsManyMapsAsAskedFor) {
  const auto splits = [](std::uint64_t size, std::uint64_t split) {
    std::uint64_t count = 0;
    while (static_cast<double>(size) / static_cast<double>(split) > 1.1) size -= split, ++count;
    return count + 1;
  };
  for (const std::uint64_t size : {1000ULL, 25'600'000ULL, 123'456'789ULL}) {
    for (std::uint64_t tasks = 1; tasks <= 16; ++tasks) {
      const std::uint64_t split = split_bytes_for(size, tasks);
      ASSERT_GT(split, 0U) << size << " bytes, " << tasks << " tasks";
      EXPECT_EQ(tasks, splits(size, split));
      EXPECT_GE(split, size / tasks) << "Hadoop takes no smaller one";
    }
  }
  EXPECT_EQ(0U, split_bytes_for(10, 8)) << "cannot be";
}

TEST(HadoopKeyedLines, GiveBackTheBytesOfTheFile) {
  const std::string file = "first\r\nsecond\n\n\r\nlast\tone\n";
  KeyedLines lines(std::make_unique<TextSource>("0\tfirst\n7\tsecond\n14\t\n15\t\n17\tlast\tone\n"),
                   0);
  EXPECT_EQ(0U, **lines.start());
  std::string text(100, '\0');
  text.resize(read_full(lines, text).value());
  EXPECT_EQ(file, text);
}

TEST(HadoopKeyedLines, RefuseLinesThatDoNotFollow) {
  for (const char* bad : {"0\ta\n9\tb\n", "0\ta\n0\tb\n", "no offset\n"}) {
    KeyedLines lines(std::make_unique<TextSource>(bad), 0);
    std::string text(100, '\0');
    const auto start = lines.start();
    EXPECT_FALSE(start && read_full(lines, text)) << bad;
  }
}

std::string sequence_file(const std::vector<Pair>& records) {
  const std::string name = "org.apache.hadoop.io.BytesWritable";
  std::string bytes("SEQ\x06", 4);
  for (int i = 0; i < 2; ++i) bytes += static_cast<char>(name.size()) + name;
  bytes += std::string(6, '\0') + "0123456789abcdef";
  for (const auto& [key, value] : records) {
    append_be(bytes, static_cast<std::uint32_t>(-1));
    bytes += "0123456789abcdef";
    append_be(bytes, static_cast<std::uint32_t>(8 + key.size() + value.size()));
    append_be(bytes, static_cast<std::uint32_t>(4 + key.size()));
    append_be(bytes, static_cast<std::uint32_t>(key.size()));
    bytes += key;
    append_be(bytes, static_cast<std::uint32_t>(value.size()));
    bytes += value;
  }
  return bytes;
}

Result<std::vector<Pair>> read_sequence(const std::string& bytes) {
  auto reader = SequenceFileReader::open(std::make_unique<TextSource>(bytes), "part-00000");
  if (!reader) return reader.error();
  std::vector<Pair> records;
  while (true) {
    const auto record = reader->next();
    if (!record) return record.error();
    if (!*record) return records;
    records.emplace_back((*record)->key, (*record)->value);
  }
}

TEST(HadoopSequenceFile, ReadsRecordsAndRefusesEveryCut) {
  const std::vector<Pair> records{{"key", "value"}, {std::string("\0\n", 2), ""}};
  const std::string bytes = sequence_file(records);
  EXPECT_EQ(records, read_sequence(bytes).value());
  std::set<std::size_t> whole;  // after the head, and after each record
  for (std::size_t count = 0; count <= records.size(); ++count) {
    whole.insert(
        sequence_file({records.begin(), records.begin() + static_cast<std::ptrdiff_t>(count)})
            .size());
  }
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(whole.contains(size), read_sequence(bytes.substr(0, size)).has_value()) << size;
  }
}

TEST(HadoopSequenceFile, RefusesOtherFiles) {
  std::string compressed = sequence_file({{"key", "value"}});
  compressed[4 + 2 * 35] = 1;
  EXPECT_NE(std::string::npos, read_sequence(compressed).error().message.find("is compressed"));
  std::string text = sequence_file({{"key", "value"}});
  text.replace(text.find("BytesWritable"), 5, "Texts");
  EXPECT_FALSE(read_sequence(text));
  EXPECT_FALSE(read_sequence("not a sequence file"));
}

}  // namespace
}  // namespace bloomery::hadoop
