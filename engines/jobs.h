// What engines are asked for and what they answer: the three jobs, the same for every engine.
//
//   takes   inputs, a recipe, and what the user asked for
//   gives   a plan, a bank, or counts; and what became of every record
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bloomery/bank.h"
#include "bloomery/result.h"
#include "group/key_reader.h"
#include "group/recipe.h"
#include "input/arrow_batches.h"
#include "parse/layout.h"
#include "parse/tally.h"
#include "partial/strategy.h"
#include "plan/plan.h"
#include "verify/verify.h"

namespace bloomery {

// How many bad records are too many.
struct RejectPolicy {
  bool is_strict = false;              // the first one ends the job
  bool is_lenient = false;             // no limit
  double max_bad = 0.001;              // rejected records as a share of those read
  bool overwrite = false;              // may replace that file
  std::optional<std::string> rejects;  // a file for all of them, as JSON lines
};

struct JobInput {
  std::vector<std::string> paths;  // expanded already; "-" is standard input
  // Columns in place of files; then paths and layout say nothing. Can be read once.
  std::shared_ptr<BatchSource> batches;
  Recipe recipe;
  LayoutOptions layout;
  std::uint64_t max_line = kDefaultMaxLine;
  std::uint64_t max_groups = kDefaultMaxGroups;
  RejectPolicy rejects;
};

struct TaskOptions {
  unsigned threads = 0;      // 0: as many as the machine has
  std::uint64_t memory = 0;  // bytes of anonymous memory; 0: the machine's limit less a fifth
  std::optional<std::uint64_t> tasks;  // exact for one plain file
  std::optional<std::uint64_t> lines_per_task;
  std::string tmp = "/tmp";  // where a pipe whose hashes exceed `memory` spills
};

// How far a job is. Written by the job, read by whoever shows it.
struct JobProgress {
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<std::uint64_t> records{0};
  std::atomic<std::uint64_t> total_bytes{0};  // 0: unknown
  std::atomic<const char*> step{""};          // "reading", "building", "writing"
  std::atomic<bool> is_cancelled{false};      // set it to stop the job, which then fails
};

struct InputFacts {
  std::string name;
  std::string description;  // "gzip, tab-separated, header, 3 columns"
};

// A job that a cluster ran, by the cluster's own counters.
struct ClusterJob {
  std::string what;  // "plan", "build", "verify"
  std::string id;
  std::uint64_t maps = 0;
  std::uint64_t reduces = 0;
  std::uint64_t failed_attempts = 0;  // that were run again
  std::uint64_t map_output_bytes = 0;
  std::uint64_t shuffle_bytes = 0;
  double wall_seconds = 0;
  double cpu_seconds = 0;
  std::uint64_t peak_memory = 0;  // of the largest task
};

// What every job reports. Nothing of this goes into a bank.
struct JobFacts {
  std::string engine = "threads";
  std::vector<InputFacts> inputs;
  Tally tally;
  unsigned threads = 0;
  std::uint64_t tasks = 0;
  std::string tasks_note;   // why not as many as asked for; empty where they are
  unsigned passes = 1;      // over the input
  std::string passes_note;  // why
  std::uint64_t spilled_bytes = 0;
  std::vector<std::string> warnings;
  double wall_seconds = 0;
  double cpu_seconds = 0;
  std::uint64_t peak_memory = 0;  // anonymous, of the process
  std::string cluster;            // how it was found; empty where this machine did the work
  std::vector<ClusterJob> jobs;   // of the cluster
};

struct PlanJob {
  JobInput input;
  TaskOptions tasks;
  SizingRequest sizing;
  bool distinct = false;  // size by distinct keys, not by records
};
struct PlanResult {
  std::vector<GroupPlan> groups;
  JobFacts facts;
};

struct BuildJob {
  JobInput input;
  TaskOptions tasks;
  SizingRequest sizing;
  bool distinct = false;
  std::optional<std::vector<GroupPlan>> plan;  // --plan-from: sizes are taken as they are
  std::optional<Strategy> strategy;            // go through partials, and say what they would weigh
  std::string output;
  bool overwrite = false;
  TextMap metadata;
};
struct BuiltGroup {
  GroupPlan plan;
  std::uint64_t count = 0;
  std::uint64_t ones = 0;
  double estimated_keys = 0;
  double achieved_fpr = 0;
};
struct BuildResult {
  std::vector<BuiltGroup> groups;
  std::uint64_t bank_bytes = 0;
  std::array<std::byte, 16> digest{};
  std::optional<ShippedBytes> shipped;  // with a strategy
  JobFacts facts;
};

struct VerifyJob {
  JobInput input;  // its recipe may be the bank's
  TaskOptions tasks;
  double sample = 1;  // share of keys, chosen by hash
};
struct VerifyResult {
  Verification verification;
  JobFacts facts;
};

}  // namespace bloomery
