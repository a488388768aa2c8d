// What runs in a terminal runs as the user whose daemon it is. It can use its terminals; it must
// not read the daemon's and the keeper's memory, where other sessions' output and everybody's
// tokens are, take their sockets, or write to the terminal of whoever looks.

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "attacks/attacks_fixture.h"
#include "base/fd.h"

namespace attacks {
namespace {

class SameUserTest : public AttackTest {
 protected:
  void SetUp() override {
    AttackTest::SetUp();
    daemon_.emplace(as(victim(), e2e::serve_command(victims_dir() / "state", runtime())),
                    environment(runtime()));
    ASSERT_TRUE(e2e::eventually([&] {
      const auto told = call({e2e::kKeeperProgram, "--status"}, runtime()).output;
      const auto owner = told.find("daemon pid ");
      if (owner == std::string::npos || !std::filesystem::exists(runtime() / "control.sock"))
        return false;
      keeper_ = std::stoi(told.substr(told.find(", pid ") + 6));
      return std::stoi(told.substr(owner + 11)) == daemon_->pid();
    }));
  }
  void TearDown() override {
    const auto stopped = call({e2e::kDaemonProgram, "stop", "--all", "--yes"}, runtime());
    EXPECT_EQ(stopped.status, 0) << stopped.output;
    AttackTest::TearDown();
  }
  [[nodiscard]] std::filesystem::path runtime() const { return victims_dir() / "run"; }

  // Whether that works, done as the victim in a process of its own.
  [[nodiscard]] bool works(const std::function<bool()>& attempt) const {
    const pid_t child = ::fork();
    if (child == 0) {
      if (::geteuid() != victim() && (::setgid(victim()) < 0 || ::setuid(victim()) < 0)) ::_exit(2);
      ::_exit(attempt() ? 0 : 1);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    return WEXITSTATUS(status) == 0;
  }

  void expect_closed(pid_t pid) const {
    const std::string proc = "/proc/" + std::to_string(pid) + "/";
    for (const char* file : {"mem", "environ", "maps", "auxv", "fd", "exe"})
      EXPECT_FALSE(works([&] { return base::Fd(::open((proc + file).c_str(), O_RDONLY)).valid(); }))
          << proc << file;
    EXPECT_FALSE(works([&] { return ::ptrace(PTRACE_ATTACH, pid, nullptr, nullptr) == 0; }));
    EXPECT_FALSE(works([&] {
      const base::Fd handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
      return ::syscall(SYS_pidfd_getfd, handle.get(), 3, 0) >= 0;
    }));
  }

  pid_t keeper_ = 0;
  std::optional<Process> daemon_;
};

// Root looks into everything.
class OrdinaryUserTest : public SameUserTest {};

TEST_P(OrdinaryUserTest, CannotLookIntoTheDaemonOrTheKeeper) {
  const Process other(as(victim(), {"/bin/sleep", "1000"}));
  const std::string environ = "/proc/" + std::to_string(other.pid()) + "/environ";
  ASSERT_TRUE(e2e::eventually([&] {
    return works([&] { return base::Fd(::open(environ.c_str(), O_RDONLY)).valid(); });
  })) << "the question makes sense";
  expect_closed(daemon_->pid());
  expect_closed(keeper_);
  const auto upgraded = call({e2e::kDaemonProgram, "upgrade"}, runtime());
  ASSERT_EQ(upgraded.status, 0) << upgraded.output;
  expect_closed(daemon_->pid());
  expect_closed(keeper_);
}

// `holdfast run` printed what a program or an extension said as it came.
TEST_P(SameUserTest, WhatACommandSaysDoesNotActOnTheTerminal) {
  const std::string command = e2e::kDaemonProgram.native() +
                              " run main '! printf \"\\033]0;owned\\007\\302\\2332J done\\n\"'";
  const auto shown = call({"/usr/bin/script", "-qec", command, "/dev/null"}, runtime());
  EXPECT_EQ(shown.status, 0) << shown.output;
  EXPECT_NE(shown.output.find("\\x1b]0;owned\\x07\\u009b2J done\r\n"), std::string::npos)
      << testing::PrintToString(shown.output);
  EXPECT_EQ(shown.output.find('\x1b'), std::string::npos) << testing::PrintToString(shown.output);
  const auto piped = call({e2e::kDaemonProgram, "run", "main", "! printf '\\033[1m'"}, runtime());
  EXPECT_NE(piped.output.find("\x1b[1m"), std::string::npos) << "a pipe gets every byte";
}

INSTANTIATE_TEST_SUITE_P(Attacks, OrdinaryUserTest, testing::Values(victims().back()), name_of);
INSTANTIATE_TEST_SUITE_P(Attacks, SameUserTest, testing::ValuesIn(victims()), name_of);

}  // namespace
}  // namespace attacks
