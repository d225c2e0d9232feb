#include "cli/study/run_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "base/error.h"

namespace bloomery::cli {
namespace {

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

}  // namespace

Result<std::vector<Json>> parse_lines(std::string_view text, const std::string& name) {
  std::vector<Json> lines;
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
    lines.push_back(std::move(value));
  }
  return lines;
}

Result<std::string> read_text(const std::string& path) {
  if (path == "-") return read_all(STDIN_FILENO, "standard input");
  const auto opened = open_to_read(path);
  if (!opened) return opened.error();
  return read_all(opened->file.descriptor(), printable_path(path));
}

Result<RunFile> RunFile::open(const std::string& path) {
  RunFile runs;
  runs.path_ = path;
  const std::string name = printable_path(path);
  runs.file_ = File(uninterrupted(
      [&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666); }));
  if (!runs.file_.is_open()) return errno_error(errno, name);
  const int descriptor = runs.file_.descriptor();
  if (uninterrupted([&] { return ::flock(descriptor, LOCK_EX | LOCK_NB); }) != 0) {
    if (errno == EWOULDBLOCK) {
      return make_error(ErrorCode::kExists, "{}: another study is writing it", name);
    }
    return errno_error(errno, name);
  }
  auto text = read_all(descriptor, name);
  if (!text) return text.error();
  const std::size_t whole = text->rfind('\n') + 1;  // npos + 1 is 0
  auto lines = parse_lines(std::string_view(*text).substr(0, whole), path);
  if (!lines) return lines.error();
  // Only what a study wrote is added to, or cut where it was torn.
  constexpr std::string_view kHead = R"({"schema":"bloomery/study/1")";
  const std::string_view torn = std::string_view(*text).substr(whole);
  const bool is_ours = std::ranges::all_of(
      *lines, [](const Json& line) { return line.value("schema", "") == "bloomery/study/1"; });
  if (!is_ours || !(torn.starts_with(kHead) || kHead.starts_with(torn))) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{}: holds other things than runs of a study; name another file", name);
  }
  if (whole < text->size() && ::ftruncate(descriptor, static_cast<off_t>(whole)) != 0) {
    return errno_error(errno, name);
  }
  runs.lines_ = *std::move(lines);
  return runs;
}

Result<void> RunFile::append(const Json& line) {
  const std::string text = to_line(line, true);
  const auto written =
      uninterrupted([&] { return ::write(file_.descriptor(), text.data(), text.size()); });
  if (written < 0) return errno_error(errno, printable_path(path_));
  // A part of a line is cut off when the study goes on.
  if (static_cast<std::size_t>(written) != text.size()) {
    return make_error(ErrorCode::kResource, "{}: no room for another line", printable_path(path_));
  }
  if (::fdatasync(file_.descriptor()) != 0 && errno != EINVAL) {
    return errno_error(errno, printable_path(path_));
  }
  lines_.push_back(line);
  return {};
}

}  // namespace bloomery::cli
