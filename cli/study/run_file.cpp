#include "cli/study/run_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "cli/study/identity.h"
#include "cli/study/run_line.h"

namespace bloomery::cli {
namespace {

// How every line begins that a study writes.
std::string line_head() {
  return fmt::format(R"({{"schema":"{}")", kStudySchema);
}

Result<std::string> read_all(int descriptor, const std::string& name) {
  std::string text;
  std::array<char, std::size_t{64} << 10U> buffer{};
  while (true) {
    const auto got =
        uninterrupted([&] { return ::read(descriptor, buffer.data(), buffer.size()); });
    if (got < 0) return errno_error(errno, name);
    if (got == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

// So that a file that was just made is still there after a power failure.
Result<void> flush_folder_of(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  const File opened(
      uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (!opened.is_open()) return errno_error(errno, printable_path(folder));
  const int synced = uninterrupted([&] { return ::fsync(opened.descriptor()); });
  // EINVAL: a file system on which folders are not flushed.
  if (synced != 0 && errno != EINVAL) return errno_error(errno, printable_path(folder));
  return {};
}

}  // namespace

Result<std::vector<JsonLine>> parse_lines(std::string_view text, const std::string& name) {
  std::vector<JsonLine> lines;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    ++number;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    Json value = Json::parse(line, nullptr, false);
    if (!value.is_object()) {
      return make_error(ErrorCode::kInvalidArgument, "{}: line {}: not an object of JSON",
                        printable_path(name), number);
    }
    lines.push_back({number, std::move(value)});
  }
  return lines;
}

std::size_t torn_line(std::string_view text) {
  const std::size_t begin = text.rfind('\n') + 1;  // npos + 1 is 0
  const std::string_view last = text.substr(begin);
  const std::string head = line_head();
  const bool is_ours = last.starts_with(head) || head.starts_with(last);
  return is_ours && !Json::accept(last) ? begin : text.size();
}

Result<std::string> read_text(const std::string& path) {
  if (path == "-") return read_all(STDIN_FILENO, "standard input");
  const auto opened = open_to_read(path);
  if (!opened) return opened.error();
  return read_all(opened->file.descriptor(), printable_path(path));
}

Result<std::size_t> RunFile::take(std::string_view text) {
  const std::size_t whole = torn_line(text);
  const auto not_runs = [&](std::string_view why) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{}: {}holds other things than runs of a study; name another file",
                      printable_path(path_), why);
  };
  auto lines = parse_lines(text.substr(0, whole), path_);
  if (!lines) return not_runs("");
  for (JsonLine& line : *lines) {
    if (line.value.value("schema", Json()) != kStudySchema) return not_runs("");
    if (const auto fine = check_run_line(line.value); !fine) {
      return make_error(ErrorCode::kDamaged, "{}: line {}: {}; mend it, or name another file",
                        printable_path(path_), line.number, fine.error().message);
    }
    lines_.push_back(std::move(line.value));
  }
  return whole;
}

Result<RunFile> RunFile::look(const std::string& path) {
  RunFile runs;
  runs.path_ = path;
  const auto text = read_text(path);
  if (!text && text.error().code == ErrorCode::kNotFound) return runs;
  if (!text) return text.error();
  if (const auto taken = runs.take(*text); !taken) return taken.error();
  return runs;
}

Result<RunFile> RunFile::open(const std::string& path) {
  RunFile runs;
  runs.path_ = path;
  const std::string name = printable_path(path);
  runs.file_ = File(uninterrupted(
      [&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666); }));
  if (!runs.file_.is_open()) return errno_error(errno, name);
  const int descriptor = runs.file_.descriptor();
  struct stat facts {};
  if (::fstat(descriptor, &facts) == 0 && !S_ISREG(facts.st_mode)) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{}: is not a file; runs are read again from where they are recorded", name);
  }
  if (uninterrupted([&] { return ::flock(descriptor, LOCK_EX | LOCK_NB); }) != 0) {
    if (errno == EWOULDBLOCK) {
      return make_error(ErrorCode::kExists, "{}: another study is writing it", name);
    }
    return errno_error(errno, name);
  }
  const auto text = read_all(descriptor, name);
  if (!text) return text.error();
  if (text->empty()) {
    if (const auto flushed = flush_folder_of(path); !flushed) return flushed.error();
  }
  const auto whole = runs.take(*text);
  if (!whole) return whole.error();
  if (*whole < text->size() && ::ftruncate(descriptor, static_cast<off_t>(*whole)) != 0) {
    return errno_error(errno, name);
  }
  // An editor may have taken the last line's end.
  if (*whole > 0 && (*text)[*whole - 1] != '\n') {
    if (const auto ended = runs.put("\n"); !ended) return ended.error();
  }
  return runs;
}

Result<void> RunFile::put(std::string_view text) {
  const int descriptor = file_.descriptor();
  const off_t before = ::lseek(descriptor, 0, SEEK_END);
  int error = 0;
  while (error == 0 && !text.empty()) {
    const auto written =
        uninterrupted([&] { return ::write(descriptor, text.data(), text.size()); });
    if (written < 0) error = errno;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (error == 0 && ::fdatasync(descriptor) != 0 && errno != EINVAL) error = errno;
  if (error == 0) return {};
  // No half of a line is left for others to stumble over.
  if (before >= 0 && ::ftruncate(descriptor, before) != 0) {
    return errno_error(errno, printable_path(path_));
  }
  return errno_error(error, printable_path(path_));
}

Result<void> RunFile::append(const Json& line) {
  if (auto written = put(to_line(line, true)); !written) return written;
  lines_.push_back(line);
  return {};
}

}  // namespace bloomery::cli
