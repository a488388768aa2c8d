// What is asked about the commands of shells, and answered.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "operation/offset.h"
#include "terminal/commands.h"

namespace operation {

struct CommandsRequest {
  std::optional<Offset> since{};                  // Only those that ran after this offset.
  std::size_t limit = terminal::Commands::kMost;  // The newest.
};
struct CommandList {
  terminal::Commands::State state = terminal::Commands::State::unknown;
  std::vector<terminal::Command> commands;
};
struct CommandOutput {
  Offset offset = 0;  // Where it ends.
  std::string text;
  std::uint64_t missing = 0;  // Bytes of output that are not kept any more, or were too many.
};

struct ExecRequest {
  std::string command;
  std::chrono::milliseconds timeout{30'000};
  // The same command with the same key is typed once, however often it is asked for. Empty: none.
  std::string key{};
  std::string lease{};  // Empty: none. Then it is refused while another program has one.
  // Refuse if a person typed within that time.
  std::optional<std::chrono::milliseconds> if_idle{};
  bool until_output = false;  // Answer once there is output, not only at the command's end.
};
// What became of a command that `exec` has typed.
struct Execution {
  // `refused`: the shell did not run it, mostly because of its syntax. `incomplete`: it asks for the
  // rest of it. `exited`: the shell ended.
  enum class Outcome { ended, running, refused, incomplete, exited };
  Outcome outcome = Outcome::running;
  Offset offset = 0;  // At which it was typed.
  Offset next = 0;    // Where its output goes on.
  std::optional<int> exit_code{};
  std::string output{};        // Plain text, whole lines.
  std::uint64_t left_out = 0;  // Bytes of output that are not in it.
};
struct FollowRequest {
  Offset since = 0;              // Where the command was typed.
  std::optional<Offset> from{};  // Where its output goes on. None: from its beginning.
  std::chrono::steady_clock::time_point until;
  bool to_the_end = false;  // Wait for the end, not only for more output.
};

}  // namespace operation
