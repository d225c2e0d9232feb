#include "parse/arrow_column.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/endian.h"
#include "base/error.h"

namespace bloomery {
namespace {

// Digits enough for any double without exponent.
constexpr std::size_t kNumberChars = 1100;

template <typename Number>
Number at(const std::byte* values, std::size_t place) noexcept {
  return load_le<Number>(values + place * sizeof(Number));
}

template <typename Number>
std::string_view whole_text(const std::byte* values, std::size_t place, std::string& scratch) {
  std::array<char, 24> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), at<Number>(values, place));
  scratch.assign(digits.data(), end.ptr);
  return scratch;
}

template <typename Number>
std::string_view fraction_text(const std::byte* values, std::size_t place, std::string& scratch) {
  scratch.resize(kNumberChars);
  const auto end = std::to_chars(scratch.data(), scratch.data() + scratch.size(),
                                 at<Number>(values, place), std::chars_format::fixed);
  scratch.resize(static_cast<std::size_t>(end.ptr - scratch.data()));
  return scratch;
}

// The number after the last `mark` of a format such as "w:16" or "d:19,2".
std::size_t number_after(std::string_view format, char mark) {
  std::size_t number = 0;
  const std::string_view digits = format.substr(format.rfind(mark) + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

// The digits after the point of a decimal of 128 bits, "d:PRECISION,SCALE" with or without ",128".
std::optional<std::size_t> decimal_scale(std::string_view format) {
  if (format.ends_with(",128")) format.remove_suffix(4);
  if (!format.starts_with("d:") || std::count(format.begin(), format.end(), ',') != 1) {
    return std::nullopt;
  }
  return number_after(format, ',');
}

// As people know the types that can be no key.
std::string type_name(std::string_view format) {
  using Name = std::pair<std::string_view, std::string_view>;
  static constexpr auto kNames = std::to_array<Name>({
      {"b", "a bool"},
      {"e", "a half float"},
      {"f", "a float"},
      {"g", "a double"},
      {"d:", "a decimal"},
      {"td", "a date"},
      {"tt", "a time"},
      {"ts", "a timestamp"},
      {"tD", "a duration"},
      {"ti", "an interval"},
      {"+l", "a list"},
      {"+L", "a list"},
      {"+w:", "a list"},
      {"+vl", "a list"},
      {"+vL", "a list"},
      {"+s", "a struct"},
      {"+m", "a map"},
      {"+u", "a union"},
      {"+r", "a run-end encoded column"},
  });
  for (const auto& [start, name] : kNames) {
    if (format.starts_with(start)) return std::string(name);
  }
  return fmt::format("Arrow type \"{}\"", escaped(format));
}

}  // namespace

Result<ArrowColumn> ArrowColumn::create(const ArrowSchema& schema, const ArrowArray& array,
                                        std::string_view name, ColumnUse use) {
  auto column = plain(schema, array, name, use);
  if (!column || schema.dictionary == nullptr) return column;
  if (!column->is_whole_number()) {
    return make_error(ErrorCode::kUnsupported,
                      "column \"{}\": a dictionary with indexes of type {}", escaped(name),
                      schema.format);
  }
  auto values = plain(*schema.dictionary, *array.dictionary, name, use);
  if (!values) return values.error();
  if (schema.dictionary->dictionary != nullptr) {
    return make_error(ErrorCode::kUnsupported,
                      "column \"{}\": a dictionary of a dictionary; cast it to string",
                      escaped(name));
  }
  column->dictionary_ = std::make_shared<const ArrowColumn>(*std::move(values));
  return column;
}

std::optional<ArrowColumn::Form> ArrowColumn::form_of(std::string_view format, ColumnUse use) {
  if (format == "n") return Form::kNull;
  if (format == "u" || format == "z") return Form::kText32;
  if (format == "U" || format == "Z") return Form::kText64;
  if (format == "vu" || format == "vz") return Form::kView;
  if (format.starts_with("w:")) return Form::kFixed;
  static constexpr std::string_view kWhole = "csilCSIL";  // in the order of the forms
  if (const auto i = kWhole.find(format); format.size() == 1 && i != std::string_view::npos) {
    return static_cast<Form>(static_cast<std::size_t>(Form::kInt8) + i);
  }
  if (use == ColumnUse::kKey) return std::nullopt;
  if (format == "f") return Form::kFloat;
  if (format == "g") return Form::kDouble;
  if (decimal_scale(format)) return Form::kDecimal;
  return std::nullopt;
}

Result<ArrowColumn> ArrowColumn::plain(const ArrowSchema& schema, const ArrowArray& array,
                                       std::string_view name, ColumnUse use) {
  const std::string_view format = schema.format;
  const auto form = form_of(format, use);
  if (!form) {
    return make_error(ErrorCode::kUnsupported,
                      "column \"{}\": {} makes no {}; cast it to string, binary or a whole "
                      "number",
                      escaped(name), type_name(format), use == ColumnUse::kKey ? "key" : "group");
  }
  const auto buffer = [&](std::int64_t i) {
    return i < array.n_buffers ? array.buffers[i] : nullptr;
  };
  ArrowColumn column;
  column.form_ = *form;
  column.size_ = static_cast<std::size_t>(array.length);
  column.offset_ = static_cast<std::size_t>(array.offset);
  if (array.null_count != 0) column.validity_ = static_cast<const std::uint8_t*>(buffer(0));
  column.values_ = static_cast<const std::byte*>(buffer(1));
  if (*form == Form::kText32 || *form == Form::kText64) {
    column.bytes_ = static_cast<const char*>(buffer(2));
  } else if (*form == Form::kFixed) {
    column.bytes_ = static_cast<const char*>(buffer(1));
    column.width_ = number_after(format, ':');
  } else if (*form == Form::kView) {
    column.pools_ = array.buffers + 2;
  } else if (*form == Form::kDecimal) {
    column.digits_ = *decimal_scale(format);
  }
  return column;
}

bool ArrowColumn::is_nan(std::size_t place) const noexcept {
  return form_ == Form::kFloat ? std::isnan(at<float>(values_, place))
                               : std::isnan(at<double>(values_, place));
}

std::uint64_t ArrowColumn::number(std::size_t i) const noexcept {
  const std::size_t place = i + offset_;
  const auto widened = [](auto number) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  };
  switch (form_) {
    case Form::kInt8:
      return widened(at<std::int8_t>(values_, place));
    case Form::kInt16:
      return widened(at<std::int16_t>(values_, place));
    case Form::kInt32:
      return widened(at<std::int32_t>(values_, place));
    case Form::kUint8:
      return at<std::uint8_t>(values_, place);
    case Form::kUint16:
      return at<std::uint16_t>(values_, place);
    case Form::kUint32:
      return at<std::uint32_t>(values_, place);
    default:
      return at<std::uint64_t>(values_, place);
  }
}

// A view: length, then the bytes themselves where there are at most 12, else four of them, the
// number of a buffer and the offset in it.
std::string_view ArrowColumn::view_text(std::size_t place) const noexcept {
  const std::byte* const view = values_ + place * 16;
  const auto length = static_cast<std::size_t>(load_le<std::int32_t>(view));
  if (length <= 12) return {reinterpret_cast<const char*>(view + 4), length};
  const auto pool = static_cast<std::size_t>(load_le<std::int32_t>(view + 8));
  const auto offset = static_cast<std::size_t>(load_le<std::int32_t>(view + 12));
  return {static_cast<const char*>(pools_[pool]) + offset, length};
}

// 128 bits, two's complement, with `digits_` digits after the point.
std::string_view ArrowColumn::decimal_text(std::size_t place, std::string& scratch) const {
  __extension__ using Wide = unsigned __int128;
  Wide value = 0;
  std::memcpy(&value, values_ + place * sizeof value, sizeof value);
  const bool is_negative = (value >> 127U) != 0;
  if (is_negative) value = ~value + 1;
  std::string reversed;
  const std::size_t least = digits_ == 0 ? 1 : digits_ + 2;  // with the point and a zero before it
  while (value != 0 || reversed.size() < least) {
    reversed += static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
    if (reversed.size() == digits_) reversed += '.';
  }
  if (is_negative) reversed += '-';
  scratch.assign(reversed.rbegin(), reversed.rend());
  return scratch;
}

std::string_view ArrowColumn::text(std::size_t i, std::string& scratch) const {
  if (is_null(i)) return {};
  if (dictionary_ != nullptr) return dictionary_->text(number(i), scratch);
  const std::size_t place = i + offset_;
  switch (form_) {
    case Form::kText32: {
      const auto begin = static_cast<std::size_t>(at<std::int32_t>(values_, place));
      return {bytes_ + begin,
              static_cast<std::size_t>(at<std::int32_t>(values_, place + 1)) - begin};
    }
    case Form::kText64: {
      const auto begin = static_cast<std::size_t>(at<std::int64_t>(values_, place));
      return {bytes_ + begin,
              static_cast<std::size_t>(at<std::int64_t>(values_, place + 1)) - begin};
    }
    case Form::kView:
      return view_text(place);
    case Form::kFixed:
      return {bytes_ + place * width_, width_};
    case Form::kFloat:
      return fraction_text<float>(values_, place, scratch);
    case Form::kDouble:
      return fraction_text<double>(values_, place, scratch);
    case Form::kDecimal:
      return decimal_text(place, scratch);
    case Form::kUint64:
      return whole_text<std::uint64_t>(values_, place, scratch);
    case Form::kNull:
      return {};
    default: {
      const auto value = static_cast<std::int64_t>(number(i));
      return whole_text<std::int64_t>(reinterpret_cast<const std::byte*>(&value), 0, scratch);
    }
  }
}

}  // namespace bloomery
