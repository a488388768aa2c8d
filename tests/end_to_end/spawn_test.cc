// What a child finds when it starts: a clean process with a terminal of its own, or a clear reason
// why not.

#include <sys/resource.h>

#include <sstream>

#include "end_to_end/keeper_fixture.h"

namespace e2e {
namespace {

class SpawnTest : public KeeperTest {
 protected:
  // The output of a shell command run as a terminal.
  std::string run(const std::string& command) {
    auto child = owner().spawn("t" + std::to_string(++count_), {"/bin/sh", "-c", command});
    if (!child) return child.error().message();
    return all_output(*child);
  }

 private:
  int count_ = 0;
};

TEST_F(SpawnTest, TheTerminalIsTheChildsControllingTerminal) {
  // Fields 5 to 8 of /proc/PID/stat: process group, session, terminal, foreground group.
  const std::string output =
      run("tty; cut -d' ' -f5-8 /proc/$$/stat; echo $$; echo on /dev/tty >/dev/tty");
  EXPECT_EQ(output.rfind("/dev/pts/", 0), 0U) << output;
  EXPECT_NE(output.find("on /dev/tty"), std::string::npos) << output;
  std::istringstream lines(output);
  std::string tty;
  long group = 0, session = 0, terminal = 0, foreground = 0, pid = 0;
  lines >> tty >> group >> session >> terminal >> foreground >> pid;
  EXPECT_EQ(group, pid);
  EXPECT_EQ(session, pid);
  EXPECT_EQ(foreground, pid);
  EXPECT_NE(terminal, 0);
}

TEST_F(SpawnTest, NoDescriptorIsInherited) {
  // Without a pipe: the shell holds one of its ends for a moment. And not as the last command, in
  // whose place the shell would go.
  EXPECT_EQ(run("ls -m /proc/$$/fd; :"), "0, 1, 2\r\n");
}

TEST_F(SpawnTest, SignalsAreAtTheirDefaults) {
  const std::string output = run("grep -E 'Sig(Blk|Ign|Cgt)' /proc/self/status");
  EXPECT_NE(output.find("SigBlk:\t0000000000000000"), std::string::npos) << output;
  EXPECT_NE(output.find("SigIgn:\t0000000000000000"), std::string::npos) << output;
}

TEST_F(SpawnTest, TheEnvironmentIsTheOneAskedForAndNothingElse) {
  keeper::SpawnRequest request;
  request.id = keeper::ChildId("env");
  request.argv = {"/usr/bin/env"};
  request.env = {"A=1", "PATH=/bin"};
  auto child = owner().spawn(request);
  ASSERT_TRUE(child) << child.error().message();
  EXPECT_EQ(all_output(*child),
            "A=1\r\nPATH=/bin\r\nTERM=xterm-256color\r\nCOLORTERM=truecolor\r\n");
}

TEST_F(SpawnTest, WithoutOneItIsTheKeepersCleaned) {
  Process keeper({kKeeperProgram, "--runtime-dir", dir() / "inner"},
                 {"HOLDFAST_TOKEN=secret", "NOTIFY_SOCKET=/x", "TERM=dumb", "KEEP=me"});
  Client client(dir() / "inner");
  ASSERT_TRUE(eventually([&] { return client.start().has_value(); }));
  auto child = client.spawn("env", {"/usr/bin/env"});
  ASSERT_TRUE(child) << child.error().message();
  const std::string output = all_output(*child);
  EXPECT_EQ(output.find("HOLDFAST"), std::string::npos) << output;
  EXPECT_EQ(output.find("NOTIFY_SOCKET"), std::string::npos) << output;
  EXPECT_NE(output.find("KEEP=me"), std::string::npos) << output;
  EXPECT_NE(output.find("TERM=xterm-256color"), std::string::npos) << output;
  EXPECT_EQ(proc_file(keeper.pid(), "environ").find("secret"), std::string::npos)
      << "children of the same user can read the keeper's environment";
}

TEST_F(SpawnTest, SizeDirectoryAndSettings) {
  keeper::SpawnRequest request;
  request.id = keeper::ChildId("size");
  request.argv = {"/bin/sh", "-c", "stty size; pwd; stty -a | grep -o ' iutf8'; ulimit -Sn"};
  request.cwd = "/usr";
  request.rows = 50;
  request.cols = 132;
  auto child = owner().spawn(request);
  ASSERT_TRUE(child) << child.error().message();
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  EXPECT_EQ(all_output(*child),
            "50 132\r\n/usr\r\n iutf8\r\n" + std::to_string(files.rlim_cur) + "\r\n")
      << "the limit on open files is the user's, not the keeper's raised one";
}

TEST_F(SpawnTest, TheProgramIsFoundInThePathItIsGiven) {
  keeper::SpawnRequest request;
  request.id = keeper::ChildId("path");
  request.argv = {"true"};
  request.env = {"PATH=/nowhere"};
  EXPECT_FALSE(owner().spawn(request));
  request.env = {"PATH=/bin"};
  EXPECT_TRUE(owner().spawn(request));
}

TEST_F(SpawnTest, AProgramThatIsNotThereIsAnErrorWithAReason) {
  const auto child = owner().spawn("none", {"/bin/nosuchshell"});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().sys_errno, ENOENT);
  EXPECT_NE(child.error().message().find("run /bin/nosuchshell: No such file"), std::string::npos)
      << child.error().message();
  EXPECT_EQ(owner().attach("none").error().code, base::Code::not_found)
      << "no dead terminal is left behind";
}

TEST_F(SpawnTest, ADirectoryThatCannotBeEnteredIsAnErrorWithAReason) {
  keeper::SpawnRequest request;
  request.id = keeper::ChildId("t");
  request.argv = {"/bin/sh"};
  request.cwd = "/nowhere";
  const auto child = owner().spawn(request);
  ASSERT_FALSE(child);
  EXPECT_NE(child.error().message().find("enter the directory /nowhere: No such file"),
            std::string::npos);
  request.cwd = "relative";
  EXPECT_EQ(owner().spawn(request).error().code, base::Code::invalid_argument);
  request.cwd = "/";
  EXPECT_TRUE(owner().spawn(request)) << "the id is free again";
}

TEST_F(SpawnTest, AFileThatIsNotExecutableIsAnErrorWithAReason) {
  const auto child = owner().spawn("t", {"/etc/passwd"});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().sys_errno, EACCES);
}

TEST_F(SpawnTest, BadRequestsAreRefused) {
  EXPECT_EQ(owner().spawn("", {"/bin/sh"}).error().code, base::Code::invalid_argument);
  EXPECT_EQ(owner().spawn("a/b", {"/bin/sh"}).error().code, base::Code::invalid_argument);
  EXPECT_EQ(owner().spawn("t", {}).error().code, base::Code::invalid_argument);
  EXPECT_EQ(owner().spawn("t", {""}).error().code, base::Code::invalid_argument);
  EXPECT_EQ(owner().spawn("t", {std::string("a\0b", 3)}).error().code,
            base::Code::invalid_argument);
  keeper::SpawnRequest request;
  request.id = keeper::ChildId("t");
  request.argv = {"/bin/sh"};
  request.rows = 0;
  EXPECT_EQ(owner().spawn(request).error().code, base::Code::invalid_argument);
  request.rows = 24;
  request.replay = std::uint64_t{1} << 40;
  EXPECT_EQ(owner().spawn(request).error().code, base::Code::too_large);
}

TEST_F(SpawnTest, AnIdIsTakenOnce) {
  ASSERT_TRUE(owner().spawn("t", {"/bin/cat"}));
  EXPECT_EQ(owner().spawn("t", {"/bin/cat"}).error().code, base::Code::already_exists);
}

TEST_F(SpawnTest, AnEnvironmentThatIsTooLargeIsAnErrorThatSaysWhatToDo) {
  keeper::SpawnRequest request;
  request.id = keeper::ChildId("t");
  request.argv = {"/bin/sh"};
  request.env = {"BIG=" + std::string(200'000, 'x')};
  const auto child = owner().spawn(request);
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().code, base::Code::too_large);
  EXPECT_NE(child.error().message().find("Shorten"), std::string::npos);
  EXPECT_TRUE(owner().spawn("t", {"/bin/sh"})) << "the connection goes on";
}

TEST_F(SpawnTest, WhatIsTypedReachesTheProgramAndItsEchoComesBack) {
  auto child = owner().spawn("t", {"/bin/cat"});
  ASSERT_TRUE(child);
  type(*child, "hello\n");
  EXPECT_EQ(output_until(*child, "hello\r\nhello\r\n"), "hello\r\nhello\r\n");
}

}  // namespace
}  // namespace e2e
