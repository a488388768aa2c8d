// Input on its way to the PTY.
//
// It is written at once as far as the PTY accepts it. The rest waits in order, up to a limit. Typed
// input is never dropped silently: what does not fit is refused whole, before any of it is written.
//
// Input with a key is in the journal's input log from the moment it is accepted. A successor types
// what this daemon did not, and nothing twice (journal/input_log.h).
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
#include "journal/input_log.h"

namespace terminal {

inline constexpr std::size_t kLongestKey = journal::kLongestInputKey;
inline constexpr std::size_t kLongestHolder = journal::kLongestHolder;

// How a program types.
struct ProgramInput {
  std::string lease{};          // Empty: it has none.
  journal::KeyedInput keyed{};  // Typed once, also if this daemon dies. Without a key: as it is.
};

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
  // What waits in the log is typed first; call `start`.
  Input(boost::asio::any_io_executor executor, base::Fd pty, std::size_t limit,
        const base::Clock& clock, std::function<void(std::uint64_t replies)> left_out,
        journal::InputLog log = {});

  // Types what an earlier daemon accepted.
  void start();

  // Fails with `too_large` if more than the limit would wait, and with `unavailable` if the
  // program can no longer read it.
  [[nodiscard]] base::Status write(std::string_view bytes);
  // The same, for input that is typed once, whatever happens to this process after it returned.
  [[nodiscard]] base::Status write_once(journal::KeyedInput input, std::string_view bytes);
  [[nodiscard]] const journal::KeyedInput* accepted(std::string_view key) const {
    return log_.find(key);
  }
  // Calls `written` after writing the last byte, or never if the reply is left out.
  void reply(std::string_view bytes, std::function<void()> written);
  [[nodiscard]] std::size_t waiting() const { return typed_.bytes; }
  [[nodiscard]] std::size_t replies_waiting() const { return replies_.bytes; }
  // Sets the PTY's size. If it changes, the foreground program gets SIGWINCH.
  void set_size(int rows, int cols);

  // The process group in the foreground; 0 or less if there is none.
  [[nodiscard]] pid_t foreground_group() const;

  // Input that still waits is lost, unless it has a key.
  boost::asio::awaitable<void> stop();

 private:
  struct Chunk {
    std::string bytes;       // Empty if they are the next ones in the log.
    std::size_t logged = 0;  // How many are there.
    std::size_t done = 0;
    std::function<void()> written;
    [[nodiscard]] std::size_t left() const { return bytes.size() + logged - done; }
  };
  struct Queue {
    std::deque<Chunk> chunks;
    std::size_t bytes = 0;  // not written yet
  };
  enum class Progress { done, full, unread, gone };
  [[nodiscard]] base::Status may_type(std::size_t size) const;
  void add(Queue& queue, Chunk chunk);
  [[nodiscard]] ssize_t write_some(const Chunk& chunk);
  void hang_up();
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
  journal::InputLog log_;
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
