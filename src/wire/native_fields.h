// The fields that only the native protocol has.

#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "wire/message.h"
#include "wire/native.h"

namespace wire::native {

// None if it is missing or invalid.
std::optional<RequestId> request_id_of(Message& message, const boost::json::value* value);
// The list, or nullptr if it is missing or invalid.
[[nodiscard]] const boost::json::array* list(Message& message, std::string_view key,
                                             std::size_t most);
// Empty if it is missing or invalid.
boost::json::object object(Message& message, std::string_view key);
std::vector<std::string> command(Message& message);
std::vector<std::pair<std::string, std::string>> env(Message& message);
std::optional<Role> role(Message& message, Need need);
std::uint64_t window(Message& message);
SessionKind session_kind(Message& message);
std::optional<Isolation> isolation(Message& message);
std::string preference_name(Message& message);
// As JSON; none if it is missing or null.
std::optional<std::string> preference_value(Message& message);
std::optional<Colour> colour(Message& message, std::string_view key);
std::optional<std::array<Colour, 16>> palette(Message& message);

}  // namespace wire::native
