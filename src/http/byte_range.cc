#include "http/byte_range.h"

#include <charconv>

namespace http {

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<ByteRange> parse_range(std::string_view header, std::uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  const ByteRange everything{.begin = 0, .size = size};
  const std::size_t dash = header.find('-');
  if (!header.starts_with(kUnit) || dash == std::string_view::npos) return everything;
  const auto first = parse_whole(header.substr(kUnit.size(), dash - kUnit.size()));
  const auto last = parse_whole(header.substr(dash + 1));
  if (!first || (!last && dash + 1 < header.size()) || (last && *last < *first)) return everything;
  if (*first >= size) return std::nullopt;
  const std::uint64_t end = last && *last < size ? *last + 1 : size;
  return ByteRange{.begin = *first, .size = end - *first};
}

}  // namespace http
