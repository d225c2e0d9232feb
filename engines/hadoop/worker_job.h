// What every task of a job must know, in a file that travels with the job.
//
//   takes   what the driver has decided
//   gives   the same to each worker
//
// The secret of --hash sip is not in it: it travels as a file of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/hash.h"
#include "bloomery/result.h"
#include "group/recipe.h"
#include "parse/shape.h"
#include "partial/strategy.h"
#include "plan/plan.h"
#include "verify/verify_map.h"

namespace bloomery::hadoop {

// Names of the job's files in the folder of a task.
inline constexpr const char* kJobFile = "bloomery.job";
inline constexpr const char* kSecretFile = "bloomery.secret";
inline constexpr const char* kBankFile = "bloomery.bank";
inline constexpr const char* kWorkerFile = "bloomery-worker";

enum class JobKind : std::uint8_t { kPlan, kBuild, kVerify };

struct WorkerFile {
  std::string name;     // for messages
  std::string address;  // as the job's input has it
  FileShape shape;
  std::uint64_t first = 0;  // offset of the first record: Hadoop drops a byte-order mark
};

struct WorkerJob {
  JobKind kind = JobKind::kPlan;
  std::uint64_t id = 0;  // any number that only this job has
  std::string version;   // of the driver; a worker must have the same
  Recipe recipe;
  std::uint64_t max_line = 0;
  std::uint64_t max_groups = 0;
  std::uint64_t memory = 0;    // for a worker
  bool wants_rejects = false;  // all rejected records, not only samples
  bool has_offsets = false;    // each line comes after its offset and a tab
  bool has_secret = false;
  std::vector<WorkerFile> files;

  // plan
  bool distinct = false;
  HashId hash = HashId::kXxh3;
  std::uint64_t seed = 0;
  // build
  std::vector<GroupPlan> plan;
  Strategy strategy = Strategy::kAuto;
  // verify
  std::uint64_t sample_last = UINT64_MAX;  // KeySample::last()
  Evidence evidence = Evidence::kCandidates;
};

[[nodiscard]] std::string to_json(const WorkerJob& job);
Result<WorkerJob> job_from_json(std::string_view text, const std::optional<SecretKey>& secret);

// How sure it is that a task's input is the file with the address `wanted`; 0: it is another. Tasks
// are given full addresses, with a port or without, while `wanted` may be a path below the user's
// folder.
[[nodiscard]] std::size_t address_likeness(std::string_view wanted, std::string_view given);

}  // namespace bloomery::hadoop
