// The files of the web client, which are part of the program.

#pragma once

#include <optional>
#include <string_view>

namespace http {

// How long an address stands for the same content.
enum class Lifetime { this_build, forever };

struct Asset {
  std::string_view type;
  Lifetime lifetime;
  std::string_view plain;
  std::string_view gzip;    // Empty if there is no such copy.
  std::string_view brotli;  // The same.
};

// None if there is no such file. `path` begins with a slash; "/" is the page.
[[nodiscard]] std::optional<Asset> find_asset(std::string_view path);

}  // namespace http
