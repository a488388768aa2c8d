// The Range header (RFC 9110, section 14), as far as a client that resumes needs it: one range with
// a beginning.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace http {

struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

// A whole number in decimal digits, nothing else.
[[nodiscard]] std::optional<std::uint64_t> parse_whole(std::string_view text);

// What is asked for of a file of that size. Everything, if the header is missing or is of another
// kind. None if the range begins behind the end.
[[nodiscard]] std::optional<ByteRange> parse_range(std::string_view header, std::uint64_t size);

}  // namespace http
