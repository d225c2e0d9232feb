#include "input/arrow_batches.h"

#include "base/error.h"

namespace bloomery {

Result<std::shared_ptr<ArrowStream>> ArrowStream::open(ArrowArrayStream* stream, std::string name) {
  std::shared_ptr<ArrowStream> opened(new ArrowStream(stream, std::move(name)));
  if (const int code = opened->stream_->get_schema(&*opened->stream_, opened->schema_.out());
      code != 0) {
    return opened->failure(code);
  }
  return opened;
}

Result<OwnedArray> ArrowStream::next() {
  const std::scoped_lock lock(mutex_);
  OwnedArray batch;
  if (const int code = stream_->get_next(&*stream_, batch.out()); code != 0) return failure(code);
  return batch;
}

Error ArrowStream::failure(int code) {
  const char* const said = stream_->get_last_error(&*stream_);
  if (said == nullptr) return errno_error(code, name_);
  return make_error(ErrorCode::kIo, "{}: {}", name_, escaped(said, 2000));
}

}  // namespace bloomery
