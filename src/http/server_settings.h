// What can be configured about the server.

#pragma once

#include <chrono>
#include <filesystem>

#include "http/gate.h"
#include "http/limits.h"
#include "operation/file_operations.h"

namespace http {

struct ServerSettings {
  Limits limits{};
  Proxy proxy = Proxy::none;
  std::chrono::milliseconds ping_interval{30'000};
  std::chrono::milliseconds ping_timeout{90'000};
  operation::FileSettings files{};
  std::filesystem::path events_file{};  // Does not change.
};

}  // namespace http
