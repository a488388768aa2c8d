// Structured logging: a fixed message to search for, and fields for what varies.
//
//   base::log(base::Level::info, "terminal spawned", {{"id", id.str()}, {"pid", pid}});
//
// prints `2026-11-15T04:12:07.123Z info  terminal spawned id=a1 pid=4711` on standard error. Never
// log what a user typed, a token or an environment.

#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/error.h"

namespace base {

enum class Level { debug, info, warning, error };

struct Field {
  std::string_view key;
  std::string value;

  Field(std::string_view k, std::string_view v) : key(k), value(v) {}
  Field(std::string_view k, const char* v) : key(k), value(v) {}
  Field(std::string_view k, const std::string& v) : key(k), value(v) {}
  Field(std::string_view k, const Error& e) : key(k), value(e.message()) {}
  template <class T>
    requires std::integral<T>
  Field(std::string_view k, T v) : key(k), value(std::to_string(v)) {}
};

void set_log_level(Level level);
void log(Level level, std::string_view message, std::initializer_list<Field> fields = {});

// The line without time and level. Values with spaces, quotes or control characters are quoted and
// escaped.
[[nodiscard]] std::string format_log_line(std::string_view message,
                                          std::initializer_list<Field> fields);

}  // namespace base
