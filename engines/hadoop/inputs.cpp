#include "engines/hadoop/inputs.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.h"
#include "engines/hadoop/engine.h"
#include "engines/open_input.h"
#include "parse/sample.h"

namespace bloomery::hadoop {
namespace {

namespace fs = std::filesystem;

// Hadoop tells compression by the name alone.
constexpr std::array<std::string_view, 7> kCodecNames{".gz",  ".bz2", ".deflate", ".snappy",
                                                      ".lz4", ".zst", ".zstd"};

class CrScanner {
 public:
  void take(std::string_view bytes) {
    if (bytes.empty()) return;
    if (was_cr_ && bytes.front() != '\n') has_lone_ = true;
    for (std::size_t at = bytes.find('\r'); at != std::string_view::npos;
         at = bytes.find('\r', at + 1)) {
      if (at + 1 < bytes.size() && bytes[at + 1] != '\n') has_lone_ = true;
    }
    was_cr_ = bytes.back() == '\r';
  }
  [[nodiscard]] bool has_lone() const noexcept { return has_lone_ || was_cr_; }

 private:
  bool was_cr_ = false;
  bool has_lone_ = false;
};

Result<void> check_content(Content content, const std::string& name) {
  if (content == Content::kZstd) {
    return make_error(ErrorCode::kUnsupported,
                      "{}: zstd; Hadoop reads it only with native libraries that most sites do not "
                      "have; decompress it, or compress it with gzip",
                      escaped(name, 4096));
  }
  return check_readable(content, name);
}

// Of a file whose name we cannot choose.
Result<void> check_name(Content content, const std::string& path) {
  bool has_codec = false;
  for (const std::string_view codec : kCodecNames) has_codec = has_codec || path.ends_with(codec);
  if (content == Content::kGzip && !path.ends_with(".gz")) {
    return make_error(ErrorCode::kUnsupported,
                      "{}: gzip, and Hadoop tells that by the name alone; let it end in .gz",
                      escaped(path, 4096));
  }
  if (content == Content::kText && has_codec) {
    return make_error(ErrorCode::kUnsupported,
                      "{}: not compressed, and Hadoop takes it for it because of its name; rename "
                      "it",
                      escaped(path, 4096));
  }
  if (path.find_first_of(",{}[]*?\\\n") != std::string::npos) {
    return make_error(ErrorCode::kUnsupported,
                      "{}: Hadoop Streaming takes , {{ }} [ ] * ? and \\ in a name for something "
                      "else; rename it",
                      escaped(path, 4096));
  }
  return {};
}

Result<HadoopInput> open_local(const JobInput& job, const std::string& path, bool looks_for_cr,
                               JobFacts& facts) {
  auto opened = open_input(job, path);
  if (!opened) return opened.error();
  const Content content = opened->input.content();
  if (auto fine = check_content(content, path); !fine) return fine.error();
  if (!opened->input.size()) {
    return make_error(ErrorCode::kUnsupported,
                      "{}: a pipe; Hadoop reads files, so save it as one first",
                      escaped(opened->input.name(), 4096));
  }
  HadoopInput input;
  input.local = path;
  const std::string_view bytes = opened->input.bytes();
  input.file = {path, opened->shape, *opened->input.size(), 0, content == Content::kText, false};
  if (opened->has_mark) input.file.first = kByteOrderMark.size();
  if (looks_for_cr) {
    CrScanner scanner;
    scanner.take(bytes);
    input.has_lone_cr = scanner.has_lone();
  }
  facts.inputs.push_back(describe(*opened));
  return input;
}

Result<HadoopInput> open_remote(const Client& client, const JobInput& job, const RemoteFile& found,
                                bool looks_for_cr, JobFacts& facts) {
  if (found.is_folder) {
    return make_error(ErrorCode::kInvalidArgument, "{}: a folder; name its files, as in {}/*",
                      escaped(found.path, 4096), escaped(found.path, 4096));
  }
  auto sample = client.head(found.path, kSampleBytes, false);
  if (!sample) return sample.error();
  const Content content = recognise(*sample);
  if (auto fine = check_content(content, found.path); !fine) return fine.error();
  if (auto fine = check_name(content, found.path); !fine) return fine.error();
  sample = read_sample(job.max_line, [&](std::size_t bytes) -> Result<std::string> {
    if (content != Content::kGzip && bytes == kSampleBytes) return *sample;
    return client.head(found.path, bytes, content == Content::kGzip);
  });
  if (!sample) return sample.error();
  auto shape = shape_for(job.recipe, *sample, job.layout, found.path);
  if (!shape) return shape.error();
  HadoopInput input;
  input.remote = found.path;
  input.file = {found.path, *std::move(shape), found.size, 0, content == Content::kText, false};
  if (sample->starts_with(kByteOrderMark)) input.file.first = kByteOrderMark.size();
  if (looks_for_cr && content == Content::kText) {
    CrScanner scanner;
    const auto read =
        client.stream(found.path, [&](std::string_view bytes) { scanner.take(bytes); });
    if (!read) return read.error();
    input.has_lone_cr = scanner.has_lone();
  }
  std::string description = describe(input.file.shape);
  if (content != Content::kText) {
    description = fmt::format("{}, {}", to_string(content), description);
  }
  facts.inputs.push_back({found.path, std::move(description)});
  return input;
}

Result<void> check_new(const std::vector<HadoopInput>& inputs, const RemoteFile& file) {
  const auto is_same = [&](const HadoopInput& other) { return other.remote == file.path; };
  if (std::ranges::none_of(inputs, is_same)) return {};
  return make_error(ErrorCode::kInvalidArgument, "{}: is named twice; name it once",
                    escaped(file.path, 4096));
}

Result<void> add_input(std::vector<HadoopInput>& inputs, Result<HadoopInput> input) {
  if (!input) return input.error();
  if (!inputs.empty()) {
    const ReportedFile& first = inputs.front().file;
    auto same = check_same_columns(first.shape, first.name, input->file.shape, input->file.name);
    if (!same) return same;
  }
  inputs.push_back(*std::move(input));
  return {};
}

}  // namespace

bool is_remote(const std::string& path) {
  const std::size_t scheme = path.find("://");
  return scheme != std::string::npos && scheme > 0;
}

Result<std::vector<HadoopInput>> open_inputs(const Client& client, const JobInput& job,
                                             bool looks_for_cr, JobFacts& facts) {
  std::vector<HadoopInput> inputs;
  for (const std::string& path : job.paths) {
    if (path == "-") {
      return make_error(ErrorCode::kUnsupported,
                        "standard input: Hadoop reads files, so save it as one first");
    }
    std::error_code ignored;
    if (!is_remote(path) && fs::exists(path, ignored)) {
      const auto added = add_input(inputs, open_local(job, path, looks_for_cr, facts));
      if (!added) return added.error();
      continue;
    }
    const auto found = client.list({path});
    if (!found) return found.error();
    for (const RemoteFile& file : *found) {
      if (const auto is_new = check_new(inputs, file); !is_new) return is_new.error();
      const auto added = add_input(inputs, open_remote(client, job, file, looks_for_cr, facts));
      if (!added) return added.error();
    }
  }
  return inputs;
}

namespace {

// Hadoop cuts pieces of `split` bytes while more than 1.1 of them are left.
std::uint64_t splits_of(std::uint64_t size, std::uint64_t split) {
  std::uint64_t count = 0;
  for (; static_cast<double>(size) / static_cast<double>(split) > 1.1; size -= split) ++count;
  return count + (size > 0 ? 1 : 0);
}

}  // namespace

std::uint64_t split_bytes_for(std::uint64_t size, std::uint64_t tasks) {
  if (size < tasks) return 0;
  const std::uint64_t even = (size + tasks - 1) / tasks;
  // A smaller one than size / tasks is not taken.
  for (std::uint64_t split = size / tasks; split <= even + 1; ++split) {
    if (splits_of(size, split) == tasks) return split;
  }
  return 0;
}

}  // namespace bloomery::hadoop
