#include "key_chunks.h"

#include <array>
#include <charconv>
#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"
#include "errors.h"
#include "keys.h"
#include "parse/arrow_column.h"

namespace nb = nanobind;

namespace bloomery::python {
namespace {

constexpr std::size_t kChunkKeys = 8192;
constexpr std::size_t kObjectChunk = 4096;

// Collects keys until a chunk is full.
class Chunker {
 public:
  Chunker(KeyType type, const ChunkSink& sink) : type_(type), sink_(&sink) {
    keys_.reserve(kChunkKeys);
    places_.reserve(kChunkKeys);
    // Never grows, so views of it stay good: the longest number has 20 characters.
    arena_.reserve(kChunkKeys * 24);
  }

  void add_null() noexcept { ++fields_; }
  void add(std::string_view key) {
    places_.push_back(static_cast<std::uint32_t>(fields_++));
    keys_.push_back(key);
  }
  // A key that is gone after the call.
  void add_copy(std::string_view key) {
    const std::size_t before = arena_.size();
    arena_ += key;
    add(std::string_view(arena_).substr(before));
  }
  [[nodiscard]] bool has_room_for(std::size_t bytes) const noexcept {
    return arena_.size() + bytes <= arena_.capacity();
  }
  [[nodiscard]] std::size_t fields() const noexcept { return fields_; }

  // One field of a column.
  void add_field(const ArrowColumn& column, std::size_t i) {
    if (column.is_null(i)) return add_null();
    const std::string_view text = column.text(i, scratch_);
    if (type_ != KeyType::kText) {
      add_copy(number_key(text, type_, scratch_));
    } else if (text.data() == scratch_.data()) {
      add_copy(text);
    } else {
      add(text);
    }
  }

  void flush() {
    if (fields_ > 0) (*sink_)({keys_, places_, fields_});
    total_ += fields_;
    keys_.clear();
    places_.clear();
    arena_.clear();
    fields_ = 0;
  }
  [[nodiscard]] std::size_t total() const noexcept { return total_; }

 private:
  KeyType type_;
  const ChunkSink* sink_;
  std::vector<std::string_view> keys_;
  std::vector<std::uint32_t> places_;
  std::string arena_;
  std::string scratch_;
  std::size_t fields_ = 0;
  std::size_t total_ = 0;
};

// A column, or a table of one column.
ArrowColumn only_column(const ArrowSchema& schema, const ArrowArray& array) {
  if (std::string_view(schema.format) == "+s") {
    if (schema.n_children != 1 || array.offset != 0 || array.null_count > 0) {
      throw Failure(make_error(ErrorCode::kInvalidArgument,
                               "a table of {} columns: choose the one that has the keys",
                               schema.n_children));
    }
    ArrowColumn column = unwrap(
        ArrowColumn::create(*schema.children[0], *array.children[0], "keys", ColumnUse::kKey));
    column.cut_to(static_cast<std::size_t>(array.length));
    return column;
  }
  return unwrap(ArrowColumn::create(schema, array, "keys", ColumnUse::kKey));
}

void add_column(Chunker& chunker, const ArrowSchema& schema, const ArrowArray& array) {
  const ArrowColumn column = only_column(schema, array);
  for (std::size_t i = 0; i < column.size(); ++i) {
    chunker.add_field(column, i);
    if (chunker.fields() == kChunkKeys) chunker.flush();
  }
  chunker.flush();  // before the array goes
}

void from_stream(ArrowStream& stream, Chunker& chunker) {
  while (true) {
    const OwnedArray batch = unwrap(stream.next());
    if (batch.is_empty()) return;
    add_column(chunker, stream.schema(), *batch);
  }
}

// What a NumPy array or another buffer holds, as its format says.
class BufferKeys {
 public:
  static bool can_read(const Py_buffer& buffer) {
    return buffer.ndim == 1 && form_of(buffer) != '\0';
  }

  explicit BufferKeys(const Py_buffer& buffer)
      : buffer_(&buffer),
        form_(form_of(buffer)),
        width_(static_cast<std::size_t>(buffer.itemsize)) {}

  void read(Chunker& chunker, KeyType type) {
    const Py_ssize_t stride = buffer_->strides == nullptr ? buffer_->itemsize : buffer_->strides[0];
    const char* item = static_cast<const char*>(buffer_->buf);
    for (Py_ssize_t i = 0; i < buffer_->shape[0]; ++i, item += stride) {
      const std::string_view text = text_of(item);
      const std::string_view key = type == KeyType::kText ? text : number_key(text, type, scratch_);
      if (!chunker.has_room_for(key.size())) chunker.flush();
      if (chunker.has_room_for(key.size())) {
        chunker.add_copy(key);
      } else {
        chunker.add(key);  // longer than the whole arena: alone in its chunk
        chunker.flush();
      }
      if (chunker.fields() == kChunkKeys) chunker.flush();
    }
    chunker.flush();
  }

 private:
  // 'i' signed, 'u' unsigned, 's' bytes, 'w' UTF-32; NUL for anything else.
  static char form_of(const Py_buffer& buffer) {
    std::string_view format = buffer.format == nullptr ? "B" : buffer.format;
    if (format.starts_with('>') || format.starts_with('!'))
      return '\0';  // bytes the other way round
    if (format.starts_with('<') || format.starts_with('=') || format.starts_with('@')) {
      format.remove_prefix(1);
    }
    if (format.ends_with('s')) return 's';
    if (format.ends_with('w')) return 'w';
    if (format.size() != 1) return '\0';
    if (std::strchr("bhilqn", format[0]) != nullptr) return 'i';
    if (std::strchr("BHILQN", format[0]) != nullptr) return 'u';
    return '\0';
  }

  std::string_view text_of(const char* item) {
    if (form_ == 's') {
      // NumPy fills up with NUL bytes.
      std::size_t size = width_;
      while (size > 0 && item[size - 1] == '\0') --size;
      return {item, size};
    }
    if (form_ == 'w') return utf8_of(item);
    std::array<char, 24> digits{};
    char* const end = digits.data() + digits.size();
    const auto done = form_ == 'i' ? std::to_chars(digits.data(), end, signed_at(item))
                                   : std::to_chars(digits.data(), end, unsigned_at(item));
    text_.assign(digits.data(), done.ptr);
    return text_;
  }

  [[nodiscard]] std::uint64_t unsigned_at(const char* item) const {
    std::uint64_t number = 0;
    std::memcpy(&number, item, width_);
    return number;
  }
  [[nodiscard]] std::int64_t signed_at(const char* item) const {
    const auto unused = static_cast<unsigned>(64 - 8 * width_);
    return static_cast<std::int64_t>(unsigned_at(item) << unused) >> unused;
  }

  std::string_view utf8_of(const char* item) {
    text_.clear();
    std::size_t size = width_ / 4;
    const auto letter = [&](std::size_t i) {
      std::uint32_t code = 0;
      std::memcpy(&code, item + 4 * i, sizeof code);
      return code;
    };
    while (size > 0 && letter(size - 1) == 0) --size;
    for (std::size_t i = 0; i < size; ++i) append_utf8(letter(i));
    return text_;
  }
  void append_utf8(std::uint32_t code) {
    const auto put = [&](std::uint32_t byte) { text_ += static_cast<char>(byte); };
    if (code >= 0xD800 && code < 0xE000) {
      throw Failure(make_error(ErrorCode::kInvalidArgument,
                               "a key holds a lone surrogate, which UTF-8 cannot; give bytes"));
    }
    if (code < 0x80) return put(code);
    if (code < 0x800) {
      put(0xC0U | code >> 6U);
    } else {
      if (code < 0x10000) {
        put(0xE0U | code >> 12U);
      } else {
        put(0xF0U | code >> 18U);
        put(0x80U | (code >> 12U & 0x3FU));
      }
      put(0x80U | (code >> 6U & 0x3FU));
    }
    put(0x80U | (code & 0x3FU));
  }

  const Py_buffer* buffer_;
  char form_;
  std::size_t width_;
  std::string text_;
  std::string scratch_;
};

class Buffer {
 public:
  explicit Buffer(nb::handle source) {
    is_held_ = PyObject_GetBuffer(source.ptr(), &buffer_, PyBUF_FORMAT | PyBUF_STRIDES) == 0;
    if (!is_held_) PyErr_Clear();
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    if (is_held_) PyBuffer_Release(&buffer_);
  }
  [[nodiscard]] int dimensions() const noexcept { return is_held_ ? buffer_.ndim : 1; }
  [[nodiscard]] bool is_readable() const { return is_held_ && BufferKeys::can_read(buffer_); }
  [[nodiscard]] const Py_buffer& operator*() const noexcept { return buffer_; }

 private:
  Py_buffer buffer_{};
  bool is_held_ = false;
};

// Objects are held while the sink works on their bytes.
std::size_t from_iterable(nb::handle source, KeyType type, const ChunkSink& sink) {
  std::vector<nb::object> held;
  std::vector<std::string> made(kObjectChunk);  // never grows: keys are views of its strings
  std::vector<std::string_view> keys;
  std::vector<std::uint32_t> places;
  std::size_t total = 0;
  std::uint32_t fields = 0;
  const auto flush = [&] {
    if (fields > 0) {
      const nb::gil_scoped_release released;
      sink({keys, places, fields});
    }
    total += fields;
    fields = 0;
    held.clear();
    keys.clear();
    places.clear();
  };
  for (const nb::handle item : nb::iter(source)) {
    if (!is_missing(item)) {
      held.push_back(nb::borrow(item));
      keys.push_back(key_bytes(item, type, made[fields]));
      places.push_back(fields);
    }
    if (++fields == kObjectChunk) flush();
  }
  flush();
  return total;
}

template <typename Struct>
Struct* in_capsule(nb::handle capsule, const char* name) {
  auto* const pointer = static_cast<Struct*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (pointer == nullptr) throw nb::python_error();
  if (pointer->release == nullptr) {
    throw Failure(
        make_error(ErrorCode::kInvalidArgument,
                   "the capsule {} is empty: somebody has taken what was in it; its owner "
                   "must make a new one for every call",
                   name));
  }
  return pointer;
}

}  // namespace

std::shared_ptr<ArrowStream> open_stream(nb::handle source) {
  if (!nb::hasattr(source, "__arrow_c_stream__")) return nullptr;
  const nb::object capsule = source.attr("__arrow_c_stream__")();
  auto* const stream = in_capsule<ArrowArrayStream>(capsule, "arrow_array_stream");
  const nb::gil_scoped_release released;
  return unwrap(ArrowStream::open(stream, "Arrow stream"));
}

TakenBatch take_batch(nb::handle source) {
  if (!nb::hasattr(source, "__arrow_c_array__")) {
    throw nb::type_error("an object with the Arrow C interface is needed, such as a RecordBatch");
  }
  const nb::object pair = source.attr("__arrow_c_array__")();
  auto* const schema = in_capsule<ArrowSchema>(pair[0], "arrow_schema");
  auto* const array = in_capsule<ArrowArray>(pair[1], "arrow_array");
  return {OwnedSchema(schema), OwnedArray(array)};
}

std::size_t each_chunk(nb::handle source, KeyType type, const ChunkSink& sink) {
  if (is_one_key(source)) {
    throw nb::type_error("many keys are needed, not one; insert() takes one");
  }
  if (nb::hasattr(source, "__arrow_c_array__")) {
    const TakenBatch taken = take_batch(source);
    const nb::gil_scoped_release released;
    Chunker chunker(type, sink);
    add_column(chunker, *taken.schema, *taken.array);
    return chunker.total();
  }
  if (const auto stream = open_stream(source); stream != nullptr) {
    const nb::gil_scoped_release released;
    Chunker chunker(type, sink);
    from_stream(*stream, chunker);
    return chunker.total();
  }
  // A masked array of NumPy: its buffer does not say what is masked.
  if (nb::hasattr(source, "mask") && nb::hasattr(source, "filled")) {
    return from_iterable(source.attr("tolist")(), type, sink);
  }
  // A column of pandas, or another that can be an array.
  const nb::object array =
      nb::hasattr(source, "__array__") && PyObject_CheckBuffer(source.ptr()) == 0
          ? nb::object(source.attr("__array__")())
          : nb::borrow(source);
  if (PyObject_CheckBuffer(array.ptr()) != 0) {
    const Buffer buffer(array);
    if (const int dimensions = buffer.dimensions(); dimensions != 1) {
      throw nb::type_error(
          fmt::format("keys in {} dimensions; give one, such as a.ravel()", dimensions).c_str());
    }
    if (buffer.is_readable()) {
      const nb::gil_scoped_release released;
      Chunker chunker(type, sink);
      BufferKeys(*buffer).read(chunker, type);
      return chunker.total();
    }
  }
  // The source itself: where pandas has nulls, its array may hold other numbers than it does.
  return from_iterable(source, type, sink);
}

}  // namespace bloomery::python
