// A trial of a program that is to replace this one: it is run beside it, checks whether it could
// take over, and says so by its exit code. A program that cannot then costs an error message and
// nothing else.
//
// Invariants
// 1. The program that is tried is the open file that will be executed.
// 2. It gets standard input, output and error, and the descriptors that it is given; no others.
// 3. It does not outlive its Trial.

#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/process.h"
#include "base/program.h"
#include "base/result.h"

namespace base {

class Trial {
 public:
  struct Setup {
    std::vector<std::string> argv;
    const Fd* input = nullptr;  // Its standard input. None: /dev/null.
    std::vector<int> kept;      // Descriptors that it gets under the same numbers.
  };

  [[nodiscard]] static Result<Trial> start(const Program& program, const Setup& setup);
  Trial(Trial&& other) noexcept = default;
  Trial& operator=(Trial&&) = delete;
  Trial(const Trial&) = delete;
  ~Trial();

  // To wait for its end, on a loop or right here.
  [[nodiscard]] const Process& process() const { return process_; }

  // Call it once, when the trial has ended or its time is up (`timed_out`). Returns the last line
  // of its output, or fails with what it wrote to standard error. Other output, a library's warning
  // for example, matters only if the trial fails.
  [[nodiscard]] Result<std::string> outcome();

 private:
  Trial(Process process, Fd output, Fd errors)
      : process_(std::move(process)), output_(std::move(output)), errors_(std::move(errors)) {}

  Process process_;
  Fd output_;
  Fd errors_;
  bool is_reaped_ = false;
};

}  // namespace base
