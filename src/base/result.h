// Result<T>: a value, or an Error.

#pragma once

#include <expected>
#include <string>
#include <utility>

#include "base/error.h"

namespace base {

template <class T>
using Result = std::expected<T, Error>;
using Status = Result<void>;

[[nodiscard]] inline std::unexpected<Error> fail(Error error) {
  return std::unexpected(std::move(error));
}

[[nodiscard]] inline std::unexpected<Error> fail(Code code, std::string what,
                                                 std::string advice = "") {
  return std::unexpected(Error{.code = code, .what = std::move(what), .advice = std::move(advice)});
}

}  // namespace base
