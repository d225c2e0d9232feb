#include "cli/plan_file.h"

#include <span>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/file.h"
#include "bloomery/bank.h"
#include "input/content.h"

namespace bloomery::cli {
namespace {

constexpr std::uint64_t kMaxPlanBytes = std::uint64_t{1} << 30U;

Result<SavedPlan> plan_of_bank(const std::string& path, const std::optional<SecretKey>& secret) {
  OpenOptions options;
  options.secret = secret;
  const auto bank = Bank::open(path, options);
  if (!bank) return bank.error();
  SavedPlan plan;
  plan.recipe = bank->recipe();
  for (const BankEntry& entry : bank->entries()) {
    plan.groups.push_back({std::string(entry.group()), entry.filter().spec(), entry.count()});
  }
  return plan;
}

}  // namespace

Result<SavedPlan> read_plan(const std::string& path, const std::optional<SecretKey>& secret) {
  const auto opened = open_to_read(path);
  if (!opened) return opened.error();
  std::string start(std::min<std::uint64_t>(opened->size, kContentBytes), '\0');
  auto read = read_at(opened->file, 0, std::as_writable_bytes(std::span(start)), path);
  if (!read) return read.error();
  if (recognise(start) == Content::kBank) return plan_of_bank(path, secret);
  if (opened->size > kMaxPlanBytes) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{}: too large for a plan; bloomery plan -o FILE makes one",
                      printable_path(path));
  }
  std::string json(opened->size, '\0');
  read = read_at(opened->file, 0, std::as_writable_bytes(std::span(json)), path);
  if (!read) return read.error();
  return plan_from_json(json, printable_path(path), secret);
}

Result<void> write_plan(const std::string& path, bool force, const SavedPlan& plan) {
  const std::string json = plan_to_json(plan);
  auto file = AtomicFile::create(path, force);
  if (!file) return file.error();
  auto written = file->write(0, std::as_bytes(std::span(json)));
  if (!written) return written;
  return file->commit();
}

}  // namespace bloomery::cli
