// Where a request ends. A proxy in front must come to the same answer, or one request could hide
// another (request smuggling). So ambiguous requests are refused.

#pragma once

#include <cstdint>
#include <string>

#include "http/websocket.h"

namespace http {

// Why the header is ambiguous; empty if it is not.
[[nodiscard]] std::string ambiguity_of(const Request& request);

// Whether a body follows the header.
[[nodiscard]] bool has_body(const Request& request);
// The length of the body; 0 if there is none, or if it is chunked.
[[nodiscard]] std::uint64_t body_length(const Request& request);

}  // namespace http
