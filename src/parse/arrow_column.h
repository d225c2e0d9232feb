// One Arrow column as fields of text: what a key or a group is read from.
//
//   takes   an array and its schema, from input/arrow_batches.h
//   gives   the bytes of each field, as they would stand in a text file
//
// Strings and binaries are views of the column's own buffers. Whole numbers become decimal text, as
// in a CSV; fractions, which only groups may have, the shortest decimal text that reads back. A
// null is an empty field. Dictionaries are looked through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "bloomery/result.h"
#include "input/arrow_abi.h"

namespace bloomery {

enum class ColumnUse : std::uint8_t { kKey, kGroup };

class ArrowColumn {
 public:
  // Fails, naming the column, its type and what to cast it to, for one that has no text form.
  // `array` must outlive the column.
  static Result<ArrowColumn> create(const ArrowSchema& schema, const ArrowArray& array,
                                    std::string_view name, ColumnUse use);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // A column may be longer than the batch it is in. Requires size <= size().
  void cut_to(std::size_t size) noexcept { size_ = size; }
  [[nodiscard]] bool is_null(std::size_t i) const noexcept {
    if (form_ == Form::kNull) return true;
    const std::size_t place = i + offset_;
    if (validity_ != nullptr && ((validity_[place / 8] >> (place % 8)) & 1U) == 0) return true;
    return dictionary_ != nullptr
               ? dictionary_->is_null(number(i))
               : (form_ == Form::kFloat || form_ == Form::kDouble) && is_nan(place);
  }
  // The field, empty for a null: a view of the column, or of `scratch`.
  [[nodiscard]] std::string_view text(std::size_t i, std::string& scratch) const;

  // Whole numbers, not yet as text.
  [[nodiscard]] bool is_whole_number() const noexcept {
    return form_ >= Form::kInt8 && form_ <= Form::kUint64 && dictionary_ == nullptr;
  }
  // Requires is_whole_number(). Two's complement; is_signed() says how to take it.
  [[nodiscard]] std::uint64_t number(std::size_t i) const noexcept;
  [[nodiscard]] bool is_signed() const noexcept {
    return form_ >= Form::kInt8 && form_ <= Form::kInt64;
  }

 private:
  // Of a column of floats or doubles: how some libraries say that there is no value.
  [[nodiscard]] bool is_nan(std::size_t place) const noexcept;

  enum class Form : std::uint8_t {
    kNull,
    kText32,
    kText64,
    kView,
    kFixed,
    kInt8,
    kInt16,
    kInt32,
    kInt64,
    kUint8,
    kUint16,
    kUint32,
    kUint64,
    kFloat,
    kDouble,
    kDecimal,
  };

  // None: a type that has no text form for that use.
  static std::optional<Form> form_of(std::string_view format, ColumnUse use);
  static Result<ArrowColumn> plain(const ArrowSchema& schema, const ArrowArray& array,
                                   std::string_view name, ColumnUse use);
  [[nodiscard]] std::string_view view_text(std::size_t place) const noexcept;
  [[nodiscard]] std::string_view decimal_text(std::size_t place, std::string& scratch) const;

  Form form_ = Form::kNull;
  std::size_t size_ = 0;
  std::size_t offset_ = 0;
  std::size_t width_ = 0;   // of kFixed
  std::size_t digits_ = 0;  // of kDecimal, after the point
  const std::uint8_t* validity_ = nullptr;
  const std::byte* values_ = nullptr;              // numbers, offsets or views
  const char* bytes_ = nullptr;                    // of kText32, kText64, kFixed
  const void* const* pools_ = nullptr;             // of kView
  std::shared_ptr<const ArrowColumn> dictionary_;  // or none
};

}  // namespace bloomery
