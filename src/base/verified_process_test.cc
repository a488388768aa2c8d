#include "base/verified_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace base {
namespace {

// Starts an idle process as that user.
pid_t start_idler(uid_t uid) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (::geteuid() != uid && (::setgid(uid) < 0 || ::setuid(uid) < 0)) ::_exit(1);
    EXPECT_EQ(::write(ends[1], "x", 1), 1);
    for (;;) ::pause();
  }
  char ready = 0;
  EXPECT_EQ(::read(ends[0], &ready, 1), 1);
  for (const int end : ends) ::close(end);
  return pid;
}

TEST(VerifiedProcessTest, IsSignalledAndWaitedFor) {
  const pid_t pid = start_idler(::geteuid());
  const auto process = VerifiedProcess::open(pid);
  ASSERT_TRUE(process && *process);
  EXPECT_EQ((*process)->wait(std::chrono::milliseconds(0)).error().code, Code::timed_out);
  ASSERT_TRUE((*process)->signal(SIGTERM));
  EXPECT_TRUE((*process)->wait(std::chrono::seconds(20)));
  EXPECT_TRUE(VerifiedProcess::open(pid) && !*VerifiedProcess::open(pid)) << "it has ended";
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
  EXPECT_TRUE((*process)->signal(SIGTERM)) << "the pid may have been reused, the pidfd cannot be";
}

TEST(VerifiedProcessTest, AnotherUsersIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to act as another user";
  const pid_t pid = start_idler(54321);
  const auto process = VerifiedProcess::open(pid);
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().code, Code::permission_denied);
  ASSERT_EQ(::kill(pid, SIGKILL), 0);
  ASSERT_EQ(::waitpid(pid, nullptr, 0), pid);
}

}  // namespace
}  // namespace base
