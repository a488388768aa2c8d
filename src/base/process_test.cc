#include "base/process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace base {
namespace {

// A child that waits to be killed, under a name that looks like the end of a name and more fields.
pid_t start_idler() {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    name_process("a) Z 1 2");
    (void)!::write(ends[1], "x", 1);
    for (;;) ::pause();
  }
  char ready = 0;
  EXPECT_EQ(::read(ends[0], &ready, 1), 1);
  for (const int end : ends) ::close(end);
  return pid;
}

TEST(ProcessTest, IsSignalledAndItsEndIsSeen) {
  const pid_t pid = start_idler();
  const auto process = Process::open(pid);
  ASSERT_TRUE(process);
  EXPECT_EQ(process->pid(), pid);
  EXPECT_FALSE(process->has_ended());
  ASSERT_TRUE(process->signal(SIGKILL));
  EXPECT_TRUE(process->has_ended(std::chrono::seconds(20)));
  ASSERT_EQ(::waitpid(pid, nullptr, 0), pid);
  EXPECT_TRUE(process->signal(SIGKILL)) << "it has ended, which is what was wanted";
}

TEST(ProcessTest, OneThatIsGoneIsNotFound) {
  const pid_t pid = start_idler();
  ASSERT_EQ(::kill(pid, SIGKILL), 0);
  ASSERT_EQ(::waitpid(pid, nullptr, 0), pid);
  const auto process = Process::open(pid);
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().code, Code::not_found);
  const auto stat = stat_of(pid);
  ASSERT_FALSE(stat);
  EXPECT_EQ(stat.error().code, Code::not_found);
}

TEST(ProcessTest, ItsStatIsReadWhateverItIsCalled) {
  const pid_t pid = start_idler();
  const auto alive = stat_of(pid);
  ASSERT_TRUE(alive);
  EXPECT_FALSE(alive->is_zombie());
  EXPECT_EQ(alive->threads, 1);
  const auto mine = stat_of(::getpid());
  ASSERT_TRUE(mine);
  EXPECT_GE(std::stoull(alive->started), std::stoull(mine->started));

  ASSERT_EQ(::kill(pid, SIGKILL), 0);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT), 0);
  const auto dead = stat_of(pid);
  ASSERT_TRUE(dead);
  EXPECT_TRUE(dead->is_zombie()) << "nobody has waited for it yet";
  EXPECT_EQ(dead->started, alive->started);
  ASSERT_EQ(::waitpid(pid, nullptr, 0), pid);
}

}  // namespace
}  // namespace base
