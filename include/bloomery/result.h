// How failure is reported: a value, or an Error that says what, where, why and what to do.
//
// Everything the outside world can cause (arguments, files, damaged bytes, filters that do not fit
// together) comes back as a Result. The names follow std::expected, which the compilers we support
// do not have yet, so that it can take this file's place later.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace bloomery {

enum class ErrorCode : std::uint8_t {
  kInvalidArgument,  // the caller asked for something that cannot be
  kNotFound,         // a file, a group or a column that is not there
  kDamaged,          // bytes that were once right
  kUnsupported,      // right, but not for this version or this kind
  kMismatch,         // two things that do not fit together
  kExists,           // would overwrite
  kIo,               // the operating system said no
  kResource,         // memory or disk space
};

struct Error {
  ErrorCode code = ErrorCode::kInvalidArgument;
  std::string message;  // lower case, no full stop, "where: what; what to do"
};

namespace detail {
// Throws std::logic_error with the error's message: a value was taken that is not there. It is not
// here, so that this header can be used without exceptions.
[[noreturn]] void throw_unchecked(const Error& error);
}  // namespace detail

// Ask has_value() before value(), * and ->: they throw where there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(*-explicit-*)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(*-explicit-*)

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  [[nodiscard]] T& value() & {
    check();
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] const T& value() const& {
    check();
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] T&& value() && {
    check();
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  [[nodiscard]] const Error& error() const& { return std::get<1>(state_); }
  [[nodiscard]] Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  void check() const {
    if (!has_value()) detail::throw_unchecked(error());
  }

  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(*-explicit-*)

  [[nodiscard]] bool has_value() const noexcept { return !error_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }

  [[nodiscard]] const Error& error() const& { return error_.value(); }
  [[nodiscard]] Error&& error() && { return std::move(error_).value(); }

 private:
  std::optional<Error> error_;
};

}  // namespace bloomery
