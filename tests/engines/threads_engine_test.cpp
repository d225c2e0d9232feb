// The threads engine: the same bank whatever the threads, tasks, order, memory or strategy, and
// verify counts that equal a brute-force count.
#include "engines/threads/engine.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "bloomery/kernel.h"
#include "text_files.h"

namespace bloomery {
namespace {

namespace fs = std::filesystem;

struct Row {
  std::string key;
  std::string rating;
};

// Ratings 0.5 to 10.4, some keys in several groups, some records twice.
std::vector<Row> make_rows(std::size_t count) {
  std::mt19937_64 random(7);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < count; ++i) {
    const auto tenths = 5 + random() % 100;
    rows.push_back({"tt" + std::to_string(1'000'000 + random() % count),
                    std::to_string(tenths / 10) + "." + std::to_string(tenths % 10)});
  }
  return rows;
}

// A named pipe, and a thread that writes the text into it once.
class Pipe {
 public:
  Pipe(std::string path, std::string text) : path_(std::move(path)) {
    EXPECT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    writer_ = std::thread(
        [path = path_, text = std::move(text)] { std::ofstream(path, std::ios::binary) << text; });
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    writer_.join();
    fs::remove(path_);
  }

 private:
  std::string path_;
  std::thread writer_;
};

class ThreadsEngine : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("bloomery_engine_" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }

  std::string write_rows(const std::string& name, const std::vector<Row>& rows) const {
    std::ofstream file(path(name), std::ios::binary);
    file << "tconst\taverageRating\tnumVotes\n";
    for (const Row& row : rows) file << row.key << '\t' << row.rating << "\t12\n";
    return path(name);
  }

  [[nodiscard]] BuildJob job(const std::string& input, const std::string& output) const {
    BuildJob job;
    job.input.paths = {input};
    job.input.recipe = parse_recipe({{"key", "tconst"}, {"group", "round(averageRating)"}}).value();
    job.output = path(output);
    job.overwrite = true;
    job.tasks.threads = 1;
    job.tasks.tmp = folder_;
    return job;
  }

  // The bytes of the bank that the job builds.
  static std::string build(const BuildJob& job) {
    const auto result = run_build(job);
    EXPECT_TRUE(result) << result.error().message;
    return read_file(job.output);
  }

  static std::string read_file(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  void write_file(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }

  fs::path folder_;
};

TEST_F(ThreadsEngine, GivesOneBankForAnyThreadsTasksOrderAndMemory) {
  auto rows = make_rows(30'000);
  const std::string input = write_rows("in.tsv", rows);
  for (const Kind kind : {Kind::kClassic, Kind::kBlocked, Kind::kCounting}) {
    BuildJob base = job(input, "a.bank");
    base.sizing.kind = kind;
    const std::string expected = build(base);
    ASSERT_FALSE(expected.empty());
    for (const unsigned threads : {1U, 2U, 3U, 8U}) {
      for (const std::uint64_t tasks : {1U, 7U, 64U}) {
        BuildJob other = base;
        other.output = path("b.bank");
        other.tasks.threads = threads;
        other.tasks.tasks = tasks;
        EXPECT_EQ(build(other), expected) << threads << " threads, " << tasks << " tasks";
      }
    }
    BuildJob twice = base;
    twice.tasks.memory = 320'000;  // 3/8 of it are for hashes, which take 240,000 bytes
    EXPECT_EQ(build(twice), expected);
    BuildJob lines = base;
    lines.tasks.lines_per_task = 999;
    EXPECT_EQ(build(lines), expected);
  }
  std::shuffle(rows.begin(), rows.end(), std::mt19937_64(3));
  const BuildJob shuffled = job(write_rows("shuffled.tsv", rows), "s.bank");
  EXPECT_EQ(build(shuffled), build(job(input, "a.bank")));
}

TEST_F(ThreadsEngine, GivesOneBankForAnyFormOfTheInput) {
  const auto rows = make_rows(20'000);
  const std::string text = read_file(write_rows("in.tsv", rows));
  const std::string expected = build(job(path("in.tsv"), "a.bank"));
  const auto middle = text.find('\n', text.size() / 2) + 1;
  const std::string halves[] = {text.substr(0, middle), text.substr(middle)};
  write_file("in.tsv.gz", gzipped(halves[0]) + gzipped("") + gzipped(halves[1]));
  write_file("in.tsv.zst", zstd_compressed(halves[0]) + zstd_compressed(halves[1]));
  EXPECT_EQ(build(job(path("in.tsv.gz"), "gz.bank")), expected);
  EXPECT_EQ(build(job(path("in.tsv.zst"), "zst.bank")), expected);
  const Pipe pipe(path("pipe"), text);
  EXPECT_EQ(build(job(path("pipe"), "pipe.bank")), expected);
}

// A pipe can be read once only, so hashes that do not fit are spilled, those of the file as well.
TEST_F(ThreadsEngine, SpillsThePipeAndTheFileBesideIt) {
  const auto rows = make_rows(30'000);
  const auto middle = rows.begin() + 12'000;
  const std::string whole = build(job(write_rows("whole.tsv", rows), "whole.bank"));
  const std::string file = write_rows("a.tsv", {rows.begin(), middle});
  const std::string rest = read_file(write_rows("b.tsv", {middle, rows.end()}));
  for (const unsigned threads : {1U, 3U}) {
    const Pipe pipe(path("pipe"), rest);
    BuildJob both = job(file, "both.bank");
    both.input.paths.push_back(path("pipe"));
    both.tasks.memory = 320'000;
    both.tasks.threads = threads;
    both.tasks.tasks = 5;
    const auto result = run_build(both);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_GT(result->facts.spilled_bytes, 0U);
    EXPECT_EQ(read_file(both.output), whole);
  }
}

TEST_F(ThreadsEngine, GivesOneBankForEveryStrategyAndKernel) {
  const std::string input = write_rows("in.tsv", make_rows(20'000));
  const Kernel before = active_kernel();
  for (const Kind kind : {Kind::kClassic, Kind::kBlocked, Kind::kCounting}) {
    BuildJob base = job(input, "a.bank");
    base.sizing.kind = kind;
    const std::string expected = build(base);
    for (const Strategy strategy : {Strategy::kIndexes, Strategy::kFilters, Strategy::kAuto}) {
      BuildJob other = base;
      other.strategy = strategy;
      other.tasks.tasks = 9;
      EXPECT_EQ(build(other), expected) << to_string(strategy);
    }
    for (const Kernel kernel : available_kernels()) {
      ASSERT_TRUE(force_kernel(kernel));
      EXPECT_EQ(build(base), expected) << to_string(kernel);
    }
  }
  ASSERT_TRUE(force_kernel(before));
}

TEST_F(ThreadsEngine, SaysWhatEveryStrategyWouldShip) {
  BuildJob base = job(write_rows("in.tsv", make_rows(50'000)), "a.bank");
  base.sizing.kind = Kind::kClassic;
  base.strategy = Strategy::kAuto;
  base.tasks.tasks = 9;
  const auto result = run_build(base);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_TRUE(result->shipped.has_value());
  for (const GroupBytes& group : result->shipped->groups) {
    EXPECT_LE(group.automatic, std::min(group.indexes, group.filters)) << group.group;
    EXPECT_LT(static_cast<double>(group.automatic), 1.25 * group.entropy_bytes + 1000);
  }
}

TEST_F(ThreadsEngine, VerifyEqualsABruteForceCount) {
  const auto rows = make_rows(20'000);
  BuildJob base = job(write_rows("in.tsv", rows), "a.bank");
  base.sizing.fpr = 0.05;
  ASSERT_FALSE(build(base).empty());
  const auto bank = Bank::open(base.output);
  ASSERT_TRUE(bank);

  const auto group_of = [](const Row& row) {
    const double rating = std::stod(row.rating) * 10;  // whole tenths: exact
    return std::to_string((std::lround(rating) + 5) / 10);
  };
  std::map<std::string, std::set<std::string>> truth;
  for (const Row& row : rows) truth[group_of(row)].insert(row.key);

  VerifyJob verify;
  verify.input = base.input;
  verify.tasks.threads = 2;
  verify.tasks.tasks = 5;
  const auto result = run_verify(*bank, verify);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->verification.is_exact);
  ASSERT_EQ(result->verification.groups.size(), truth.size());
  for (const VerifiedGroup& group : result->verification.groups) {
    const BankEntry* entry = bank->find(group.group);
    ASSERT_NE(entry, nullptr);
    std::uint64_t members = 0;
    std::uint64_t negatives = 0;
    std::uint64_t false_positives = 0;
    for (const Row& row : rows) {
      members += group_of(row) == group.group ? 1U : 0U;
      if (truth[group.group].contains(row.key)) continue;
      ++negatives;
      false_positives += entry->filter().may_contain(row.key) ? 1U : 0U;
    }
    EXPECT_EQ(group.members, members) << group.group;
    EXPECT_EQ(group.negatives, negatives) << group.group;
    EXPECT_EQ(group.false_positives, false_positives) << group.group;
    EXPECT_EQ(group.false_negatives, 0U) << group.group;
  }
}

TEST_F(ThreadsEngine, APlanMakesPartsThatMergeToTheWhole) {
  const auto rows = make_rows(10'000);
  const auto middle = rows.begin() + 4'000;
  PlanJob plan;
  plan.input = job(write_rows("all.tsv", rows), "x").input;
  const auto planned = run_plan(plan);
  ASSERT_TRUE(planned) << planned.error().message;
  const SavedPlan saved{planned->groups, to_text(plan.input.recipe)};
  const auto read_back = plan_from_json(plan_to_json(saved), "plan", std::nullopt);
  ASSERT_TRUE(read_back) << read_back.error().message;
  EXPECT_EQ(*read_back, saved);

  const auto build_with_plan = [&](const std::string& input, const std::string& output) {
    BuildJob with_plan = job(input, output);
    with_plan.plan = read_back->groups;
    return build(with_plan);
  };
  const std::string whole = build_with_plan(path("all.tsv"), "all.bank");
  EXPECT_EQ(whole, build(job(path("all.tsv"), "free.bank")));
  build_with_plan(write_rows("a.tsv", {rows.begin(), middle}), "a.bank");
  build_with_plan(write_rows("b.tsv", {middle, rows.end()}), "b.bank");
  const auto a = Bank::open(path("a.bank"));
  const auto b = Bank::open(path("b.bank"));
  ASSERT_TRUE(a && b);
  const std::vector<const Bank*> banks{&*b, &*a};
  ASSERT_TRUE(merge_banks(banks, path("merged.bank")));
  std::ifstream merged(path("merged.bank"), std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(merged), {}), whole);
}

TEST_F(ThreadsEngine, ListsOfSeedsReadTwiceAndFindEveryKey) {
  BuildJob seeded = job(write_rows("in.tsv", make_rows(5'000)), "a.bank");
  seeded.sizing.kind = Kind::kClassic;
  seeded.sizing.seeds = {1, 2, 3, 4, 5};
  const std::string bytes = build(seeded);
  seeded.tasks.threads = 3;
  seeded.tasks.tasks = 11;
  EXPECT_EQ(build(seeded), bytes);
  const auto bank = Bank::open(seeded.output);
  ASSERT_TRUE(bank);
  VerifyJob verify;
  verify.input = seeded.input;
  const auto result = run_verify(*bank, verify);
  ASSERT_TRUE(result) << result.error().message;
  for (const VerifiedGroup& group : result->verification.groups) {
    EXPECT_EQ(group.false_negatives, 0U);
  }
}

TEST_F(ThreadsEngine, DialectsGiveOneBankForAnyThreadsTasksMemoryAndStrategy) {
  const std::string input = write_rows("in.tsv", make_rows(5'000));
  for (const auto& [dialect, hash] : {std::pair(Dialect::kHadoop, HashId::kHadoopMurmur),
                                      std::pair(Dialect::kPisaJava, HashId::kHadoopMurmur),
                                      std::pair(Dialect::kSpark, HashId::kSparkMurmur3),
                                      std::pair(Dialect::kSparkV1, HashId::kSparkMurmur3),
                                      std::pair(Dialect::kPisaPython, HashId::kMurmur3x32)}) {
    BuildJob foreign = job(input, "a.bank");
    foreign.sizing.dialect = dialect;
    foreign.sizing.kind = Kind::kClassic;
    foreign.sizing.hasher = Hasher::create(hash, 0).value();
    const std::string bytes = build(foreign);
    foreign.tasks.threads = 3;
    foreign.tasks.tasks = 11;
    EXPECT_EQ(build(foreign), bytes) << to_string(dialect);
    for (const Strategy strategy : {Strategy::kIndexes, Strategy::kFilters, Strategy::kAuto}) {
      foreign.strategy = strategy;
      EXPECT_EQ(build(foreign), bytes) << to_string(dialect) << " " << static_cast<int>(strategy);
    }
    const auto bank = Bank::open(foreign.output);
    ASSERT_TRUE(bank);
    VerifyJob verify;
    verify.input = foreign.input;
    const auto result = run_verify(*bank, verify);
    ASSERT_TRUE(result) << result.error().message;
    for (const VerifiedGroup& group : result->verification.groups) {
      EXPECT_EQ(group.false_negatives, 0U);
      EXPECT_TRUE(group.is_ok) << to_string(dialect) << " " << group.group << " " << group.rate;
    }
  }
}

TEST_F(ThreadsEngine, RefusesTooManyBadRecordsAndReplacesNothing) {
  std::ofstream(path("bad.tsv")) << "tconst\taverageRating\ntt1\t5.0\ntt2\tnonsense\n";
  BuildJob bad = job(path("bad.tsv"), "kept.bank");
  std::ofstream(path("kept.bank")) << "old";
  const auto result = run_build(bad);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("1 of 2 records are bad"), std::string::npos)
      << result.error().message;
  std::stringstream kept;
  kept << std::ifstream(path("kept.bank")).rdbuf();
  EXPECT_EQ(kept.str(), "old");
  bad.input.rejects.is_lenient = true;
  bad.input.rejects.rejects = path("rejects.jsonl");
  const auto lenient = run_build(bad);
  ASSERT_TRUE(lenient) << lenient.error().message;
  EXPECT_EQ(lenient->facts.tally.total().rejected_total(), 1U);
  std::stringstream rejects;
  rejects << std::ifstream(path("rejects.jsonl")).rdbuf();
  EXPECT_NE(rejects.str().find("group_not_number"), std::string::npos) << rejects.str();
}

TEST_F(ThreadsEngine, DistinctSizesForKeysAndRepeatsAreWarnedOf) {
  std::vector<Row> rows;
  for (int repeat = 0; repeat < 10; ++repeat) {
    for (int i = 0; i < 1000; ++i) rows.push_back({"k" + std::to_string(i), "5.0"});
  }
  BuildJob repeats = job(write_rows("in.tsv", rows), "a.bank");
  const auto plain = run_build(repeats);
  ASSERT_TRUE(plain);
  ASSERT_EQ(plain->facts.warnings.size(), 1U);
  EXPECT_NE(plain->facts.warnings[0].find("--distinct"), std::string::npos);
  repeats.distinct = true;
  const auto distinct = run_build(repeats);
  ASSERT_TRUE(distinct);
  EXPECT_TRUE(distinct->facts.warnings.empty());
  EXPECT_NEAR(static_cast<double>(distinct->groups[0].plan.spec.planned_keys), 1000, 40);
}

TEST_F(ThreadsEngine, StrictNamesTheFirstBadRecordWhateverTheThreads) {
  std::string text;
  std::size_t first = 0;
  for (int i = 0; i < 40'000; ++i) {
    const bool is_bad = i % 1000 == 999 && i > 9000;
    if (is_bad && first == 0) first = text.size();
    text += is_bad ? "broken\n" : "k" + std::to_string(i) + "\t5.0\n";
  }
  write_file("bad.tsv", text);
  BuildJob strict = job(path("bad.tsv"), "x.bank");
  strict.input.recipe = parse_recipe({{"key", "1"}, {"group", "round(2)"}}).value();
  strict.input.rejects.is_strict = true;
  strict.tasks.threads = 4;
  strict.tasks.tasks = 40;
  for (int i = 0; i < 20; ++i) {
    const auto result = run_build(strict);
    ASSERT_FALSE(result);
    const std::string place = "byte " + std::to_string(first) + " ";
    EXPECT_NE(result.error().message.find(place), std::string::npos) << result.error().message;
  }
}

TEST_F(ThreadsEngine, IsCancelledWhileEveryRecordIsRejected) {
  std::string text = "tconst\taverageRating\n";
  for (int i = 0; i < 10'000; ++i) text += "tt1\tnonsense\n";
  write_file("bad.tsv", text);
  BuildJob bad = job(path("bad.tsv"), "x.bank");
  bad.input.rejects.is_lenient = true;
  JobProgress progress;
  progress.is_cancelled = true;
  const auto result = run_build(bad, &progress);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("interrupted"), std::string::npos)
      << result.error().message;
}

// A counter of distinct keys takes 16 KiB, in each of the tasks that run and once more in the end.
TEST_F(ThreadsEngine, CountersOfDistinctKeysStayWithinTheMemory) {
  std::vector<Row> rows;
  for (int i = 0; i < 200'000; ++i) {
    rows.push_back({"k" + std::to_string(i), std::to_string(i % 40)});
  }
  PlanJob plan;
  plan.input = job(write_rows("in.tsv", rows), "x").input;
  plan.distinct = true;
  plan.tasks.threads = 1;
  plan.tasks.tasks = 50;
  plan.tasks.memory = 4'000'000;
  const auto planned = run_plan(plan);
  ASSERT_TRUE(planned) << planned.error().message;
  ASSERT_EQ(planned->groups.size(), 40U);
  EXPECT_NEAR(static_cast<double>(planned->groups[0].spec.planned_keys), 5000, 250);
  EXPECT_GT(planned->facts.peak_memory, 0U);

  plan.tasks.memory = 500'000;
  const auto refused = run_plan(plan);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kResource);
  EXPECT_NE(refused.error().message.find("--memory"), std::string::npos);
}

TEST_F(ThreadsEngine, APlanForMoreKeysIsNoSignOfRepeats) {
  const auto rows = make_rows(4'000);
  PlanJob plan;
  plan.input = job(write_rows("all.tsv", rows), "x").input;
  const auto planned = run_plan(plan);
  ASSERT_TRUE(planned);
  std::vector<Row> few;
  for (int i = 0; i < 1000; ++i) few.push_back({"k" + std::to_string(i), "5.0"});
  BuildJob with_plan = job(write_rows("few.tsv", few), "few.bank");
  with_plan.plan = planned->groups;
  for (GroupPlan& group : *with_plan.plan) group.spec.planned_keys *= 10;
  const auto result = run_build(with_plan);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->facts.warnings.empty());
}

TEST_F(ThreadsEngine, RefusesMoreTasksThanMakeSense) {
  write_file("lines", std::string(1'000'002, '\n'));
  BuildJob lines = job(path("lines"), "x.bank");
  lines.input.recipe = {};
  lines.tasks.lines_per_task = 1;
  const auto result = run_build(lines);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("--lines-per-task"), std::string::npos)
      << result.error().message;
}

}  // namespace
}  // namespace bloomery
