// Text and bytes as JSON strings. Whatever goes in, what comes out is valid JSON in valid UTF-8.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace wire {

// Appends `bytes` as a JSON string, quotes included. What is not UTF-8 becomes U+FFFD, one for each
// maximal invalid part, as the WHATWG's decoder does it. This carries terminals' output: it is the
// hot path.
void append_json_bytes(std::string& out, std::span<const std::byte> bytes);

// The same, for text.
void append_json_string(std::string& out, std::string_view utf8);

// How many of `bytes` end with a whole character: all, or up to 3 fewer if the last character is
// not complete yet. Bytes that no further byte can complete count as whole.
[[nodiscard]] std::size_t whole_characters(std::span<const std::byte> bytes);

// 2026-11-15T04:12:07.123Z
[[nodiscard]] std::string rfc3339(base::WallTime time);

}  // namespace wire
