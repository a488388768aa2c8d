// Programs that tests start, and what the system says about them.

#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"

namespace e2e {

using std::chrono::milliseconds;
using std::chrono::seconds;

// The programs that are tested: this build's, or those that HOLDFAST_BINARIES names. The tests
// themselves need no sanitizer to find what one finds in the programs.
[[nodiscard]] std::filesystem::path program(const char* name);
inline const std::filesystem::path kKeeperProgram = program("holdfast-keeper");
inline const std::filesystem::path kDaemonProgram = program("holdfast");

// Waits until `condition` holds. The deadline is for bugs: no test waits for a time to pass.
[[nodiscard]] bool eventually(const std::function<bool()>& condition,
                              milliseconds deadline = seconds(20));

// A program started by a test; killed and waited for at the end.
class Process {
 public:
  struct Outcome {
    int status = 0;  // As waitpid gives it.
    std::string output;
  };

  // Runs `argv` with its output captured.
  explicit Process(const std::vector<std::string>& argv, const std::vector<std::string>& env = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  void signal(int number) const;
  // Waits for its end.
  Outcome wait();
  [[nodiscard]] bool is_running();

 private:
  pid_t pid_ = 0;
  base::Fd output_;
  std::optional<int> status_;
};

// `holdfast serve` that touches nothing outside these directories, and takes a free port.
[[nodiscard]] std::vector<std::string> serve_command(const std::filesystem::path& state_dir,
                                                     const std::filesystem::path& runtime_dir,
                                                     const std::vector<std::string>& options = {});

// What /proc says.
[[nodiscard]] std::size_t open_descriptors(pid_t pid);
[[nodiscard]] std::vector<pid_t> children_of(pid_t pid);  // Zombies too.
[[nodiscard]] bool exists(pid_t pid);                     // Not as a zombie.
[[nodiscard]] std::string proc_file(pid_t pid, const std::string& name);

}  // namespace e2e
