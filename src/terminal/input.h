// Input on its way to the PTY.
//
// It is written at once as far as the PTY accepts it. The rest waits in order, up to a limit. Typed
// input is never dropped silently: what does not fit is refused whole, before any of it is written.
//
// Replies to a program's queries wait in a small queue of their own, behind typed input. A program
// that queries without reading gets no more replies. Replies never fill the PTY either: when a
// terminal is not in line mode, the kernel does not look at Ctrl-C while its 4 KiB buffer is full.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"
#include "base/task_scope.h"

namespace terminal {

class Input {
 public:
  static constexpr std::size_t kMostReplies = 4096;  // bytes that wait
  static constexpr std::chrono::minutes kTellEvery{1};
  // How many bytes of replies may be sent before checking whether the program reads them, and how
  // often to check. The kernel delivers what is written a little later, so checking at once would
  // tell nothing.
  static constexpr std::size_t kRepliesATime = 1024;
  static constexpr std::chrono::milliseconds kLookEvery{10};
  static constexpr std::chrono::milliseconds kLookSeldom{1000};
  static constexpr int kMostUnread = 2048;

  // `pty` is the non-blocking PTY master. If it is invalid, nothing can be typed. `left_out` is
  // called at most once every kTellEvery, with the number of replies left out since the last call.
  Input(boost::asio::any_io_executor executor, base::Fd pty, std::size_t limit,
        const base::Clock& clock, std::function<void(std::uint64_t replies)> left_out);

  // Fails with `too_large` if more than the limit would wait, and with `unavailable` if nobody can
  // read it any more.
  [[nodiscard]] base::Status write(std::string_view bytes);
  // Calls `written` after writing the last byte, or never if the reply is left out.
  void reply(std::string_view bytes, std::function<void()> written);
  [[nodiscard]] std::size_t waiting() const { return typed_.bytes; }
  [[nodiscard]] std::size_t replies_waiting() const { return replies_.bytes; }
  // Sets the PTY's size. If it changes, the foreground program gets SIGWINCH.
  void set_size(int rows, int cols);

  // The process group in the foreground; 0 or less if there is none.
  [[nodiscard]] pid_t foreground_group() const;

  // Input that still waits is lost.
  boost::asio::awaitable<void> stop();

 private:
  struct Chunk {
    std::string bytes;
    std::size_t done = 0;
    std::function<void()> written;
  };
  struct Queue {
    std::deque<Chunk> chunks;
    std::size_t bytes = 0;  // not written yet
  };
  enum class Progress { done, full, unread, gone };
  void add(Queue& queue, std::string_view bytes, std::function<void()> written);
  [[nodiscard]] Queue* next();
  [[nodiscard]] bool may_reply();
  [[nodiscard]] Progress flush();
  void flush_and_go_on();
  boost::asio::awaitable<void> wait_for_room();
  boost::asio::awaitable<void> wait_for_reader();
  void leave_out();

  boost::asio::any_io_executor executor_;
  base::Fd pty_;
  std::size_t limit_;
  Queue typed_;
  Queue replies_;
  bool waits_for_room_ = false;
  bool waits_for_reader_ = false;
  std::size_t replied_ = 0;  // bytes since it was looked whether they are read
  std::optional<base::MonotonicTime> looked_;
  std::chrono::milliseconds look_after_ = kLookEvery;

  const base::Clock& clock_;
  std::function<void(std::uint64_t)> left_out_;
  std::uint64_t replies_left_out_ = 0;  // since the last call of `left_out_`
  std::optional<base::MonotonicTime> told_;
  base::TaskScope tasks_;
};

}  // namespace terminal
