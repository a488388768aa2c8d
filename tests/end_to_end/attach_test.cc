// `holdfast attach`, in a real terminal.

#include <signal.h>
#include <sys/wait.h>

#include <cstring>
#include <fstream>

#include "end_to_end/attach_fixture.h"

namespace e2e {
namespace {

TEST_F(AttachTest, TypesAndShowsTheEcho) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  outer->type("hello");
  ASSERT_TRUE(outer->shows("hello"));
  EXPECT_EQ(outer->format("#{cursor_x},#{cursor_y}"), "5,0");
  outer->press("Enter");
  ASSERT_TRUE(outer->shows("hello\nhello\n"));
  EXPECT_EQ(outer->format("#{cursor_x},#{cursor_y}"), "0,2");
}

TEST_F(AttachTest, DetachesAndShowsTheSameWhenItComesBack) {
  start();
  const auto first = attach({"-c", "work", "--", "/bin/sh", "-c", kColours});
  ASSERT_TRUE(first->shows("ready"));
  first->type("typed");
  ASSERT_TRUE(first->shows("typed"));
  const auto before = first->lines();
  const std::string cursor = first->format("#{cursor_x},#{cursor_y}");
  detach(*first);
  ASSERT_TRUE(first->ended_with(0));
  EXPECT_TRUE(first->shows("[detached from main:work]"));

  const auto second = attach({"work"});
  ASSERT_TRUE(second->shows("typed"));
  EXPECT_TRUE(eventually([&] { return second->format("#{cursor_x},#{cursor_y}") == cursor; }));
  EXPECT_TRUE(eventually([&] { return ends_with(second->lines(), before); }));
  second->press("Enter");
  EXPECT_TRUE(second->shows("typed\ntyped\n"));
}

// `holdfast new` in a terminal is `attach` to what it creates.
TEST_F(AttachTest, NewAttachesInATerminalUnlessToldOtherwise) {
  start();
  const auto outer = in_terminal({kDaemonProgram, "new", "-n", "fresh", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  outer->type("hello");
  ASSERT_TRUE(outer->shows("hello"));
  detach(*outer);
  ASSERT_TRUE(outer->ended_with(0));
  EXPECT_TRUE(outer->shows("[detached from main:fresh]"));
  const json::object terminal = listed().front().as_object();
  EXPECT_EQ(terminal.at("cols").as_int64(), 100);
  EXPECT_EQ(terminal.at("rows").as_int64(), 30);

  for (const char* flag : {"-d", "--json"}) {
    const auto detached = in_terminal({kDaemonProgram, "new", flag, "--", "/bin/cat"});
    ASSERT_TRUE(detached->ended_with(0)) << flag;
  }
  EXPECT_EQ(listed().size(), 3U);
  EXPECT_TRUE(seated(0));
}

// One inside the other would show itself. The terminal is made all the same.
TEST_F(AttachTest, NewInsideATerminalOfHoldfastDoesNotAttach) {
  start();
  const auto outer =
      in_terminal({"/usr/bin/env", "HOLDFAST_TERMINAL=a", kDaemonProgram, "new", "--", "/bin/cat"});
  ASSERT_TRUE(outer->ended_with(0));
  EXPECT_TRUE(outer->shows("not attached: this is already a terminal of Holdfast"));
  EXPECT_EQ(listed().size(), 1U);
}

// A recording comes from anywhere. It may show what it likes and do nothing.
TEST_F(AttachTest, PlayShowsARecordingAndLeavesTheTerminalAsItWas) {
  std::ofstream(dir() / "evil.cast")
      << R"({"version":2,"width":60,"height":10})" << "\n"
      << R"([0.01,"o","\u001b[31mred\u001b[m \u001b]0;owned\u0007\u001b[?1003h\u001b[?2004h\r\n"])"
      << "\n"
      << R"([0.02,"o","\u001b[6n\u001b[c\u001b]52;c;b3duZWQ=\u0007second"])" << "\n"
      << R"([0.03,"r","70x12"])" << "\n"
      << R"([600,"o"," late"])" << "\n";
  const auto outer =
      in_terminal({kDaemonProgram, "play", dir() / "evil.cast", "--idle-limit", "0.2"});
  ASSERT_TRUE(outer->ended_with(0));
  EXPECT_EQ(outer->settings_before(), outer->settings_after());
  EXPECT_EQ(outer->format("#{alternate_on} #{mouse_any_flag} #{cursor_flag}"), "0 0 1");
  EXPECT_EQ(outer->format("#{pane_title}").find("owned"), std::string::npos);
  EXPECT_EQ(outer->screen().find("[?"), std::string::npos) << "a query was answered";

  const auto held = in_terminal({kDaemonProgram, "play", dir() / "evil.cast", "--speed", "1"});
  ASSERT_TRUE(held->shows("red\nsecond"));
  EXPECT_EQ(held->format("#{mouse_any_flag} #{alternate_on}"), "0 1");
  held->press("q");
  ASSERT_TRUE(held->ended_with(0));

  std::ofstream(dir() / "broken.cast") << "no recording\n";
  const auto refused = in_terminal({kDaemonProgram, "play", dir() / "broken.cast"});
  ASSERT_TRUE(refused->ended_with(1));
  EXPECT_TRUE(refused->shows("this is not a recording in asciicast v2"));
}

// What the outer terminal had shown before stays in its scrollback.
TEST_F(AttachTest, LeavesTheScrollbackOfTheOuterTerminalAlone) {
  start();
  std::ofstream(dir() / "before.sh")
      << "seq 100; exec " << kDaemonProgram << " attach -c work -- /bin/cat\n";
  const auto outer = in_terminal({"/bin/sh", dir() / "before.sh"});
  ASSERT_TRUE(seated());
  outer->type("drawn");
  ASSERT_TRUE(outer->shows("drawn"));
  const auto lines = outer->lines();
  ASSERT_GE(lines.size(), 100U);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(lines[static_cast<std::size_t>(i)], std::to_string(i + 1));
}

TEST_F(AttachTest, VimIsRightInEachSize) {
  start();
  std::ofstream text(dir() / "text");
  for (int i = 1; i <= 200; ++i) text << "line " << i << "\n";
  text.close();
  const OuterTmux::Size large{.cols = 200, .rows = 60};
  {
    const auto outer = attach({"-c", "vim", "--", "/usr/bin/vim", "-u", "NONE", "-N", "-n",
                               "+set number laststatus=2 | 100", dir() / "text"},
                              large);
    ASSERT_TRUE(outer->shows("100 line 100"));
    ASSERT_TRUE(eventually([&] { return rows_with(*outer, "line") == 58; })) << outer->screen();
    EXPECT_EQ(outer->format("#{alternate_on}"), "1");
    detach(*outer);
    ASSERT_TRUE(outer->ended_with(0));
    EXPECT_EQ(outer->format("#{alternate_on}"), "0");
  }
  {
    const auto outer = attach({"vim"}, {.cols = 80, .rows = 24});
    ASSERT_TRUE(eventually([&] { return rows_with(*outer, "line") == 22; })) << outer->screen();
    EXPECT_TRUE(outer->shows("100 line 100"));
    EXPECT_EQ(outer->format("#{alternate_on}"), "1");
    outer->type("150G");
    EXPECT_TRUE(outer->shows("150 line 150"));
    EXPECT_EQ(rows_with(*outer, "line"), 22) << outer->screen();
    outer->resize({.cols = 90, .rows = 40});
    EXPECT_TRUE(eventually([&] { return rows_with(*outer, "line") == 38; })) << outer->screen();
    detach(*outer);
    ASSERT_TRUE(outer->ended_with(0));
  }
  const auto outer = attach({"vim"}, large);
  EXPECT_TRUE(eventually([&] { return rows_with(*outer, "line") == 58; })) << outer->screen();
  EXPECT_TRUE(outer->shows("150 line 150"));
}

TEST_F(AttachTest, FollowsTheSizeOfTheWindow) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/sh", "-c",
                             "trap 'stty size' WINCH; echo ready; while :; do sleep 0.02; done"});
  ASSERT_TRUE(outer->shows("ready"));
  outer->resize({.cols = 70, .rows = 20});
  EXPECT_TRUE(outer->shows("20 70"));
  outer->resize({.cols = 120, .rows = 35});
  EXPECT_TRUE(outer->shows("35 120"));
}

TEST_F(AttachTest, ReadOnlyTypesNothing) {
  start();
  const auto typing = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  const auto looking = attach({"-r", "work"}, {.cols = 60, .rows = 20});
  typing->type("one");
  ASSERT_TRUE(looking->shows("one"));
  looking->type("nothing of this");
  looking->press("Enter");
  looking->press("C-c");
  typing->press("Enter");
  ASSERT_TRUE(looking->shows("one\none\n"));
  EXPECT_FALSE(typing->screen().contains("nothing")) << typing->screen();
  detach(*looking);
  EXPECT_TRUE(looking->ended_with(0));
  typing->type("two");
  EXPECT_TRUE(typing->shows("two"));
}

TEST_F(AttachTest, WhatAnotherClientSizedIsDrawnAnewWhenItIsUsed) {
  start();
  const auto large = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  const auto small = attach({"work"}, {.cols = 20, .rows = 10});
  small->type("a line that is longer than twenty columns");
  small->press("Enter");
  ASSERT_TRUE(small->shows("r than twenty column\ns\na line"));
  large->type("and more");
  const std::string line = "a line that is longer than twenty columns\n";
  EXPECT_TRUE(large->shows(line + line + "and more\n")) << large->screen();
}

TEST_F(AttachTest, EndsWithTheProgramsStatus) {
  start();
  const auto outer =
      attach({"--", "/bin/sh", "-c", "printf '\\033[?1049h\\033[31mred'; read line; exit 7"});
  ASSERT_TRUE(outer->shows("red"));
  outer->press("Enter");
  EXPECT_TRUE(outer->ended_with(7));
  EXPECT_TRUE(outer->shows("[exited with 7]"));
  EXPECT_EQ(outer->format("#{alternate_on}"), "0");
}

TEST_F(AttachTest, EndsWhenTheTerminalIsClosed) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  const auto client = native();
  client->send(message("close", {{"terminalId", id_of("work")}}));
  EXPECT_TRUE(outer->shows("[status "));
  EXPECT_FALSE(outer->screen().contains("[status 0]")) << outer->screen();
}

TEST_F(AttachTest, EndsWhenAnotherClientTakesOver) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  const auto client = native();
  client->send(message("attach", {{"terminalId", id_of("work")}, {"takeover", true}}));
  EXPECT_TRUE(outer->ended_with(0));
  EXPECT_TRUE(outer->shows("another client took over"));
}

TEST_F(AttachTest, FindsCreatesAndGoesBackToWhatWasUsedLast) {
  start();
  const auto first = attach({});  // There is none yet.
  ASSERT_TRUE(seated());
  first->type("echo $((20+1))th of May");
  first->press("Enter");
  ASSERT_TRUE(first->shows("21th of May"));
  const auto named = attach({"--create", "build", "--", "/bin/cat"});
  ASSERT_TRUE(seated(2));
  named->type("in build");
  ASSERT_TRUE(named->shows("in build"));
  const auto again = attach({"a", "-c", "build"}, {}, Alias::given);
  EXPECT_TRUE(again->shows("in build"));
  const auto by_path = attach({"main:build"});
  EXPECT_TRUE(by_path->shows("in build"));
  const auto last = attach({});
  EXPECT_TRUE(last->shows("in build"));
  const auto by_prefix = attach({id_of("build").substr(0, 8)});
  EXPECT_TRUE(by_prefix->shows("in build"));
}

// A new terminal takes the place of one that has ended, instead of showing its end.
TEST_F(AttachTest, CreateReplacesATerminalThatHasExited) {
  start();
  EXPECT_TRUE(attach({"-c", "work", "--", "/bin/sh", "-c", "exit 3"})->ended_with(3));
  EXPECT_TRUE(attach({"work"})->ended_with(3));
  const auto outer = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  outer->type("again");
  EXPECT_TRUE(outer->shows("again"));
  EXPECT_TRUE(attach({"work"})->shows("again"));
}

TEST_F(AttachTest, OtherDetachKeys) {
  start();
  const auto two = attach({"--detach-keys", "C-x d", "-c", "work", "--", "/usr/bin/cat", "-v"});
  ASSERT_TRUE(seated());
  two->press("C-x");
  two->type("e");
  EXPECT_TRUE(two->shows("^Xe"));
  two->press("C-x");
  two->type("d");
  EXPECT_TRUE(two->ended_with(0));
  const auto chosen = in_terminal(
      {"/usr/bin/env", "HOLDFAST_DETACH_KEYS=C-x d", kDaemonProgram, "new", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  chosen->press("C-x");
  chosen->type("d");
  EXPECT_TRUE(chosen->ended_with(0));
  const auto none = attach({"--detach-keys", "none", "work"});
  ASSERT_TRUE(none->shows("^Xe"));
  none->press("C-\\");  // For the program: SIGQUIT.
  EXPECT_TRUE(none->ended_with(128 + SIGQUIT));
}

// A signal that ends the client leaves the outer terminal as it was, whatever the program had on.
TEST_F(AttachTest, SignalsRestoreTheOuterTerminal) {
  start();
  const auto keep = attach({"-c", "work", "--", "/bin/sh", "-c", kModes});
  ASSERT_TRUE(keep->shows("modes"));
  for (const int number : {SIGTERM, SIGHUP, SIGINT, SIGQUIT}) {
    const auto outer = attach({"work"});
    ASSERT_TRUE(outer->shows("modes"));
    ASSERT_TRUE(eventually([&] { return outer->format(kModeFlags) == "1 1 0 1 1 1"; }))
        << outer->format(kModeFlags);
    ::kill(outer->client(), number);
    ASSERT_TRUE(outer->ended_with(128 + number));
    EXPECT_EQ(outer->format(kModeFlags), "0 0 1 0 0 0");
    EXPECT_EQ(outer->settings_after(), outer->settings_before());
    EXPECT_FALSE(outer->settings_before().empty());
  }
}

// A crash cannot be told from a signal that somebody sends: the same handler has to put everything
// back. The shell in the outer terminal sees that the signal ended the client.
TEST_F(AttachTest, CrashesRestoreTheOuterTerminal) {
  start();
  const auto keep = attach({"-c", "work", "--", "/bin/sh", "-c", kModes});
  ASSERT_TRUE(keep->shows("modes"));
  for (const int number : {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGPIPE, SIGSEGV, SIGSYS,
                           SIGTRAP, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ}) {
    const auto outer = attach({"work"});
    ASSERT_TRUE(outer->shows("modes"));
    ASSERT_TRUE(eventually([&] { return outer->format(kModeFlags) == "1 1 0 1 1 1"; }))
        << outer->format(kModeFlags);
    ::kill(outer->client(), number);
    ASSERT_TRUE(outer->ended_with(128 + number)) << ::strsignal(number);
    EXPECT_EQ(outer->format(kModeFlags), "0 0 1 0 0 0") << ::strsignal(number);
    EXPECT_EQ(outer->settings_after(), outer->settings_before()) << ::strsignal(number);
  }
}

TEST_F(AttachTest, EndsWithTheWindow) {
  start();
  auto outer = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  const pid_t client = outer->client();
  outer.reset();
  EXPECT_TRUE(eventually([&] { return !exists(client); }));
  EXPECT_TRUE(seated(0));
  EXPECT_EQ(listed().size(), 1U);
}

// The outer terminal is slower than the program, and the client gets snapshots of what it missed.
TEST_F(AttachTest, AFloodEndsWithTheRightScreen) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/sh", "-c", "seq 500000; exec cat"});
  ASSERT_TRUE(outer->shows("500000\n"));
  const auto lines = outer->lines();
  for (std::size_t i = 0; i < 100; ++i)
    ASSERT_EQ(lines[lines.size() - 1 - i], std::to_string(500000 - i));
  outer->type("and now");
  EXPECT_TRUE(outer->shows("500000\nand now"));
}

TEST_F(AttachTest, ComesBackAfterItWasStopped) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  outer->type("before");
  ASSERT_TRUE(outer->shows("before"));
  const pid_t client = outer->client();
  ::kill(client, SIGTSTP);
  ASSERT_TRUE(eventually([&] { return proc_file(client, "stat").contains(") T "); }));
  ::kill(client, SIGCONT);
  outer->type(" after");
  EXPECT_TRUE(outer->shows("before after"));
}

TEST_F(AttachTest, SaysWhatIsWrong) {
  const auto wrong = [&](const std::vector<std::string>& arguments, std::string_view why,
                         int status = 1) {
    const auto outer = attach(arguments);
    EXPECT_TRUE(outer->ended_with(status)) << outer->screen();
    std::string shown = outer->screen();
    std::erase(shown, '\n');
    EXPECT_TRUE(shown.contains(why)) << shown;
    EXPECT_EQ(outer->settings_after(), outer->settings_before());
  };
  wrong({}, "no daemon is running");
  start();
  wrong({"nowhere"}, "there is no terminal \"nowhere\"");
  wrong({"nowhere", "--", "ls"}, "a command is for a new terminal");
  wrong({"--detach-keys", "x"}, "cannot read the detach keys \"x\"", 2);
  wrong({"-c", "work", "--", "/no/such/program"}, "/no/such/program");

  const auto piped = run({"attach"});
  EXPECT_EQ(WEXITSTATUS(piped.status), 1);
  EXPECT_TRUE(piped.output.contains("is not a terminal")) << piped.output;
}

TEST_F(AttachTest, RefusesToBeShownInsideItself) {
  start();
  const auto outer =
      attach({"-c", "work", "--", "/bin/sh", "-c", kDaemonProgram.string() + " attach work; cat"});
  EXPECT_TRUE(outer->shows("this is already a terminal of Holdfast: " + id_of("work")));
}

// Names are somebody else's text.
TEST_F(AttachTest, NamesAreShownAsText) {
  start();
  const auto outer = attach({"-c", "evil\u202eeman", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  detach(*outer);
  EXPECT_TRUE(outer->shows("[detached from main:evil\\u202eeman]"));
}

}  // namespace
}  // namespace e2e
