// A daemon, and terminals with `holdfast attach` in them.

#pragma once

#include <algorithm>

#include "end_to_end/daemon_fixture.h"
#include "end_to_end/outer_tmux.h"

namespace e2e {

class AttachTest : public DaemonTest {
 protected:
  enum class Alias { none, given };

  // More lines than the screen has, in colours; then it repeats what is typed.
  static constexpr const char* kColours =
      "for i in $(seq 60); do printf '\\033[3%dmline %d\\033[0m\\n' $((i % 8)) $i; done; echo "
      "ready; "
      "exec cat";
  // Leaves on what a program may leave on.
  static constexpr const char* kModes =
      "printf '\\033[?1049h\\033[2J\\033[Hmodes\\033[?1003h\\033[?1006h\\033[?25l\\033[?2004h"
      "\\033[?1h\\033=\\033[7m\\033(0\\033[5 q'; exec cat";
  static constexpr const char* kModeFlags =
      "#{alternate_on} #{mouse_any_flag} #{cursor_flag} #{keypad_flag} #{keypad_cursor_flag} "
      "#{mouse_sgr_flag}";

  std::unique_ptr<OuterTmux> in_terminal(const std::vector<std::string>& command,
                                         OuterTmux::Size size = {}) {
    return std::make_unique<OuterTmux>(environment(), command, size);
  }
  // Alias::given: the arguments begin with the command.
  std::unique_ptr<OuterTmux> attach(std::vector<std::string> arguments, OuterTmux::Size size = {},
                                    Alias alias = Alias::none) {
    if (alias == Alias::none) arguments.insert(arguments.begin(), "attach");
    // The tests start their daemons.
    arguments.insert(arguments.begin(), {kDaemonProgram, "--no-start"});
    return in_terminal(arguments, size);
  }

  // With the menu.
  static void detach(const OuterTmux& outer) {
    outer.press("C-\\");
    outer.type("d");
  }

  json::array listed() {
    const auto client = native();
    client->send(message("list"));
    const auto answer = client->expect(
        [](const json::object& each) { return each.at("type").as_string() == "terminals"; });
    return answer.at("data").as_object().at("terminals").as_array();
  }
  std::string id_of(std::string_view name) {
    for (const json::value& each : listed()) {
      const json::object& terminal = each.as_object();
      const json::value* const found = terminal.if_contains("name");
      if (found != nullptr && found->as_string() == json::string_view(name.data(), name.size()))
        return std::string(terminal.at("terminalId").as_string());
    }
    return "";
  }
  // Whether so many clients are attached, now or soon.
  bool seated(int viewers = 1) {
    return eventually([&] {
      std::int64_t count = 0;
      for (const json::value& each : listed()) count += each.as_object().at("viewers").as_int64();
      return count == viewers;
    });
  }
  static int rows_with(const OuterTmux& outer, std::string_view text) {
    int count = 0;
    std::string screen = outer.screen();
    for (std::size_t at = 0; (at = screen.find(text, at)) != std::string::npos; at += text.size())
      ++count;
    return count;
  }
  static bool ends_with(const std::vector<std::string>& lines,
                        const std::vector<std::string>& last) {
    return lines.size() >= last.size() && std::equal(last.rbegin(), last.rend(), lines.rbegin());
  }
};

}  // namespace e2e
