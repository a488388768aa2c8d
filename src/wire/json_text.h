// Text and bytes as JSON strings. Whatever the input, the output is valid JSON in valid UTF-8.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace wire {

// Appends `bytes` as a JSON string, quotes included. Each maximal invalid part becomes U+FFFD, as
// in the WHATWG's decoder. This is the hot path: it carries terminals' output.
void append_json_bytes(std::string& out, std::span<const std::byte> bytes);

// The same, for text.
void append_json_string(std::string& out, std::string_view utf8);

}  // namespace wire
