// Recordings in the format of asciicast v2: a header, then events, each a line of JSON.

#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "vt/state.h"

namespace cli {

struct CastEvent {
  enum class Kind { output, resize, other };
  std::chrono::microseconds time{0};  // Since the beginning.
  Kind kind = Kind::other;
  std::string output{};
  vt::Size size{};
};

[[nodiscard]] std::string cast_header(vt::Size size, std::string_view title);
// A line without its end. What is no UTF-8 in the output is replaced.
[[nodiscard]] std::string to_line(const CastEvent& event);

// A recording may come from anywhere. Sizes are kept within what a screen can have.
[[nodiscard]] base::Result<vt::Size> parse_cast_header(std::string_view line);
[[nodiscard]] base::Result<CastEvent> parse_cast_event(std::string_view line);

}  // namespace cli
