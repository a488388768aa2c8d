#include "http/theme.h"

#include <charconv>
#include <string>

#include "http/gate.h"

namespace http {
namespace {

std::optional<std::uint32_t> colour_from(std::string_view text) {
  if (text.starts_with('#')) text.remove_prefix(1);
  std::uint32_t rgb = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rgb, 16);
  if (text.size() != 6 || error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return rgb;
}

}  // namespace

base::Result<std::optional<vt::Theme>> theme_of(std::string_view target) {
  vt::Theme theme;
  bool is_named = false;
  for (const auto& [name, colour] :
       {std::pair("foreground", &theme.foreground), std::pair("background", &theme.background),
        std::pair("cursor", &theme.cursor)}) {
    const auto text = query_parameter(target, name);
    if (!text) continue;
    const auto rgb = colour_from(*text);
    if (!rgb)
      return base::fail(base::Code::invalid_argument, std::string(name) + " is not a colour",
                        "Use six hexadecimal digits, such as ff8000.");
    *colour = *rgb;
    is_named = true;
  }
  return is_named ? std::optional(theme) : std::nullopt;
}

}  // namespace http
