// This process, as the kernel shows it to others, and other processes, as the kernel shows them.

#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace base {

// Sets the name in process lists. After fexecve that would be the descriptor's number.
void name_process(const char* name);

// Lets only root attach to this process, read its memory, descriptors or environment, or get its
// core dump. That keeps out the programs in its terminals, which run as the same user. Call it
// again after every exec.
void close_to_debuggers();

// Another process, held by a pidfd. Its pid may come to mean another process once it has ended; the
// descriptor never does. What has to be true of the process is checked after opening it.
class Process {
 public:
  // `not_found` if there is none.
  [[nodiscard]] static Result<Process> open(pid_t pid);

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] const Fd& descriptor() const { return descriptor_; }  // Readable once it has ended.

  // No error if it has ended.
  [[nodiscard]] Status signal(int number) const;
  // Whether it ends within that time.
  [[nodiscard]] bool has_ended(std::chrono::milliseconds limit = {}) const;

 private:
  Process(pid_t pid, Fd descriptor) : pid_(pid), descriptor_(std::move(descriptor)) {}

  pid_t pid_;
  Fd descriptor_;
};

// What /proc/PID/stat tells.
struct ProcessStat {
  char state = 0;
  int threads = 0;
  std::string started;  // In clock ticks since the machine started.

  // Its main thread has ended; others may still run.
  [[nodiscard]] bool is_zombie() const { return state == 'Z' || state == 'X'; }
};
// `not_found` if there is no such process.
[[nodiscard]] Result<ProcessStat> stat_of(pid_t pid);

}  // namespace base
