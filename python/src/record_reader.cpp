#include "record_reader.h"

#include "base/error.h"
#include "errors.h"
#include "group/read_input.h"
#include "input/input.h"

namespace bloomery::python {

void RecordReader::read_batch(const TakenBatch& batch, std::uint64_t first) {
  if (!finder_) {
    finder_ = unwrap(ColumnFinder::create(recipe_, *batch.schema, "table"));
    reader_.start_columns(0, "table");
  }
  const auto columns = unwrap(finder_->columns(*batch.schema, *batch.array));
  unwrap(reader_.read(columns, first));
}

void RecordReader::read_range(const FileRange& range) {
  Input input = unwrap(Input::open(range.path));
  const FileShape shape = unwrap(shape_from_text(range.shape));
  reader_.start_file(range.file, input.name(), shape);
  if (!range.begin) return unwrap(read_all(input, shape, max_line_, reader_));
  if (!input.is_mapped() || range.end > input.bytes().size()) {
    throw Failure(
        make_error(ErrorCode::kMismatch,
                   "{}: is not the file that was planned with; do not change it meanwhile",
                   escaped(range.path, 4096)));
  }
  unwrap(bloomery::read_range(input, {*range.begin, range.end}, reader_));
}

}  // namespace bloomery::python
