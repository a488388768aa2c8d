// Commands that need a daemon start one in the background if none runs.

#include <set>

#include "end_to_end/attach_fixture.h"
#include "end_to_end/commands_manual.h"

namespace e2e {
namespace {

class StartTest : public AttachTest {
 protected:
  void TearDown() override {
    stop();
    AttachTest::TearDown();
  }
  // The port must not be that of another daemon on this machine.
  Process::Outcome command(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {"/bin/sh", "-c", "exec \"$@\" </dev/null", "sh", kDaemonProgram.native()});
    return Process(arguments, surroundings()).wait();
  }
  [[nodiscard]] std::vector<std::string> surroundings() const {
    std::vector<std::string> env = environment();
    env.emplace_back("HOLDFAST_LISTEN=127.0.0.1:0");
    return env;
  }
  bool is_running() { return command({"status"}).status == 0; }
  void stop() { (void)command({"stop", "--all", "--yes"}); }

  // Most of them find no terminal then; that is the daemon's answer.
  const std::map<std::string, std::vector<std::string>> starts_{
      {"capture", {"capture", "none"}},
      {"commands", {"commands", "none"}},
      {"events", {"events"}},
      {"exec", {"exec", "none", "--", "true"}},
      {"kill", {"kill", "none"}},
      {"lease", {"lease", "none"}},
      {"link", {"link"}},
      {"ls", {"ls"}},
      {"mcp", {"mcp"}},
      {"new", {"new", "-d", "--", "/bin/cat"}},
      {"notify", {"notify", "--terminal", "none", "text"}},
      {"record", {"record", "none", "none.cast"}},
      {"reload", {"reload"}},
      {"rename", {"rename", "none", "some"}},
      {"resize", {"resize", "none", "80", "24"}},
      {"resources", {"resources"}},
      {"restore", {"restore", "none"}},
      {"run", {"run", "main", "! true"}},
      {"search", {"search", "text"}},
      {"send", {"send", "none", "text"}},
      {"sessions", {"sessions"}},
      {"share", {"share", "none"}},
      {"sign-ins", {"sign-ins"}},
      {"wait", {"wait", "none", "--exit"}}};
  // `attach` needs a terminal.
  const std::set<std::string> others_{"attach",    "completions", "config", "doctor", "env",
                                      "extension", "help",        "login",  "logout", "logs",
                                      "man",       "play",        "serve",  "skill",  "status",
                                      "stop",      "token",       "trust",  "upgrade"};
};

TEST_F(StartTest, EveryCommandThatNeedsADaemonStartsOne) {
  for (const auto& [name, arguments] : starts_) {
    stop();
    ASSERT_FALSE(is_running());
    const auto outcome = command(arguments);
    EXPECT_TRUE(is_running()) << name << ": " << outcome.output;
    EXPECT_EQ(outcome.output.find("no daemon is running"), std::string::npos) << outcome.output;
  }
  stop();
  std::vector<std::string> argv{kDaemonProgram, "attach", "--create", "work", "--", "/bin/cat"};
  const OuterTmux outer(surroundings(), argv, OuterTmux::Size());
  EXPECT_TRUE(eventually([&] { return is_running(); }));
}

TEST_F(StartTest, NoneStartsOneIfThatIsUnwanted) {
  for (auto [name, arguments] : starts_) {
    arguments.insert(arguments.begin(), "--no-start");
    const auto outcome = command(arguments);
    EXPECT_NE(outcome.output.find("no daemon is running"), std::string::npos)
        << name << ": " << outcome.output;
    EXPECT_EQ(WEXITSTATUS(outcome.status), 1) << name;
    EXPECT_FALSE(is_running()) << name;
  }
}

// A new command goes into one of the two lists.
TEST_F(StartTest, EveryCommandIsInTheLists) {
  std::set<std::string> listed = others_;
  for (const auto& [name, arguments] : starts_) listed.insert(name);
  std::set<std::string> all;
  for (const auto& [name, section] : sections_of(command({"man", "--markdown"}).output))
    all.insert(name);
  EXPECT_EQ(listed, all);
}

}  // namespace
}  // namespace e2e
