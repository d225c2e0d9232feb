// bloomery doctor: is this machine fit for the work? One block to paste into a report.
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "bloomery/bank.h"
#include "bloomery/kernel.h"
#include "bloomery/sizing.h"
#include "cli/commands/commands.h"
#include "cli/machine.h"
#include "cli/output/console.h"
#include "cli/output/numbers.h"
#include "engines/job_clock.h"

namespace bloomery::cli {
namespace {

enum class Health : std::uint8_t { kGood, kAbsent, kBad };

struct Finding {
  std::string check;
  Health health = Health::kGood;
  std::string text;
};

// Ten thousand keys into a bank in memory, on one kernel.
Result<std::vector<std::byte>> bank_on(Kernel kernel) {
  if (const auto forced = force_kernel(kernel); !forced) return forced.error();
  const auto spec = plan_filter(Kind::kBlocked, 10'000, 0.01);
  if (!spec) return spec.error();
  auto filter = Filter::create(*spec);
  if (!filter) return filter.error();
  for (std::uint64_t i = 0; i < 10'000; ++i) filter->insert(fmt::format("key {}", i));
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    if (filter->may_contain(fmt::format("key {}", i))) continue;
    return make_error(ErrorCode::kDamaged, "kernel {} loses a key", to_string(kernel));
  }
  const GroupFilter group{"all", &*filter, 10'000};
  return bank_bytes({&group, 1});
}

Finding check_kernels() {
  const Kernel in_use = active_kernel();
  std::vector<std::byte> first;
  Finding finding{"kernels", Health::kGood,
                  fmt::format("{}: one bank to the byte; {} in use",
                              fmt::join(kernel_names(), ", "), to_string(in_use))};
  for (const Kernel kernel : available_kernels()) {
    const auto bytes = bank_on(kernel);
    if (!bytes) finding = {"kernels", Health::kBad, bytes.error().message};
    if (bytes && first.empty()) first = *bytes;
    if (bytes && first != *bytes) {
      finding = {"kernels", Health::kBad, fmt::format("{} sets other bits", to_string(kernel))};
    }
  }
  if (!force_kernel(in_use)) finding.health = Health::kBad;
  return finding;
}

Finding check_memory() {
  const MemoryLimit limit = memory_limit();
  return {"memory", Health::kGood,
          fmt::format("{}{}", size_text(limit.bytes),
                      limit.is_group_limit ? ", the limit of the control group" : "")};
}

Finding check_folder(const std::string& name, const std::string& folder) {
  struct statvfs facts {};
  if (::access(folder.c_str(), W_OK) != 0 || ::statvfs(folder.c_str(), &facts) != 0) {
    return {name, Health::kBad, fmt::format("{}: cannot be written", folder)};
  }
  return {name, Health::kGood,
          fmt::format("{}: {} free", folder, size_text(facts.f_bavail * facts.f_frsize))};
}

Finding check_program(const std::string& check, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!find_program(name).empty()) return {check, Health::kGood, name + " is on PATH"};
  }
  return {check, Health::kAbsent,
          fmt::format("no {} on PATH; only needed for that engine", fmt::join(names, " or "))};
}

std::vector<Finding> examine() {
  return {{"program", Health::kGood,
           fmt::format("bloomery {} ({}), {}", version(), commit(), compiler())},
          {"system", Health::kGood, operating_system()},
          {"processor", Health::kGood, processor()},
          {"threads", Health::kGood, fmt::format("{}", std::thread::hardware_concurrency())},
          check_memory(),
          check_kernels(),
          check_folder("folder", "."),
          check_folder("spills", "/tmp"),
          check_program("hadoop", {"hadoop"}),
          check_program("spark", {"spark-submit"}),
          check_program("redis", {"valkey-server", "redis-server"})};
}

Result<ExitCode> run_doctor(Console& console) {
  Table table{
      .name = "checks",
      .columns = {
          {"check", "check", true}, {"state", "state", true}, {"text", "what was found", true}}};
  bool is_fit = true;
  for (const Finding& finding : examine()) {
    Cell state = Cell::text(finding.health == Health::kGood     ? "ok"
                            : finding.health == Health::kAbsent ? "absent"
                                                                : "BAD");
    state.is_alarm = finding.health == Health::kBad;
    is_fit = is_fit && !state.is_alarm;
    table.rows.push_back({Cell::text(finding.check), state, Cell::text(finding.text)});
  }
  Report report{.tables = {table}};
  report.document["fit"] = is_fit;
  console.print(report);
  return is_fit ? ExitCode::kOk : ExitCode::kNo;
}

}  // namespace

Command doctor_command() {
  return {
      .name = "doctor",
      .summary = "Check this machine, and say so in one block to paste",
      .description = {"Looks at threads, memory limit, folders and engines, and builds one small "
                      "bank on every kernel to see that they agree. What is absent is only needed "
                      "for that engine."},
      .examples = {{"Look at everything", "bloomery doctor"},
                   {"For a program", "bloomery doctor --json"},
                   {"For a bug report", "bloomery doctor --format md"}},
      .statuses = {"fit", "something is wrong", "error"},
      .run = run_doctor,
  };
}

}  // namespace bloomery::cli
