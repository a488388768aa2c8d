// The paths of the daemon's requests.

#pragma once

#include <string>
#include <string_view>

namespace http {

inline constexpr std::string_view kCompatiblePath = "/terminal/ws/multi";
inline constexpr std::string_view kSinglePath = "/terminal/ws";
inline constexpr std::string_view kNativePath = "/ws";
inline constexpr std::string_view kSignInPath = "/sign-in";
inline constexpr std::string_view kSignInsPath = "/sign-ins";

struct RouteName {
  std::string method;
  std::string path;
};

[[nodiscard]] inline bool is_websocket_path(std::string_view path) {
  return path == kCompatiblePath || path == kSinglePath || path == kNativePath;
}

inline constexpr std::string_view kApiPath = "/api/v1/";
inline constexpr std::string_view kEventsPath = "/api/v1/events";
[[nodiscard]] inline bool is_api_path(std::string_view path) {
  return path.starts_with(kApiPath);
}

inline constexpr std::string_view kFilesPath = "/files";
inline constexpr std::string_view kUploadPath = "/files/";
[[nodiscard]] inline bool is_file_path(std::string_view path) {
  return path == kFilesPath || path.starts_with(kUploadPath);
}

inline constexpr std::string_view kMcpPath = "/mcp";
// Whether refusals are made for programs.
[[nodiscard]] inline bool is_for_programs(std::string_view path) {
  return is_api_path(path) || is_file_path(path) || path == kMcpPath;
}

}  // namespace http
