// Fd owns a file descriptor and closes it. Every descriptor in this project is held by one.

#pragma once

#include <utility>

#include "base/result.h"

namespace base {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept {
    reset(other.release());
    return *this;
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool valid() const { return fd_ >= 0; }
  explicit operator bool() const { return valid(); }

  [[nodiscard]] int release() { return std::exchange(fd_, -1); }
  void reset(int fd = -1);

 private:
  int fd_ = -1;
};

// A second descriptor for the same open file, close-on-exec.
[[nodiscard]] Result<Fd> duplicate(const Fd& fd);

enum class OnExec { close, keep };
[[nodiscard]] Status set_on_exec(const Fd& fd, OnExec what);
[[nodiscard]] Status set_nonblocking(const Fd& fd);

}  // namespace base
