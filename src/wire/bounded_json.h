// JSON from a client: parsed by Boost.JSON, with a bound on how many values there may be. A
// megabyte of "[],[],[],…" would otherwise hold up everybody for tens of milliseconds.

#pragma once

#include <expected>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

namespace wire {

// The value of `text`, or why there is none: "syntax error at byte 8".
[[nodiscard]] std::expected<boost::json::value, std::string> parse_json(std::string_view text);

}  // namespace wire
