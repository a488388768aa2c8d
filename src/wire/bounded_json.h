// Parses a client's JSON with Boost.JSON and limits the number of values. Otherwise a megabyte of
// "[],[],[],…" would block everybody for tens of milliseconds.

#pragma once

#include <expected>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

namespace wire {

// The value, or why it cannot be parsed: "syntax error at byte 8".
[[nodiscard]] std::expected<boost::json::value, std::string> parse_json(std::string_view text);

}  // namespace wire
