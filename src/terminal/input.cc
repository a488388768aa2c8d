#include "terminal/input.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"

namespace terminal {

namespace asio = boost::asio;

Input::Input(asio::any_io_executor executor, base::Fd pty, std::size_t limit)
    : executor_(executor), pty_(std::move(pty)), limit_(limit), tasks_(executor) {}

base::Status Input::write(std::string_view bytes, std::function<void()> written) {
  if (!pty_) return base::fail(base::Code::unavailable, "the terminal takes no input any more");
  if (waiting_ > 0 && waiting_ + bytes.size() > limit_)
    return base::fail(base::Code::too_large,
                      std::to_string(waiting_) + " bytes of input wait for the program already",
                      "Send it again when the program has read some.");
  waiting_ += bytes.size();
  chunks_.push_back({.bytes = std::string(bytes), .written = std::move(written)});
  if (!flushing_ && flush() == Progress::blocked) {
    flushing_ = true;
    tasks_.spawn([this]() -> asio::awaitable<void> { co_await flush_when_writable(); });
  }
  return {};
}

Input::Progress Input::flush() {
  while (!chunks_.empty()) {
    Chunk& chunk = chunks_.front();
    const ssize_t count =
        ::write(pty_.get(), chunk.bytes.data() + chunk.done, chunk.bytes.size() - chunk.done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return Progress::blocked;
    if (count < 0) {
      base::log(base::Level::info, "a terminal takes no more input",
                {{"error", base::errno_error(errno, "write to the PTY")}});
      chunks_.clear();
      waiting_ = 0;
      pty_.reset();
      return Progress::gone;
    }
    chunk.done += static_cast<std::size_t>(count);
    waiting_ -= static_cast<std::size_t>(count);
    if (chunk.done < chunk.bytes.size()) continue;
    const auto written = std::move(chunk.written);
    chunks_.pop_front();
    if (written) written();
  }
  return Progress::done;
}

asio::awaitable<void> Input::flush_when_writable() {
  // Only now and for so long: a watched PTY would wake this process at every output, too.
  auto watched = base::duplicate(pty_);
  if (!watched) {
    base::log(base::Level::error, "input cannot wait for its terminal",
              {{"error", watched.error()}});
    flushing_ = false;
    co_return;
  }
  asio::posix::stream_descriptor writable(executor_, watched->release());
  for (;;) {
    const auto [error] = co_await writable.async_wait(asio::posix::stream_descriptor::wait_write,
                                                      asio::as_tuple(asio::use_awaitable));
    if (error || flush() != Progress::blocked) break;
  }
  flushing_ = false;
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
