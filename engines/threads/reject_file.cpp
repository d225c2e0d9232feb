#include "engines/threads/reject_file.h"

#include <cerrno>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace bloomery {

Result<std::unique_ptr<RejectFile>> RejectFile::create(std::string path,
                                                       std::vector<std::string> inputs) {
  std::FILE* file = std::fopen(path.c_str(), "wbe");
  if (file == nullptr) return errno_error(errno, "--rejects " + escaped(path));
  return std::unique_ptr<RejectFile>(new RejectFile(std::move(path), std::move(inputs), file));
}

void RejectFile::write(const RejectedRecord& record) {
  const nlohmann::json line{{"file", escaped(inputs_[record.file], 4096)},
                            {"offset", record.offset},
                            {"category", to_string(record.category)},
                            {"reason", record.reason},
                            {"record", record.text}};
  const std::string text =
      line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  const std::scoped_lock lock(mutex_);
  if (error_number_ == 0 && std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) {
    error_number_ = errno;
  }
}

Result<void> RejectFile::close() {
  const bool is_flushed = std::fclose(file_.release()) == 0;
  if (!is_flushed && error_number_ == 0) error_number_ = errno;
  if (error_number_ != 0) return errno_error(error_number_, "--rejects " + escaped(path_));
  return {};
}

}  // namespace bloomery
