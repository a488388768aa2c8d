// What a terminal does, as people are told of it: docs/protocol.md, "States".

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace terminal {

struct State {
  static constexpr int kMostProgress = 100;
  enum class Kind : std::uint8_t {
    unknown,
    prompt,     // The shell waits for a command.
    running,    // A command runs, or the program that the terminal was created for.
    succeeded,  // A command has ended well, and nobody has typed since.
    failed,     // The same, with another exit code than 0.
    waiting,    // It runs, but does not go on without a person.
    exited,
  };

  Kind kind = Kind::unknown;
  std::string command{};                  // That runs or has ended; empty if unknown.
  std::optional<base::WallTime> since{};  // None if nobody saw it: the daemon was away.
  std::optional<int> exit_code{};         // Of a command that has ended, or of the program.
  std::optional<int> progress{};          // 0 to 100.
  std::string text{};                     // What the program said, and why it waits.

  friend bool operator==(const State&, const State&) = default;
};

[[nodiscard]] std::string_view name_of(State::Kind kind);

// What a program says of itself (`holdfast notify`).
struct Report {
  enum class Kind : std::uint8_t {
    message,  // It tells something, and its state stays what it is.
    working,
    blocked,
    done,
  };
  Kind kind = Kind::message;
  std::optional<int> progress{};  // 0 to 100.
  std::string text{};
};

}  // namespace terminal
