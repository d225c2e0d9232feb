#include "engines/reject_file.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "parse/json_bytes.h"

namespace bloomery {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{256} << 10U;

}  // namespace

Result<std::unique_ptr<RejectFile>> RejectFile::create(const std::string& path, bool overwrite,
                                                       std::vector<std::string> inputs) {
  auto file = AtomicFile::create(path, overwrite);
  if (!file) return make_error(file.error().code, "--rejects {}", file.error().message);
  return std::unique_ptr<RejectFile>(new RejectFile(*std::move(file), std::move(inputs)));
}

std::string reject_line(const RejectedRecord& record, const std::string& input) {
  nlohmann::json line{{"offset", record.offset},
                      {"category", to_string(record.category)},
                      {"reason", record.reason}};
  put_bytes(line, "file", input);
  put_bytes(line, "record", unescaped(record.text));
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void RejectFile::write(const RejectedRecord& record) {
  const std::string text = reject_line(record, inputs_[record.file]);
  const std::scoped_lock lock(mutex_);
  buffer_ += text;
  buffer_ += '\n';
  if (buffer_.size() >= kBufferBytes) flush();
}

void RejectFile::flush() {
  if (!failure_) {
    const auto done = file_.write(written_, std::as_bytes(std::span(buffer_)));
    if (!done) failure_ = done.error();
  }
  written_ += buffer_.size();
  buffer_.clear();
}

Result<void> RejectFile::close() {
  flush();
  if (failure_) return *failure_;
  return file_.commit();
}

}  // namespace bloomery
