// The addresses of the WebSocket protocols.

#pragma once

#include <string_view>

namespace http {

inline constexpr std::string_view kCompatiblePath = "/terminal/ws/multi";
inline constexpr std::string_view kSinglePath = "/terminal/ws";
inline constexpr std::string_view kNativePath = "/ws";

}  // namespace http
