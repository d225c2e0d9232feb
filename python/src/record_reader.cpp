#include "record_reader.h"

#include "base/error.h"
#include "errors.h"
#include "group/read_input.h"
#include "input/input.h"
#include "task_support.h"

namespace nb = nanobind;

namespace bloomery::python {

void RecordReader::read_batch(nb::handle batch) {
  const TakenBatch taken = take_batch(batch);
  const nb::gil_scoped_release released;
  if (!finder_) {
    finder_ = unwrap(ColumnFinder::create(recipe_, *taken.schema, "table"));
    reader_.start_columns(0, "table");
  }
  const auto columns = unwrap(finder_->columns(*taken.schema, *taken.array));
  unwrap(reader_.read(columns, records_));
  records_ += static_cast<std::uint64_t>(taken.array->length);
}

void RecordReader::read_range(std::uint32_t file, const fs::path& path, const nb::dict& shape_text,
                              std::optional<std::uint64_t> begin, std::uint64_t end) {
  const RecipeText text = from_dict(shape_text);
  const nb::gil_scoped_release released;
  Input input = unwrap(Input::open(path.string()));
  const FileShape shape = unwrap(shape_from_text(text));
  reader_.start_file(file, input.name(), shape);
  if (!begin) return unwrap(read_all(input, shape, max_line_, reader_));
  if (!input.is_mapped() || end > input.bytes().size()) {
    throw Failure(
        make_error(ErrorCode::kMismatch,
                   "{}: is not the file that was planned with; do not change it meanwhile",
                   escaped(path.string(), 4096)));
  }
  unwrap(bloomery::read_range(input, {*begin, end}, reader_));
}

}  // namespace bloomery::python
