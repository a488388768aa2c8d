// Something that happened in a terminal and that a person may want to hear of.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "journal/format.h"

namespace terminal {

struct Notice {
  enum class Kind : std::uint8_t {
    command_ended,  // It had run for a while.
    bell,
    message,
    blocked,  // The program does not go on without a person.
    done,     // The program says so.
  };

  Kind kind = Kind::message;
  journal::Offset offset = 0;  // Where in the output.
  base::WallTime at{};
  std::string command{};  // That runs or has ended; empty if unknown.
  std::string text{};
  std::optional<int> exit_code{};
  std::optional<std::chrono::milliseconds> duration{};

  friend bool operator==(const Notice&, const Notice&) = default;
};

[[nodiscard]] std::string_view name_of(Notice::Kind kind);

}  // namespace terminal
