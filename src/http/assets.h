// The files of the web client, which are part of the program.

#pragma once

#include <optional>
#include <string_view>

namespace http {

struct Asset {
  std::string_view type;
  std::string_view content;
};

// None if there is no such file. `path` begins with a slash; "/" is the page.
[[nodiscard]] std::optional<Asset> find_asset(std::string_view path);

}  // namespace http
