#include "engines/hadoop/client.h"

#include <charconv>

#include "base/error.h"

namespace bloomery::hadoop {
namespace {

Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Error interrupted() {
  return make_error(ErrorCode::kIo, "interrupted; nothing was written");
}

// Where " 2026-01-01 10:00 " begins: names of users and groups may hold blanks, so fields cannot be
// counted from the left.
std::size_t find_date(std::string_view line) {
  constexpr std::string_view kShape = " 0000-00-00 00:00 ";
  for (std::size_t at = 0; at + kShape.size() <= line.size(); ++at) {
    bool fits = true;
    for (std::size_t i = 0; i < kShape.size() && fits; ++i) {
      const char c = line[at + i];
      fits = kShape[i] == '0' ? c >= '0' && c <= '9' : c == kShape[i];
    }
    if (fits) return at;
  }
  return std::string_view::npos;
}

// "-rw-r--r--   3 user group 1234 2026-01-01 10:00 hdfs://host/a b": the path is the rest.
bool parse_listed(std::string_view line, RemoteFile& file) {
  if (line.empty() || (line[0] != '-' && line[0] != 'd')) return false;
  file.is_folder = line[0] == 'd';
  const std::size_t date = find_date(line);
  if (date == std::string_view::npos) return false;
  const std::string_view before = line.substr(0, date);
  const std::string_view size = before.substr(before.rfind(' ') + 1);
  const auto [rest, error] = std::from_chars(size.data(), size.data() + size.size(), file.size);
  if (error != std::errc() || rest != size.data() + size.size()) return false;
  file.path = line.substr(date + 18);
  return !file.path.empty();
}

}  // namespace

void each_line(std::string_view text, const std::function<void(std::string_view)>& use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string last_words(std::string_view errors) {
  std::string last;
  std::string exception;
  each_line(errors, [&](std::string_view line) {
    if (line.starts_with("\tat ") || line.empty() || line.starts_with("SLF4J") ||
        line.starts_with("log4j:") || line.find(" WARN ") != std::string_view::npos ||
        line.find(" INFO ") != std::string_view::npos) {
      return;
    }
    if (exception.empty() && line.find("Exception") != std::string_view::npos) exception = line;
    last = line;
  });
  return escaped(exception.empty() ? last : exception, 1000);
}

Result<ChildResult> Client::fs(const Words& arguments) const {
  ChildOptions options;
  options.is_cancelled = is_cancelled_;
  return run_child(joined(commands_.fs, arguments), options);
}

Result<void> Client::must(const Words& arguments, std::string_view what) const {
  const auto done = fs(arguments);
  if (!done) return done.error();
  if (done->was_cancelled) return interrupted();
  if (done->status == 0) return {};
  return make_error(ErrorCode::kIo, "{}: Hadoop says: {}", escaped(what, 4096),
                    last_words(done->errors));
}

Result<ChildResult> Client::run_class(const Words& words, bool may_be_cancelled) const {
  ChildOptions options;
  if (may_be_cancelled) options.is_cancelled = is_cancelled_;
  return run_child(joined(commands_.run_class, words), options);
}

Result<std::vector<RemoteFile>> Client::list(const Words& paths) const {
  const auto done = fs(joined({"-ls", "-d"}, paths));
  if (!done) return done.error();
  if (done->was_cancelled) return interrupted();
  if (done->status != 0) {
    const bool is_missing = done->errors.find("No such file") != std::string::npos;
    return make_error(is_missing ? ErrorCode::kNotFound : ErrorCode::kIo, "{}: Hadoop says: {}",
                      escaped(paths.front(), 4096), last_words(done->errors));
  }
  std::vector<RemoteFile> files;
  each_line(done->output, [&](std::string_view line) {
    RemoteFile file;
    if (parse_listed(line, file)) files.push_back(std::move(file));
  });
  if (files.empty()) {
    return make_error(ErrorCode::kNotFound, "{}: Hadoop lists no such file",
                      escaped(paths.front(), 4096));
  }
  return files;
}

Result<bool> Client::exists(const std::string& path) const {
  const auto done = fs({"-test", "-e", path});
  if (!done) return done.error();
  if (done->was_cancelled) return interrupted();
  // 1 without a word is "no"; with words it is a failure.
  if (done->status == 0) return true;
  const std::string words = last_words(done->errors);
  if ((done->status == 1 && words.empty()) || words.find("No such file") != std::string::npos)
    return false;
  return make_error(ErrorCode::kIo, "{}: Hadoop says: {}", escaped(path, 4096), words);
}

Result<std::string> Client::head(const std::string& path, std::size_t bytes, bool is_text) const {
  ChildOptions options;
  options.max_output = bytes;
  options.is_cancelled = is_cancelled_;
  auto done = run_child(joined(commands_.fs, {is_text ? "-text" : "-cat", path}), options);
  if (!done) return done.error();
  if (done->was_cancelled) return interrupted();
  if (done->status != 0) {
    return make_error(ErrorCode::kIo, "{}: Hadoop says: {}", escaped(path, 4096),
                      last_words(done->errors));
  }
  if (done->output.size() > bytes) done->output.resize(bytes);
  return std::move(done->output);
}

Result<void> Client::stream(const std::string& path,
                            const std::function<void(std::string_view)>& take) const {
  ChildOptions options;
  options.on_output = take;
  options.is_cancelled = is_cancelled_;
  const auto done = run_child(joined(commands_.fs, {"-cat", path}), options);
  if (!done) return done.error();
  if (done->was_cancelled) return interrupted();
  if (done->status == 0) return {};
  return make_error(ErrorCode::kIo, "{}: Hadoop says: {}", escaped(path, 4096),
                    last_words(done->errors));
}

Result<void> Client::get(const std::string& remote, const std::string& local) const {
  return must({"-get", remote, local}, remote);
}
Result<void> Client::put(const std::string& local, const std::string& remote) const {
  return must({"-put", local, remote}, remote);
}
Result<void> Client::move(const std::string& from, const std::string& to) const {
  return must({"-mv", from, to}, to);
}
Result<void> Client::remove_file(const std::string& path) const {
  return must({"-rm", "-f", "-skipTrash", path}, path);
}
Result<void> Client::make_folder(const std::string& path) const {
  return must({"-mkdir", "-p", path}, path);
}

Result<void> Client::remove_tree(const std::string& path) const {
  // Not to be cancelled: it is what cleans up.
  const auto done = run_child(joined(commands_.fs, {"-rm", "-r", "-f", "-skipTrash", path}));
  if (!done) return done.error();
  if (done->status == 0) return {};
  return make_error(ErrorCode::kIo, "{}: Hadoop says: {}", escaped(path, 4096),
                    last_words(done->errors));
}

}  // namespace bloomery::hadoop
