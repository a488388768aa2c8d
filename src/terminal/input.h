// What is typed into a terminal, on its way to the PTY.
//
// Written at once as far as the PTY takes it; the rest waits in order, up to a bound. Nothing is
// dropped in silence: what does not fit is refused whole, before any of it is written.

#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/fd.h"
#include "base/result.h"
#include "base/task_scope.h"

namespace terminal {

class Input {
 public:
  // `pty` is the non-blocking PTY master; it may be invalid, and then nothing can be typed.
  Input(boost::asio::any_io_executor executor, base::Fd pty, std::size_t limit);

  // `too_large` if more than the limit would wait, `unavailable` if nobody can read it any more.
  // `written` is called when the last byte has gone.
  [[nodiscard]] base::Status write(std::string_view bytes, std::function<void()> written = {});
  [[nodiscard]] std::size_t waiting() const { return waiting_; }
  // The PTY's size: a program that has the terminal in the foreground is told by SIGWINCH if it
  // changed.
  void set_size(int rows, int cols);

  // The process group in the foreground; 0 or less if there is none.
  [[nodiscard]] pid_t foreground_group() const;

  // Ends what it started; what still waits is lost.
  boost::asio::awaitable<void> stop();

 private:
  struct Chunk {
    std::string bytes;
    std::size_t done = 0;
    std::function<void()> written;
  };
  enum class Progress { done, blocked, gone };
  [[nodiscard]] Progress flush();
  boost::asio::awaitable<void> flush_when_writable();

  boost::asio::any_io_executor executor_;
  base::Fd pty_;
  std::size_t limit_;
  std::deque<Chunk> chunks_;
  std::size_t waiting_ = 0;
  bool flushing_ = false;
  base::TaskScope tasks_;
};

}  // namespace terminal
