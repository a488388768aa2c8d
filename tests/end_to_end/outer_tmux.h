// A terminal that a person would look at, with a program in it: tmux, which can be asked what it
// shows.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/test_temp_dir.h"
#include "end_to_end/process.h"

namespace e2e {

class OuterTmux {
 public:
  struct Size {
    int cols = 100;
    int rows = 30;
  };

  // Runs the command in it. Afterwards a line [status N] appears, and the terminal stays. With a
  // style such as "fg=#112233" it knows its colours, and answers programs that ask for them.
  OuterTmux(std::vector<std::string> env, const std::vector<std::string>& command, Size size,
            const std::string& style = "default");
  ~OuterTmux();
  OuterTmux(const OuterTmux&) = delete;
  OuterTmux& operator=(const OuterTmux&) = delete;

  void type(const std::string& text) const { ask({"send-keys", "-l", text}); }
  void press(const std::string& key) const { ask({"send-keys", key}); }
  void resize(Size size) const;

  [[nodiscard]] std::string screen() const { return ask({"capture-pane", "-p"}); }
  // The scrollback, then the screen; line by line, without the empty ones at the end.
  [[nodiscard]] std::vector<std::string> lines() const;
  // Such as "#{cursor_x}".
  [[nodiscard]] std::string format(const std::string& text) const;
  // Whether the screen shows it, now or soon.
  [[nodiscard]] bool shows(std::string_view text) const;
  [[nodiscard]] bool ended_with(int status) const;
  // The running program.
  [[nodiscard]] pid_t client() const;
  // The settings of the terminal, from before and after it ran.
  [[nodiscard]] std::string settings_before() const { return file("before"); }
  [[nodiscard]] std::string settings_after() const { return file("after"); }

 private:
  std::string ask(std::vector<std::string> command) const;
  [[nodiscard]] std::string file(const std::string& name) const;

  base::TempDir dir_;
  std::vector<std::string> env_;
};

}  // namespace e2e
