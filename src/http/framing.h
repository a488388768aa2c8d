// Where a request ends. A proxy in front must come to the same answer, or one request could hide
// another; so what can be read in two ways is not read at all.

#pragma once

#include <cstdint>
#include <string>

#include "http/websocket.h"

namespace http {

// Why the header can be read in two ways; empty if it cannot.
[[nodiscard]] std::string ambiguity_of(const Request& request);

// Whether a body follows the header.
[[nodiscard]] bool has_body(const Request& request);
// The length of the body; 0 if there is none, or it is sent in chunks.
[[nodiscard]] std::uint64_t body_length(const Request& request);

}  // namespace http
