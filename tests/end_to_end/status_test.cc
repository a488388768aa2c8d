// What `holdfast-keeper` says on the command line.

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include <boost/json.hpp>

#include "end_to_end/keeper_fixture.h"

namespace e2e {
namespace {

class StatusTest : public KeeperTest {
 protected:
  Process::Outcome run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {kKeeperProgram, "--runtime-dir", dir()});
    return Process(arguments).wait();
  }
};

TEST_F(StatusTest, Text) {
  auto running = owner().spawn("shell", {"/bin/cat"});
  ASSERT_TRUE(running);
  ASSERT_TRUE(owner().spawn("gone", {"/bin/sh", "-c", "exit 3"}));
  (void)owner().exit_of("gone");
  const std::string text = run({"--status"}).output;
  EXPECT_NE(text.find("keeper " HOLDFAST_VERSION ", pid " + std::to_string(keeper_pid()) +
                      ", daemon pid " + std::to_string(::getpid()) + ", 2 children"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("shell  terminal  pid " + std::to_string(running->info.pid) + "  running"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("exited with 3"), std::string::npos) << text;
}

// Whoever lists what runs must not be made to act by a command line.
TEST_F(StatusTest, ACommandLineCannotActOnTheTerminal) {
  ASSERT_TRUE(owner().spawn("a", {"/bin/sh", "-c",
                                  "exec sleep 1000 # \x1b]0;owned\x07\xc2\x9b"
                                  "2J\n\x9b"}));
  const std::string text = run({"--status"}).output;
  EXPECT_NE(text.find("# \\x1b]0;owned\\x07\\u009b2J\\x0a\\x9b\n"), std::string::npos) << text;
}

TEST_F(StatusTest, TheLogOfAKeeperInTheBackgroundStaysSmall) {
  const auto inner = dir() / "inner";
  std::filesystem::create_directory(inner);
  ASSERT_EQ(::chmod(inner.c_str(), 0700), 0);
  std::ofstream(inner / "keeper.log") << std::string(2 << 20, 'x');
  const auto outcome = Process({kKeeperProgram, "--detach", "--runtime-dir", inner}).wait();
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(eventually([&] {
    std::error_code error;
    return std::filesystem::exists(inner / "keeper.log.1") &&
           std::filesystem::file_size(inner / "keeper.log", error) < 100'000;
  }));
  EXPECT_EQ(std::filesystem::file_size(inner / "keeper.log.1") >> 21, 1U);
  pid_t keeper = 0;
  std::ifstream(inner / "keeper.lock") >> keeper;
  ASSERT_EQ(::kill(keeper, SIGTERM), 0);
  EXPECT_TRUE(eventually([&] { return !exists(keeper); }));
}

TEST_F(StatusTest, Json) {
  ASSERT_TRUE(owner().spawn("a", {"/bin/sh", "-c", "kill -9 $$ # \"\\\x01\xff"}));
  (void)owner().exit_of("a");
  const auto parsed = boost::json::parse(run({"--status", "--json"}).output);
  EXPECT_EQ(parsed.at("pid").as_int64(), keeper_pid());
  EXPECT_EQ(parsed.at("daemonPid").as_int64(), ::getpid());
  const auto& child = parsed.at("children").as_array().at(0);
  EXPECT_EQ(child.at("id").as_string(), "a");
  EXPECT_EQ(child.at("state").as_string(), "exited");
  EXPECT_EQ(child.at("exitSignal").as_int64(), 9);
  EXPECT_EQ(child.at("argv").as_array().size(), 3U);
}

TEST_F(StatusTest, WhereNoKeeperRunsItSaysHowToStartOne) {
  const auto outcome =
      Process({kKeeperProgram, "--runtime-dir", dir() / "none", "--status"}).wait();
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.output.find("Start one with: holdfast-keeper --runtime-dir"), std::string::npos)
      << outcome.output;
}

TEST_F(StatusTest, ASecondKeeperSaysWhoRuns) {
  // It says who it is a moment after it has the lock.
  ASSERT_TRUE(eventually([&] { return std::filesystem::file_size(dir() / "keeper.lock") > 0; }));
  const auto outcome = run({});
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.output.find("a keeper is already running in " + dir().native() + ", with pid " +
                                std::to_string(keeper_pid())),
            std::string::npos)
      << outcome.output;
}

TEST_F(StatusTest, ADirectoryOpenToOthersIsRefused) {
  const auto open = dir() / "open";
  std::filesystem::create_directory(open);
  ::chmod(open.c_str(), 0755);
  const auto outcome = Process({kKeeperProgram, "--runtime-dir", open}).wait();
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.output.find("chmod 700"), std::string::npos) << outcome.output;
}

TEST_F(StatusTest, APathTooLongForASocketIsRefused) {
  const auto outcome =
      Process({kKeeperProgram, "--runtime-dir", dir() / std::string(120, 'x')}).wait();
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.output.find("too long"), std::string::npos) << outcome.output;
}

TEST_F(StatusTest, UnknownArgumentsAreRefused) {
  const auto outcome = run({"--frobnicate"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.output.find("--frobnicate"), std::string::npos);
  EXPECT_NE(run({"--status", "--resume"}).status, 0);
}

// It can be ended as soon as it can be reached, and leaves no socket behind.
TEST_F(StatusTest, EndsInOrderAtEveryMoment) {
  for (int i = 0; i < 50; ++i) {
    const auto inner = dir() / ("run" + std::to_string(i));
    Process started({kKeeperProgram, "--runtime-dir", inner});
    while (!exists(inner / "keeper.sock")) std::this_thread::yield();
    started.signal(SIGTERM);
    const auto outcome = started.wait();
    ASSERT_EQ(outcome.status, 0) << outcome.output;
    ASSERT_FALSE(exists(inner / "keeper.sock"));
  }
}

TEST_F(StatusTest, DetachedItCanBeReachedWhenTheCommandReturns) {
  const auto inner = dir() / "detached";
  const auto outcome = Process({kKeeperProgram, "--runtime-dir", inner, "--detach"}).wait();
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  Client client(inner);
  ASSERT_TRUE(client.start());
  auto child = client.spawn("t", {"/bin/sh", "-c", "exit 8"});
  ASSERT_TRUE(child);
  EXPECT_EQ(client.exit_of("t").status.code, 8);
  const auto info = client.wait(client.keeper().hello());
  ASSERT_TRUE(info);
  EXPECT_EQ(::getsid(info->pid), info->pid) << "in a session of its own";
  ::kill(info->pid, SIGTERM);
  EXPECT_TRUE(eventually([&] { return !exists(info->pid); }));
}

}  // namespace
}  // namespace e2e
