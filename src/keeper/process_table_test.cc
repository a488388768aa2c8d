#include "keeper/process_table.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

namespace keeper {
namespace {

// Starts a session leader that waits to be killed. Returns once it is waiting.
pid_t start_session() {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::setsid();
    (void)!::write(ends[1], "x", 1);
    for (;;) ::pause();
  }
  char byte = 0;
  EXPECT_EQ(::read(ends[0], &byte, 1), 1);
  ::close(ends[0]);
  ::close(ends[1]);
  return pid;
}

TEST(ProcessTableTest, FindsTheMembersOfASessionAndNoZombies) {
  const pid_t leader = start_session();
  EXPECT_EQ(*members_of_session(leader), std::vector<pid_t>{leader});
  signal_member(leader, leader, SIGKILL);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(leader), &info, WEXITED | WNOWAIT), 0);
  EXPECT_TRUE(members_of_session(leader)->empty()) << "it has ended but has not been reaped";
  ::waitpid(leader, nullptr, 0);
}

TEST(ProcessTableTest, KillsNobodyOutsideTheSession) {
  const pid_t leader = start_session();
  const pid_t other = start_session();
  signal_member(other, leader, SIGKILL);
  signal_member(::getpid(), leader, SIGKILL);
  EXPECT_FALSE(members_of_session(other)->empty());
  for (const pid_t pid : {leader, other}) {
    signal_member(pid, pid, SIGKILL);
    int status = 0;
    ::waitpid(pid, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
  }
}

}  // namespace
}  // namespace keeper
