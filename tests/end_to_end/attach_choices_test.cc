// The menu of `holdfast attach`, in a real terminal.

#include <signal.h>

#include <fstream>

#include "end_to_end/attach_fixture.h"

namespace e2e {
namespace {

class AttachChoicesTest : public AttachTest {
 protected:
  static constexpr std::string_view kItems = "d detach   s switch";

  static void open_menu(const OuterTmux& outer) {
    outer.press("C-\\");
    ASSERT_TRUE(outer.shows(kItems)) << outer.screen();
  }
  static bool is_closed(const OuterTmux& outer) {
    return eventually([&] { return !outer.screen().contains(kItems); });
  }
  static void open_list(const OuterTmux& outer) {
    open_menu(outer);
    outer.type("s");
    ASSERT_TRUE(outer.shows("Esc back   ")) << outer.screen();
    ASSERT_TRUE(outer.shows(" of ")) << outer.screen();
  }
  // What a program waits for.
  void go() const { std::ofstream(dir() / "go") << "go"; }
  [[nodiscard]] std::string waits() const {
    return "echo ready; while [ ! -e " + (dir() / "go").native() + " ]; do sleep 0.02; done; ";
  }
  // Whether the terminal shows it, whatever the clients do.
  bool captured(const std::string& target, std::string_view text) {
    return eventually([&] { return run({"capture", target}).output.contains(text); });
  }
};

TEST_F(AttachChoicesTest, TheMenuIsALineAndLeavesNoTrace) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/sh", "-c", kColours});
  ASSERT_TRUE(outer->shows("ready"));
  outer->type("typed");
  ASSERT_TRUE(outer->shows("typed"));
  const std::string screen = outer->screen();
  const auto lines = outer->lines();
  const std::string cursor = outer->format("#{cursor_x},#{cursor_y} #{cursor_flag}");
  for (const char* key : {"Escape", "x", "F5"}) {
    open_menu(*outer);
    EXPECT_TRUE(outer->shows("main:work"));
    EXPECT_TRUE(outer->screen().starts_with(screen.substr(0, screen.find('\n')))) << key;
    outer->press(key);
    ASSERT_TRUE(eventually([&] { return outer->screen() == screen; })) << outer->screen();
    EXPECT_EQ(outer->lines(), lines) << "the scrollback is as it was";
    EXPECT_TRUE(eventually(
        [&] { return outer->format("#{cursor_x},#{cursor_y} #{cursor_flag}") == cursor; }));
  }
  outer->press("Enter");
  EXPECT_TRUE(outer->shows("typed\ntyped\n")) << "no key of the menu was typed";
}

TEST_F(AttachChoicesTest, ModesComeBackAfterTheMenu) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/sh", "-c", kModes});
  ASSERT_TRUE(outer->shows("modes"));
  ASSERT_TRUE(eventually([&] { return outer->format(kModeFlags) == "1 1 0 1 1 1"; }));
  open_menu(*outer);
  EXPECT_EQ(outer->format("#{mouse_any_flag} #{keypad_cursor_flag}"), "0 0");
  outer->press("Escape");
  EXPECT_TRUE(eventually([&] { return outer->format(kModeFlags) == "1 1 0 1 1 1"; }))
      << outer->format(kModeFlags);
  EXPECT_TRUE(outer->screen().starts_with("modes"));
}

TEST_F(AttachChoicesTest, OutputUnderTheMenuWaitsAndAllOfItComes) {
  start();
  const auto outer =
      attach({"-c", "work", "--", "/bin/sh", "-c", waits() + "seq 500; echo done; exec cat"});
  ASSERT_TRUE(outer->shows("ready"));
  open_menu(*outer);
  const std::string screen = outer->screen();
  go();
  ASSERT_TRUE(captured("work", "done"));
  EXPECT_EQ(outer->screen(), screen);
  outer->press("Escape");
  ASSERT_TRUE(outer->shows("done"));
  const auto lines = outer->lines();
  ASSERT_GE(lines.size(), 502U);
  const auto first = std::find(lines.begin(), lines.end(), "ready");
  ASSERT_EQ(lines.end() - first, 502);
  for (int i = 1; i <= 500; ++i) EXPECT_EQ(*(first + i), std::to_string(i));
}

// More than is kept: it is drawn anew.
TEST_F(AttachChoicesTest, AFloodUnderTheMenuEndsWithTheRightScreen) {
  start();
  const auto outer =
      attach({"-c", "work", "--", "/bin/sh", "-c", waits() + "seq 400000; echo done; exec cat"});
  ASSERT_TRUE(outer->shows("ready"));
  open_menu(*outer);
  go();
  ASSERT_TRUE(captured("work", "done"));
  EXPECT_TRUE(outer->screen().contains(kItems));
  outer->press("Escape");
  ASSERT_TRUE(outer->shows("399999\n400000\ndone\n"));
  outer->type("on");
  EXPECT_TRUE(outer->shows("done\non"));
}

TEST_F(AttachChoicesTest, TheKeyAgainDetaches) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  outer->press("C-\\");
  outer->press("C-\\");
  EXPECT_TRUE(outer->ended_with(0));
  EXPECT_TRUE(outer->shows("[detached from main:work]"));
  EXPECT_EQ(outer->settings_after(), outer->settings_before());
}

TEST_F(AttachChoicesTest, TheKeyItselfCanBeSent) {
  start();
  const auto outer =
      attach({"-c", "work", "--", "/bin/sh", "-c", "stty -isig; echo ready; exec cat -v"});
  ASSERT_TRUE(outer->shows("ready"));
  open_menu(*outer);
  outer->type("q");
  outer->press("Enter");
  EXPECT_TRUE(outer->shows("^\\\n^\\")) << outer->screen();
}

TEST_F(AttachChoicesTest, SwitchesByArrowsAndByNumber) {
  start();
  ASSERT_EQ(run({"new", "-d", "-n", "one", "--", "/bin/cat"}).status, 0);
  ASSERT_EQ(run({"new", "-d", "-n", "two", "--", "/bin/cat"}).status, 0);
  const auto outer = attach({"one"});
  ASSERT_TRUE(seated());
  outer->type("in one");
  ASSERT_TRUE(outer->shows("in one"));
  open_list(*outer);
  EXPECT_TRUE(outer->shows("1 * main:one"));
  EXPECT_TRUE(outer->shows("2   main:two"));
  outer->press("Down");
  outer->press("Enter");
  ASSERT_TRUE(eventually([&] { return !outer->screen().contains("main:"); })) << outer->screen();
  outer->type("in two");
  ASSERT_TRUE(captured("two", "in two"));
  ASSERT_TRUE(outer->shows("in two"));
  EXPECT_FALSE(outer->screen().contains("in one")) << outer->screen();
  EXPECT_TRUE(seated()) << "the other one is left";
  open_list(*outer);
  outer->type("1");
  ASSERT_TRUE(outer->shows("in one"));
  detach(*outer);
  EXPECT_TRUE(outer->shows("[detached from main:one]"));
}

TEST_F(AttachChoicesTest, CreatesATerminalAndSwitchesToIt) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  outer->type("old");
  ASSERT_TRUE(outer->shows("old"));
  open_menu(*outer);
  outer->type("n");
  ASSERT_TRUE(eventually([&] { return listed().size() == 2; }));
  ASSERT_TRUE(eventually([&] { return !outer->screen().contains("old"); }));
  outer->type("echo $((40+2))");
  outer->press("Enter");
  EXPECT_TRUE(outer->shows("42"));
  EXPECT_TRUE(seated());
}

TEST_F(AttachChoicesTest, ReadOnlyGoesOnAndOff) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  open_menu(*outer);
  outer->type("r");
  ASSERT_TRUE(outer->shows("Read-only: nothing that you type is sent."));
  outer->type("x");
  ASSERT_TRUE(eventually([&] { return !outer->screen().contains("Read-only"); }));
  outer->type("to nobody");
  open_menu(*outer);
  EXPECT_TRUE(outer->shows("r read-only off"));
  outer->type("r");
  ASSERT_TRUE(is_closed(*outer));
  outer->type("heard");
  ASSERT_TRUE(outer->shows("heard"));
  EXPECT_FALSE(outer->screen().contains("nobody")) << outer->screen();
}

TEST_F(AttachChoicesTest, TheProgramEndsUnderTheMenu) {
  start();
  const auto outer =
      attach({"-c", "work", "--", "/bin/sh", "-c", waits() + "echo last words; exit 7"});
  ASSERT_TRUE(outer->shows("ready"));
  open_menu(*outer);
  go();
  ASSERT_TRUE(outer->ended_with(7));
  EXPECT_TRUE(outer->shows("[exited with 7]"));
  const auto lines = outer->lines();
  const auto ready = std::ranges::find(lines, "ready");
  ASSERT_GT(lines.end() - ready, 1);
  EXPECT_EQ(*(ready + 1), "last words");
  EXPECT_FALSE(outer->screen().contains(kItems));
  EXPECT_EQ(outer->settings_after(), outer->settings_before());
}

TEST_F(AttachChoicesTest, ASignalUnderTheMenuRestoresTheOuterTerminal) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/sh", "-c", kModes});
  ASSERT_TRUE(outer->shows("modes"));
  open_menu(*outer);
  ::kill(outer->client(), SIGTERM);
  ASSERT_TRUE(outer->ended_with(128 + SIGTERM));
  EXPECT_EQ(outer->format(kModeFlags), "0 0 1 0 0 0");
  EXPECT_EQ(outer->settings_after(), outer->settings_before());
}

TEST_F(AttachChoicesTest, WithoutADaemonTheMenuSaysSo) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  outer->type("typed");
  ASSERT_TRUE(outer->shows("typed"));
  kill_daemon();
  ASSERT_TRUE(outer->shows("Not connected: waiting for the daemon. Ctrl-\\ d detaches."));
  open_menu(*outer);
  outer->type("s");
  ASSERT_TRUE(outer->shows("Not connected: waiting for the daemon. Press any key."));
  start();
  ASSERT_TRUE(seated());
  outer->press("Escape");
  ASSERT_TRUE(eventually([&] { return !outer->screen().contains("Not connected"); }));
  outer->press("Enter");
  EXPECT_TRUE(outer->shows("typed\ntyped\n"));
}

TEST_F(AttachChoicesTest, ALongListFitsTheWindowAndFollowsItsSize) {
  start();
  for (int i = 1; i <= 30; ++i)
    ASSERT_EQ(run({"new", "-d", "-n", "t" + std::to_string(i), "--", "/bin/cat"}).status, 0);
  const auto outer = attach({"t1"}, {.cols = 60, .rows = 10});
  ASSERT_TRUE(seated());
  outer->type("here");
  ASSERT_TRUE(outer->shows("here"));
  open_list(*outer);
  EXPECT_EQ(rows_with(*outer, "main:t"), 9) << outer->screen();
  outer->press("End");
  EXPECT_TRUE(outer->shows(">30   main:t30")) << outer->screen();
  outer->resize({.cols = 60, .rows = 6});
  EXPECT_TRUE(eventually([&] { return rows_with(*outer, "main:t") == 5; })) << outer->screen();
  EXPECT_TRUE(outer->shows("main:t30"));
  outer->press("Escape");
  EXPECT_TRUE(eventually([&] { return outer->screen() == "here\n\n\n\n\n\n"; })) << outer->screen();
}

TEST_F(AttachChoicesTest, AChosenTerminalThatIsGoneIsSaid) {
  start();
  ASSERT_EQ(run({"new", "-d", "-n", "two", "--", "/bin/cat"}).status, 0);
  const auto outer = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  outer->type("stays");
  ASSERT_TRUE(outer->shows("stays"));
  open_list(*outer);
  const auto client = native();
  client->send(message("close", {{"terminalId", id_of("two")}}));
  ASSERT_TRUE(eventually([&] { return listed().size() == 1; }));
  outer->type("1");
  ASSERT_TRUE(outer->shows("That failed: ")) << outer->screen();
  outer->type("x");
  ASSERT_TRUE(eventually([&] { return !outer->screen().contains("That failed"); }));
  EXPECT_TRUE(outer->screen().starts_with("stays\n")) << outer->screen();
  outer->press("Enter");
  EXPECT_TRUE(outer->shows("stays\nstays\n"));
}

TEST_F(AttachChoicesTest, AChosenTerminalThatWasLostIsStartedAgain) {
  start();
  ASSERT_EQ(run({"new", "-d", "-n", "lost", "--", "/bin/cat"}).status, 0);
  const pid_t keeper = keeper_pid();
  ::kill(keeper, SIGKILL);
  ASSERT_TRUE(eventually([&] { return run({"--no-start", "ls"}).output.contains("restorable"); }));
  const auto outer = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  open_list(*outer);
  EXPECT_TRUE(outer->shows("main:lost  /bin/cat  (not running: starts it again)"))
      << outer->screen();
  outer->type("1");
  ASSERT_TRUE(outer->shows("restored"));
  outer->type("again");
  EXPECT_TRUE(outer->shows("again"));
}

TEST_F(AttachChoicesTest, WithTwoKeysTheLetterFollowsTheFirst) {
  start();
  ASSERT_EQ(run({"new", "-d", "-n", "two", "--", "/bin/cat"}).status, 0);
  const auto outer = attach({"--detach-keys", "C-b d", "-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  outer->press("C-b");
  outer->type("s");
  ASSERT_TRUE(outer->shows("main:two"));
  outer->press("Escape");
  ASSERT_TRUE(eventually([&] { return !outer->screen().contains("main:two"); }));
  outer->press("C-b");
  outer->type("d");
  EXPECT_TRUE(outer->ended_with(0));
}

// Names are somebody else's text, in the list too.
TEST_F(AttachChoicesTest, NamesInTheListAreShownAsText) {
  start();
  ASSERT_EQ(run({"new", "-d", "-n", "evil\u202eeman", "--", "/bin/cat"}).status, 0);
  const auto outer = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  open_list(*outer);
  EXPECT_TRUE(outer->shows("main:evil\\u202eeman"));
}

}  // namespace
}  // namespace e2e
