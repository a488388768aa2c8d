#include "terminal/input.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"

namespace terminal {

namespace asio = boost::asio;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);

// How many bytes the program could read now; 0 if that is unknown.
int unread(const base::Fd& pty) {
  const base::Fd program_side(
      ::ioctl(pty.get(), TIOCGPTPEER, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  int bytes = 0;
  if (program_side) ::ioctl(program_side.get(), FIONREAD, &bytes);
  return bytes;
}

}  // namespace

Input::Input(asio::any_io_executor executor, base::Fd pty, std::size_t limit,
             const base::Clock& clock, std::function<void(std::uint64_t)> left_out,
             journal::InputLog log)
    : executor_(executor),
      pty_(std::move(pty)),
      limit_(limit),
      log_(std::move(log)),
      clock_(clock),
      left_out_(std::move(left_out)),
      tasks_(executor) {}

void Input::start() {
  if (log_.waiting() == 0) return;
  if (pty_)
    add(typed_, {.bytes = {}, .logged = log_.waiting(), .written = {}});
  else
    log_.forget_waiting();
}

base::Status Input::may_type(std::size_t size) const {
  if (!pty_) return base::fail(base::Code::unavailable, "the terminal no longer accepts input");
  if (typed_.bytes > 0 && typed_.bytes + size > limit_)
    return base::fail(
        base::Code::too_large,
        std::to_string(typed_.bytes) + " bytes of input are already waiting for the program",
        "Try again after the program has read some.");
  return {};
}

base::Status Input::write(std::string_view bytes) {
  if (auto may = may_type(bytes.size()); !may) return may;
  add(typed_, {.bytes = std::string(bytes), .written = {}});
  return {};
}

base::Status Input::write_once(journal::KeyedInput input, std::string_view bytes) {
  if (auto may = may_type(bytes.size()); !may) return may;
  if (auto accepted = log_.accept(std::move(input), bytes); !accepted) return accepted;
  if (!bytes.empty()) add(typed_, {.bytes = {}, .logged = bytes.size(), .written = {}});
  return {};
}

void Input::reply(std::string_view bytes, std::function<void()> written) {
  if (!pty_) return;
  if (replies_.bytes > 0 && replies_.bytes + bytes.size() > kMostReplies) return leave_out();
  add(replies_, {.bytes = std::string(bytes), .written = std::move(written)});
}

void Input::leave_out() {
  ++replies_left_out_;
  const base::MonotonicTime now = clock_.now();
  if (told_ && now - *told_ < kTellEvery) return;
  told_ = now;
  left_out_(std::exchange(replies_left_out_, 0));
}

void Input::add(Queue& queue, Chunk chunk) {
  queue.bytes += chunk.left();
  queue.chunks.push_back(std::move(chunk));
  flush_and_go_on();
}

void Input::flush_and_go_on() {
  if (waits_for_room_) return;
  const Progress progress = flush();
  if (progress == Progress::full) {
    waits_for_room_ = true;
    tasks_.spawn([this] { return wait_for_room(); });
  } else if (progress == Progress::unread && !std::exchange(waits_for_reader_, true)) {
    tasks_.spawn([this] { return wait_for_reader(); });
  }
}

// Typed input goes first, but not into the middle of a reply.
Input::Queue* Input::next() {
  const bool in_reply = !replies_.chunks.empty() && replies_.chunks.front().done > 0;
  if (!typed_.chunks.empty() && !in_reply) return &typed_;
  return replies_.chunks.empty() ? nullptr : &replies_;
}

bool Input::may_reply() {
  if (replied_ < kRepliesATime || replies_.chunks.front().done > 0) return true;
  const base::MonotonicTime now = clock_.now();
  if (looked_ && now - *looked_ < kLookEvery) return false;
  looked_ = now;
  if (unread(pty_) > kMostUnread) {
    look_after_ = std::min(2 * look_after_, kLookSeldom);
    return false;
  }
  look_after_ = kLookEvery;
  replied_ = 0;
  return true;
}

ssize_t Input::write_some(const Chunk& chunk) {
  if (chunk.logged > 0) return log_.type(pty_, chunk.left());
  return ::write(pty_.get(), chunk.bytes.data() + chunk.done, chunk.left());
}

void Input::hang_up() {
  base::log(base::Level::info, "a terminal no longer accepts input",
            {{"error", base::errno_error(errno, "write to the PTY")}});
  typed_ = {};
  replies_ = {};
  log_.forget_waiting();
  pty_.reset();
}

Input::Progress Input::flush() {
  while (Queue* const queue = next()) {
    if (queue == &replies_ && !may_reply()) return Progress::unread;
    Chunk& chunk = queue->chunks.front();
    const ssize_t count = write_some(chunk);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return Progress::full;
    if (count < 0) {
      hang_up();
      return Progress::gone;
    }
    const auto size = static_cast<std::size_t>(count);
    chunk.done += size;
    queue->bytes -= size;
    if (queue == &replies_) replied_ += size;
    if (chunk.left() > 0) continue;
    const auto written = std::move(chunk.written);
    queue->chunks.pop_front();
    if (written) written();
  }
  return Progress::done;
}

asio::awaitable<void> Input::wait_for_room() {
  // Watch the PTY only while input waits: watching it wakes this process at every output, too.
  auto watched = base::duplicate(pty_);
  if (!watched) {
    base::log(base::Level::error, "cannot watch a PTY; its input is stuck",
              {{"error", watched.error()}});
    waits_for_room_ = false;
    co_return;
  }
  asio::posix::stream_descriptor writable(executor_, watched->release());
  const auto [error] =
      co_await writable.async_wait(asio::posix::stream_descriptor::wait_write, kNoThrow);
  waits_for_room_ = false;
  if (!error) flush_and_go_on();
}

asio::awaitable<void> Input::wait_for_reader() {
  asio::steady_timer timer(executor_, look_after_);
  const auto [error] = co_await timer.async_wait(kNoThrow);
  waits_for_reader_ = false;
  if (!error) flush_and_go_on();
}

void Input::set_size(int rows, int cols) {
  const winsize size{.ws_row = static_cast<unsigned short>(rows),
                     .ws_col = static_cast<unsigned short>(cols),
                     .ws_xpixel = 0,
                     .ws_ypixel = 0};
  if (pty_) ::ioctl(pty_.get(), TIOCSWINSZ, &size);
}

pid_t Input::foreground_group() const {
  return pty_ ? ::tcgetpgrp(pty_.get()) : 0;
}

asio::awaitable<void> Input::stop() {
  tasks_.cancel();
  co_await tasks_.join();
}

}  // namespace terminal
