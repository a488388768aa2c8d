// What `holdfast attach` brings along from where it is called: colours, variables, or next to
// nothing.

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "end_to_end/attach_fixture.h"

namespace e2e {
namespace {

class AttachOuterTest : public AttachTest {
 protected:
  std::unique_ptr<OuterTmux> coloured_attach(const std::vector<std::string>& arguments) {
    std::vector<std::string> command{kDaemonProgram, "--no-start", "attach"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return std::make_unique<OuterTmux>(environment(), command, OuterTmux::Size(),
                                       "fg=#112233,bg=#445566");
  }
  // A terminal whose variables are these.
  std::unique_ptr<OuterTmux> attach_with(const std::vector<std::string>& variables,
                                         const std::vector<std::string>& arguments) {
    std::vector<std::string> command{"/usr/bin/env"};
    for (const char* name :
         {"DISPLAY", "SSH_AUTH_SOCK", "SSH_CONNECTION", "WAYLAND_DISPLAY", "XAUTHORITY"})
      command.insert(command.end(), {"-u", name});
    command.insert(command.end(), variables.begin(), variables.end());
    command.insert(command.end(), {kDaemonProgram, "--no-start", "attach"});
    command.insert(command.end(), arguments.begin(), arguments.end());
    return in_terminal(command);
  }
};

TEST_F(AttachOuterTest, ProgramsAreToldTheColoursOfTheOuterTerminal) {
  start();
  // Asks for the background again and again, and shows what it is told.
  std::ofstream(dir() / "ask.sh") << "stty raw -echo\n"
                                     "while :; do printf '\\033]11;?\\033\\\\'\n"
                                     "  IFS= read -rs -d '\\' told; printf '\\r%s ' \"${told#*;}\" "
                                     "| tr -d '\\033'; sleep 0.05\n"
                                     "done\n";
  const auto outer = coloured_attach({"-c", "work", "--", "/bin/bash", dir() / "ask.sh"});
  EXPECT_TRUE(outer->shows("rgb:4444/5555/6666")) << outer->screen();
}

// tmux answers some of what is asked at the beginning. Nothing of that is typed.
TEST_F(AttachOuterTest, AnswersOfTheOuterTerminalAreNotTyped) {
  start();
  for (const bool is_coloured : {false, true}) {
    const std::string name = is_coloured ? "coloured" : "plain";
    const std::vector<std::string> arguments{"-c",      name, "--",
                                             "/bin/sh", "-c", "stty raw; echo ready; exec cat -v"};
    const auto outer = is_coloured ? coloured_attach(arguments) : attach(arguments);
    ASSERT_TRUE(outer->shows("ready"));
    outer->type("typed");
    ASSERT_TRUE(outer->shows("typed"));
    EXPECT_FALSE(outer->screen().contains("^[")) << outer->screen();
    EXPECT_FALSE(outer->screen().contains("rgb:")) << outer->screen();
    outer->press("Escape");
    EXPECT_TRUE(outer->shows("^["));
  }
}

// Answers that come too late would be typed into the shell.
TEST_F(AttachOuterTest, AnswersComeBeforeItEnds) {
  start();
  ASSERT_EQ(run({"new", "-d", "-n", "ended", "--", "/bin/true"}).status, 0);
  const auto outer = attach({"ended"});
  ASSERT_TRUE(outer->ended_with(0));
  EXPECT_FALSE(outer->screen().contains("^[")) << outer->screen();
  EXPECT_FALSE(outer->screen().contains("rgb:")) << outer->screen();
}

// Whatever a program asks, it is answered by the daemon, and the outer terminal adds nothing.
TEST_F(AttachOuterTest, TheOuterTerminalIsNotAskedWhatProgramsAsk) {
  start();
  const auto outer = attach(
      {"-c", "work", "--", "/bin/sh", "-c",
       "stty raw -echo; printf '\\033[c\\033[>c\\033[5n\\033[6n\\033[?6n\\033[>q\\033[?u\\033[14t"
       "\\033[18t\\033[21t\\033[?2026$p\\033]4;1;?\\033\\\\\\033]10;?\\a\\033]52;c;?\\a\\033P+q544e"
       "\\033\\\\\\033P$qm\\033\\\\\\033_Gi=1,a=q;AAAA\\033\\\\\\005\\033Z'; exec cat >" +
           (dir() / "answers").native()});
  const auto answers = [&] {
    std::ifstream file(dir() / "answers");
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  ASSERT_TRUE(eventually([&] { return answers().contains("\x1b[0n"); }));
  ASSERT_TRUE(seated());
  outer->type("end");
  ASSERT_TRUE(eventually([&] { return answers().ends_with("end"); })) << answers();
  const auto only = answers();
  for (const char* answer : {"\x1b[0n", "]10;rgb:", "]4;1;rgb:"}) {
    const auto first = only.find(answer);
    ASSERT_NE(first, std::string::npos) << answer;
    EXPECT_EQ(only.find(answer, first + 1), std::string::npos) << answer << " comes twice";
  }
}

TEST_F(AttachOuterTest, ShellsGetTheVariablesOfWhoeverAttachedLast) {
  start();
  EXPECT_NE(run({"env"}).status, 0);
  const std::string link = runtime_dir() / "agent.sock";
  const auto first = attach_with({"SSH_AUTH_SOCK=/tmp/first agent", "DISPLAY=:7"},
                                 {"-c", "work", "--", "/bin/sh", "-c",
                                  "echo \"agent $SSH_AUTH_SOCK display $DISPLAY\"; exec cat"});
  ASSERT_TRUE(first->shows("agent " + link + " display :7")) << first->screen();
  EXPECT_EQ(std::filesystem::read_symlink(link), "/tmp/first agent");
  EXPECT_EQ(run({"env", "--sh"}).output, "export DISPLAY=':7'\nexport SSH_AUTH_SOCK='" + link +
                                             "'\nunset SSH_CONNECTION\nunset WAYLAND_DISPLAY\n"
                                             "unset XAUTHORITY\n");
  kill_daemon();
  start();
  const auto second =
      attach_with({"SSH_AUTH_SOCK=/tmp/second", "WAYLAND_DISPLAY=wayland-1"}, {"work"});
  ASSERT_TRUE(seated(2));
  EXPECT_EQ(std::filesystem::read_symlink(link), "/tmp/second");
  EXPECT_EQ(run({"env", "--fish"}).output,
            "set -e DISPLAY;\nset -gx SSH_AUTH_SOCK '" + link +
                "';\nset -e SSH_CONNECTION;\nset -gx "
                "WAYLAND_DISPLAY 'wayland-1';\nset -e XAUTHORITY;\n");
  const auto none = attach_with({}, {"work"});
  ASSERT_TRUE(seated(3));
  EXPECT_FALSE(std::filesystem::is_symlink(link));
  EXPECT_TRUE(run({"env", "--sh"}).output.contains("unset SSH_AUTH_SOCK\n"));
}

TEST_F(AttachOuterTest, AShellTakesTheVariablesOver) {
  start();
  const auto outer =
      attach_with({"DISPLAY=it's \"$(touch evil)\" \\"}, {"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  for (const char* shell : {"/bin/sh", "/bin/bash"}) {
    auto env = environment();
    env.emplace_back("SSH_AUTH_SOCK=/old");
    const auto outcome =
        Process({shell, "-c",
                 "eval \"$(" + kDaemonProgram.native() +
                     " env --sh)\"; printf '%s|%s' \"$DISPLAY\" \"${SSH_AUTH_SOCK-unset}\""},
                env)
            .wait();
    EXPECT_EQ(outcome.output, "it's \"$(touch evil)\" \\|unset") << shell;
  }
}

// As `ssh -t HOST holdfast attach work` runs it, for somebody who never used it.
TEST_F(AttachOuterTest, StartsWithNextToNoEnvironment) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to become a user without a runtime directory";
  const std::string user = std::to_string(40000 + ::getpid() % 20000);
  const std::filesystem::path runtime = "/tmp/holdfast-" + user;
  std::filesystem::create_directory(home());
  ASSERT_EQ(::chown(home().c_str(), static_cast<uid_t>(std::stoi(user)), 0), 0);
  ASSERT_EQ(::chmod(dir().c_str(), 0711), 0);
  const std::vector<std::string> as_user{"/usr/bin/setpriv",
                                         "--reuid=" + user,
                                         "--regid=" + user,
                                         "--clear-groups",
                                         "/usr/bin/env",
                                         "-i",
                                         "HOME=" + home().native(),
                                         "PATH=/usr/bin:/bin",
                                         "TERM=screen",
                                         "HOLDFAST_LISTEN=127.0.0.1:0",
                                         kDaemonProgram};
  std::vector<std::string> command = as_user;
  command.insert(command.end(), {"attach", "-c", "work", "--", "/bin/cat"});
  {
    const auto outer = in_terminal(command);
    outer->type("hello");
    outer->press("Enter");
    EXPECT_TRUE(outer->shows("hello\nhello\n")) << outer->screen();
    detach(*outer);
    EXPECT_TRUE(outer->ended_with(0));
    EXPECT_EQ(outer->settings_after(), outer->settings_before());
  }
  std::vector<std::string> again = as_user;
  again.insert(again.end(), {"attach", "work"});
  {
    const auto outer = in_terminal(again);
    EXPECT_TRUE(outer->shows("hello\nhello\n")) << outer->screen();
  }
  std::vector<std::string> stop = as_user;
  stop.insert(stop.end(), {"stop", "--all", "--yes"});
  const auto stopped = Process(stop, {}).wait();
  EXPECT_EQ(stopped.status, 0) << stopped.output;
  std::filesystem::remove_all(runtime);
}

}  // namespace
}  // namespace e2e
