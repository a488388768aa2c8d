// A process that does nothing, for tests that end processes.

#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace extension {

class SleepingProcess {
 public:
  SleepingProcess() {
    std::string name = "sleep";
    std::string time = "1000";
    char* const argv[] = {name.data(), time.data(), nullptr};
    EXPECT_EQ(::posix_spawn(&pid_, "/bin/sleep", nullptr, nullptr, argv, ::environ), 0);
  }
  ~SleepingProcess() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  SleepingProcess(const SleepingProcess&) = delete;
  SleepingProcess& operator=(const SleepingProcess&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  // It stays a zombie, so its pid is not used again.
  [[nodiscard]] bool has_ended() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == pid_;
  }

 private:
  pid_t pid_ = -1;
};

}  // namespace extension
