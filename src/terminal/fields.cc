#include "terminal/fields.h"

#include <charconv>

namespace terminal {

using std::chrono::milliseconds;

std::optional<std::string_view> take_front(std::string_view& checkpoint, std::string_view begin) {
  const std::size_t end = checkpoint.find(kFrontEnd, 1);
  if (!checkpoint.starts_with(begin) || end == std::string_view::npos) return std::nullopt;
  const std::string_view fields = checkpoint.substr(begin.size(), end - begin.size());
  checkpoint.remove_prefix(end + kFrontEnd.size());
  return fields;
}

std::string to_field(std::optional<std::uint64_t> number) {
  return number ? std::to_string(*number) : std::string();
}

std::string to_field(const std::optional<base::WallTime>& time) {
  if (!time) return {};
  const auto since = std::chrono::floor<milliseconds>(time->time_since_epoch());
  return std::to_string(static_cast<std::uint64_t>(since.count()));
}

std::string_view take_part(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return part;
}

std::optional<std::uint64_t> take_number(std::string_view& text) {
  const std::string_view part = take_part(text, ';');
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
  return error == std::errc() && end == part.data() + part.size() ? std::optional(number)
                                                                  : std::nullopt;
}

std::optional<int> take_status(std::string_view& text) {
  const auto number = take_number(text);
  return number && *number < 256 ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::optional<base::WallTime> take_time(std::string_view& text) {
  constexpr std::uint64_t kLatest = 1ULL << 42;
  const auto number = take_number(text);
  if (!number || *number > kLatest) return std::nullopt;
  return base::WallTime(milliseconds(*number));
}

}  // namespace terminal
