#include "base/time_text.h"

#include <time.h>

#include <cstdint>
#include <string_view>

namespace base {
namespace {

constexpr std::size_t kSecondsLength = std::string_view("2026-11-15T04:12:07").size();

std::string local(WallTime time, const char* format) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  tm parts{};
  ::localtime_r(&seconds, &parts);
  char text[32];
  return {text, ::strftime(text, sizeof text, format, &parts)};
}

}  // namespace

std::string utc_milliseconds(WallTime time) {
  const auto since = std::chrono::floor<std::chrono::milliseconds>(time);
  const auto day = std::chrono::floor<std::chrono::days>(since);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(since - day);
  // No snprintf: a list has two times per terminal, and it would take longer than everything else.
  std::string text = "0000-00-00T00:00:00.000Z";
  const auto put = [&](std::size_t last, std::int64_t number) {
    for (; number > 0; number /= 10) text[last--] = static_cast<char>('0' + number % 10);
  };
  put(3, static_cast<int>(date.year()));
  put(6, static_cast<unsigned>(date.month()));
  put(9, static_cast<unsigned>(date.day()));
  put(12, clock.hours().count());
  put(15, clock.minutes().count());
  put(18, clock.seconds().count());
  put(22, clock.subseconds().count());
  return text;
}

std::string utc_seconds(WallTime time) {
  return utc_milliseconds(time).substr(0, kSecondsLength) + "Z";
}

std::string utc_compact(WallTime time) {
  std::string text = utc_seconds(time);
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text;
}

std::string local_minutes(WallTime time) {
  return local(time, "%Y-%m-%d %H:%M");
}

std::string local_time_of_day(WallTime time) {
  return local(time, "%H:%M:%S");
}

}  // namespace base
