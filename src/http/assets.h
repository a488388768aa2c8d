// The web client's files, embedded in the program.

#pragma once

#include <optional>
#include <string_view>

namespace http {

// How long the content at an address stays the same.
enum class Lifetime { this_build, forever };

struct Asset {
  std::string_view type;
  Lifetime lifetime;
  std::string_view plain;
  std::string_view gzip;    // Empty if there is no such copy.
  std::string_view brotli;  // Likewise.
};

// None if there is no such file. `path` starts with a slash; "/" is the page.
[[nodiscard]] std::optional<Asset> find_asset(std::string_view path);

}  // namespace http
