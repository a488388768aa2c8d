// The commands that were run in a terminal's shell, from the marks in its output.
//
// Invariants
// 1. Commands are in the order of their offsets. Only the last one may be running.
// 2. It depends on the marks alone, and on when they came. A checkpoint has all of it, so a
//    successor that takes the output after the checkpoint has the same list.
// 3. It is bounded: the oldest commands are forgotten.
// 4. Once a mark had a key, only marks with that key count. The shell's integration chooses it
//    before any program can print, so nothing that a program shows can pass for a command.

#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "journal/format.h"
#include "vt/shell_mark.h"

namespace terminal {

struct Command {
  // Where its output begins. 0: it ran before the terminal was restored, in another output.
  journal::Offset start = 0;
  std::optional<journal::Offset> end{};  // After its end. None: it runs, or its end was lost.
  std::optional<int> exit_code{};
  // None if nobody saw it: the daemon was away.
  std::optional<base::WallTime> started{};
  std::optional<base::WallTime> ended{};
  std::string directory{};  // Empty if unknown.
  std::string text{};       // Empty if the shell did not tell.

  friend bool operator==(const Command&, const Command&) = default;
};

class Commands {
 public:
  static constexpr std::size_t kMost = 1000;
  static constexpr std::size_t kMostBytes = 64 * 1024;  // Of texts and directories.

  enum class State : std::uint8_t {
    unknown,  // No marks yet, or between a command and the next prompt.
    prompt,
    more,  // The shell asks for the rest of a command.
    running,
  };
  // The end of a command, or of an input that the shell did not run.
  struct End {
    journal::Offset offset = 0;
    std::optional<int> status{};
    friend bool operator==(const End&, const End&) = default;
  };

  // Returns where the output of the command begins whose mark it is; 0 if it is of a prompt. None
  // if the mark does not count.
  std::optional<journal::Offset> take(journal::Offset end, const vt::ShellMark& mark,
                                      std::string directory, std::optional<base::WallTime> now);
  // Output is missing: what ran may have ended.
  void output_lost() { state_ = State::unknown; }

  [[nodiscard]] const std::deque<Command>& all() const { return all_; }
  [[nodiscard]] State state() const { return state_; }
  // The command that runs; null if none does.
  [[nodiscard]] const Command* running() const {
    return state_ == State::running ? &all_.back() : nullptr;
  }
  [[nodiscard]] bool has_marks() const { return last_mark_ != 0; }
  // Whether the shell has our integration, and not only marks of its own.
  [[nodiscard]] bool is_integrated() const { return !key_.empty(); }
  // Where the last prompt ended; 0 if there was none.
  [[nodiscard]] journal::Offset last_prompt() const { return last_prompt_; }
  [[nodiscard]] const End& last_end() const { return last_end_; }
  // Null if there is none.
  [[nodiscard]] const Command* first_started_after(journal::Offset offset) const;
  [[nodiscard]] const Command* first_ended_after(journal::Offset offset) const;
  // The command whose output begins there; null if none does.
  [[nodiscard]] const Command* started_at(journal::Offset offset) const;
  // Where a command's output next begins or ends, after `offset`, and which command that is.
  struct Boundary {
    journal::Offset offset = 0;
    const Command* command = nullptr;
    friend bool operator==(const Boundary&, const Boundary&) = default;
  };
  [[nodiscard]] std::optional<Boundary> boundary_after(journal::Offset offset) const;

  // As a string that terminals ignore, for the front of a checkpoint. Empty without marks.
  [[nodiscard]] std::string encode() const;
  // From a checkpoint. No commands, if it has none.
  [[nodiscard]] static Commands decode(std::string_view checkpoint);

  // Those of a terminal that this one replaces: they have no place in its output.
  [[nodiscard]] static Commands of_former(Commands former);

  friend bool operator==(const Commands&, const Commands&) = default;

 private:
  void start(journal::Offset offset, const vt::ShellMark& mark, std::string directory,
             std::optional<base::WallTime> now);
  void forget_others();
  void forget_oldest();

  std::deque<Command> all_;
  std::size_t bytes_ = 0;
  State state_ = State::unknown;
  std::string key_;
  journal::Offset last_mark_ = 0;
  journal::Offset last_prompt_ = 0;
  End last_end_;
};

}  // namespace terminal
