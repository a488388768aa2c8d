// A refusal as a page, for a person whose browser went to an address.

#pragma once

#include "http/response.h"

namespace http {

// Whether a browser asks for a page to show, as when a person opens an address.
[[nodiscard]] bool wants_page(const Request& request);
// Says in words what happened and what to do. Needs nothing else from the daemon.
[[nodiscard]] Response as_page(const Request& request, const Response& refusal);

}  // namespace http
