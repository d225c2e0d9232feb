#include "engines/hadoop/result_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "engines/hadoop/sequence_file.h"

namespace bloomery::hadoop {
namespace {

namespace fs = std::filesystem;

Result<void> read_part(const std::string& path, TaskLedger& ledger,
                       const std::function<Result<void>(const Letter&)>& use) {
  const int file = uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  if (file < 0) return errno_error(errno, printable_path(path));
  auto source = std::make_unique<FileSource>(FileDescriptor(file), path,
                                             std::make_shared<std::atomic<std::uint64_t>>(0));
  auto reader = SequenceFileReader::open(std::move(source), path);
  if (!reader) return reader.error();
  while (true) {
    const auto record = reader->next();
    if (!record) return record.error();
    if (!*record) return {};
    const auto letter = ledger.note(**record);
    if (!letter) return letter.error();
    if (letter->subject == Subject::kTrailer) continue;
    if (auto used = use(*letter); !used) return used;
  }
}

}  // namespace

Result<void> each_letter(const std::string& folder, std::uint64_t job, std::uint32_t reducers,
                         const std::function<Result<void>(const Letter&)>& use) {
  std::vector<std::string> parts;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("part-")) parts.push_back(entry.path().string());
  }
  std::ranges::sort(parts);
  TaskLedger ledger(job);
  for (const std::string& part : parts) {
    if (auto read = read_part(part, ledger, use); !read) return read;
  }
  return ledger.settle(reducers);
}

}  // namespace bloomery::hadoop
