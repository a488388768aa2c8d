#include "cli/outer_terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "cli/terminal_rescue.h"
#include "wire/limits.h"

namespace cli {
namespace {

// How long to wait for a terminal that takes no more: its other end may be gone for good.
constexpr int kPatienceMs = 1000;
// Below the last row of any terminal, whatever its size is when it is rescued.
constexpr int kBottom = 9999;

}  // namespace

// Opens the terminal a second time, because O_NONBLOCK belongs to the open file, which is shared
// with the shell. Whoever has become another user (su) may use the terminal but not open it.
base::Result<OuterTerminal::End> OuterTerminal::own(int shared) {
  const std::string path = "/proc/self/fd/" + std::to_string(shared);
  base::Fd fd(::open(path.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  if (fd) return End{.fd = std::move(fd), .flags = {}};
  fd.reset(::fcntl(shared, F_DUPFD_CLOEXEC, 0));
  const int flags = ::fcntl(shared, F_GETFL);
  if (!fd || flags < 0) return base::fail(base::errno_error(errno, "use the terminal"));
  return End{.fd = std::move(fd), .flags = flags};
}

base::Result<std::unique_ptr<OuterTerminal>> OuterTerminal::open() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO})
    if (::isatty(fd) != 1)
      return base::fail(base::Code::invalid_argument,
                        std::string("standard ") + (fd == STDIN_FILENO ? "input" : "output") +
                            " is not a terminal",
                        "Run this in a terminal; with ssh, use: ssh -t HOST holdfast attach");
  termios before{};
  if (::tcgetattr(STDIN_FILENO, &before) != 0)
    return base::fail(base::errno_error(errno, "read the terminal's settings"));
  auto input = own(STDIN_FILENO);
  if (!input) return base::fail(input.error());
  auto output = own(STDOUT_FILENO);
  if (!output) return base::fail(output.error());
  return std::unique_ptr<OuterTerminal>(
      new OuterTerminal(std::move(*input), std::move(*output), before));
}

OuterTerminal::~OuterTerminal() {
  leave();
}

base::Status OuterTerminal::enter() {
  // A process in the background may restore its terminal too.
  (void)::signal(SIGTTOU, SIG_IGN);
  termios raw = before_;
  ::cfmakeraw(&raw);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  if (::tcsetattr(input_.fd.get(), TCSANOW, &raw) != 0)
    return base::fail(base::errno_error(errno, "change the terminal's settings"));
  entered_ = true;
  rescue_terminal({.input = {.fd = input_.fd.get(), .flags = input_.flags},
                   .output = {.fd = output_.fd.get(), .flags = output_.flags},
                   .before = before_,
                   .goodbye = goodbye({.cols = size().cols, .rows = kBottom})});
  for (const End* end : {&input_, &output_})
    if (end->flags)
      if (auto set = base::set_nonblocking(end->fd); !set) return set;
  return {};
}

void OuterTerminal::leave() {
  if (!entered_) return;
  entered_ = false;
  if (drawn_on_) write_now(goodbye(size()));
  drawn_on_ = false;
  // Keys and mouse reports that were meant for the program are not for the shell.
  (void)::tcflush(input_.fd.get(), TCIFLUSH);
  (void)::tcsetattr(input_.fd.get(), TCSANOW, &before_);
  for (const End* end : {&input_, &output_})
    if (end->flags) (void)::fcntl(end->fd.get(), F_SETFL, *end->flags);
  rescue_no_terminal();
}

OuterSize OuterTerminal::size() const {
  winsize size{};
  if (::ioctl(output_.fd.get(), TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
    return {};
  return {.cols = std::min<int>(size.ws_col, wire::kMaxCols),
          .rows = std::min<int>(size.ws_row, wire::kMaxRows)};
}

void OuterTerminal::write_now(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::write(output_.fd.get(), bytes.data(), bytes.size());
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
    if (written >= 0 || errno == EINTR) continue;
    pollfd writable{.fd = output_.fd.get(), .events = POLLOUT, .revents = 0};
    if (errno != EAGAIN || ::poll(&writable, 1, kPatienceMs) <= 0) return;
  }
}

}  // namespace cli
