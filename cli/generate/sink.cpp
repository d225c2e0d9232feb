#include "cli/generate/sink.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/output/numbers.h"
#include "cli/signals.h"

namespace bloomery::cli {

void DataSink::flush() {
  if (file_ != nullptr && !error_) {
    const auto written = file_->write(written_, std::as_bytes(std::span(buffer_)));
    if (!written) error_ = written.error();
  } else if (file_ == nullptr) {
    out_->put(buffer_);
  }
  written_ += buffer_.size();
  is_closed_ = error_.has_value() || out_->is_closed();
  buffer_.clear();
}

Result<std::uint64_t> DataSink::finish() {
  flush();
  if (error_) return *error_;
  if (const auto finished = out_->finish(); !finished) return finished.error();
  return written_;
}

Result<ExitCode> generate(const std::string& output, bool force, Console& console,
                          const std::function<std::uint64_t(DataSink&)>& make) {
  if (console.format() == Format::kMarkdown) {
    return make_error(ErrorCode::kInvalidArgument,
                      "--format md: data come as csv, tsv or json; choose one of them");
  }
  if (output == "-") {
    DataSink sink(console.out(), nullptr);
    make(sink);
    const auto finished = sink.finish();
    if (!finished) return finished.error();
    return ExitCode::kOk;
  }
  const SignalGuard guard({output}, nullptr);
  auto file = AtomicFile::create(output, force);
  if (!file) return file.error();
  DataSink sink(console.out(), &*file);
  const std::uint64_t records = make(sink);
  const auto written = sink.finish();
  if (!written) return written.error();
  if (const auto committed = file->commit(); !committed) return committed.error();
  console.note(fmt::format("wrote {}: {} records, {} bytes", printable_path(output),
                           grouped(records), grouped(*written)));
  return ExitCode::kOk;
}

}  // namespace bloomery::cli
