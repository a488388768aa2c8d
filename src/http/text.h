// Helpers to split headers and addresses.

#pragma once

#include <string_view>

#include <boost/beast/core/string_type.hpp>

namespace http {

[[nodiscard]] inline std::string_view view(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

// Removes the text before the separator, or everything, from `rest` and returns it. Drops the
// separator.
[[nodiscard]] inline std::string_view take_until(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view taken = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return taken;
}

// A host's name without its port.
[[nodiscard]] inline std::string_view name_of_host(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  if (colon == std::string_view::npos || host.find(']', colon) != std::string_view::npos)
    return host;
  return host.substr(0, colon);
}

// A host's port; empty if it has none.
[[nodiscard]] inline std::string_view port_of_host(std::string_view host) {
  const std::size_t size = name_of_host(host).size();
  return size < host.size() ? host.substr(size + 1) : std::string_view();
}

[[nodiscard]] inline std::string_view trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace http
