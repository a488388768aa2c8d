// Follows what a terminal does.
//
// Invariants
// 1. Once a shell marks its commands, the marks alone say what runs, and the kernel is not asked.
// 2. Only something that runs can wait for a person. A person who types answers it.
// 3. A checkpoint has all of it. What follows the checkpoint's output leads to the same state again.
// 4. The state of a terminal whose program has ended does not change any more.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "terminal/activity.h"
#include "terminal/commands.h"
#include "terminal/state.h"
#include "vt/notice.h"

namespace terminal {

class StateTracker {
 public:
  using Time = std::optional<base::WallTime>;  // None: it was printed while the daemon was away.

  // `program` is what the terminal was created for; empty for a shell, which has prompts.
  explicit StateTracker(std::string program) : program_(std::move(program)) {}

  // The shell has marked something.
  void marked(const Commands& commands, Time now);
  // What the kernel says.
  void looked(const Foreground& foreground, Time now);
  void rang(Time now) { wait({}, now); }
  void noticed(const vt::Notice& notice, Time now);
  void reported(const Report& report, Time now);
  // A person typed.
  void typed(Time now);
  // Output is missing: what ran may have ended.
  void output_lost();
  void exited(int code, Time now);

  [[nodiscard]] State state() const;
  // When what runs began, also if it waits.
  [[nodiscard]] Time begun() const { return is_running() ? base_.since : std::nullopt; }

  // As a string that terminals ignore, which follows the commands at the front of a checkpoint.
  [[nodiscard]] std::string encode() const;
  // Takes it from there, if there is one.
  void decode(std::string_view checkpoint);

 private:
  // What was said of the program that runs.
  struct Said {
    State::Kind kind = State::Kind::waiting;
    Time since{};
    std::string text{};
  };
  void begin(State base);
  void wait(std::string text, Time now);
  [[nodiscard]] bool is_running() const { return base_.kind == State::Kind::running; }

  std::string program_;
  State base_;  // Without what was said.
  bool is_marked_ = false;
  std::optional<Said> said_;
  std::optional<int> progress_;
};

}  // namespace terminal
