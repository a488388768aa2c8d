// The golden frames in tests/golden. The README.md there explains the cases.

#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json.hpp>

#include "base/clock.h"

namespace wire::golden {

namespace json = boost::json;

inline std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline json::array cases(const std::string& name) {
  json::error_code error;
  json::value value = json::parse(read(HOLDFAST_SOURCE "/tests/golden/" + name), error);
  EXPECT_FALSE(error) << name << ": " << error.message();
  return value.is_array() ? value.get_array() : json::array();
}

inline std::string text(const json::value& value) {
  const json::string* const text = value.if_string();
  return text == nullptr ? std::string() : std::string(text->data(), text->size());
}

inline std::string text(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value == nullptr ? std::string() : text(*value);
}

inline std::optional<std::string> maybe_text(const json::object& object, std::string_view key) {
  if (!object.contains(key)) return std::nullopt;
  return text(object, key);
}

template <class T = int>
std::optional<T> maybe_number(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  json::error_code error;
  if (value == nullptr) return std::nullopt;
  return value->to_number<T>(error);
}

template <class T = int>
T number(const json::object& object, std::string_view key) {
  return maybe_number<T>(object, key).value_or(0);
}

inline bool flag(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

// 2026-11-15T04:12:07.123Z
inline base::WallTime time(const json::object& object, std::string_view key) {
  using namespace std::chrono;
  int y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0, ms = 0;
  EXPECT_EQ(std::sscanf(text(object, key).c_str(), "%4d-%2d-%2dT%2d:%2d:%2d.%3dZ", &y, &mo, &d, &h,
                        &mi, &s, &ms),
            7);
  return sys_days(year(y) / mo / d) + hours(h) + minutes(mi) + seconds(s) + milliseconds(ms);
}

// Adds the value if there is one.
template <class T>
void put(json::object& object, std::string_view key, const std::optional<T>& value) {
  if (value) object[key] = json::value_from(*value);
}

}  // namespace wire::golden
