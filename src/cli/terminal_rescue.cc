#include "cli/terminal_rescue.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace cli {
namespace {

// All that end a process by default and that `attach` does not handle itself.
constexpr std::array kSignals{SIGABRT, SIGALRM, SIGBUS,  SIGFPE,  SIGILL,  SIGPIPE, SIGSEGV,
                              SIGSYS,  SIGTRAP, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};
constexpr int kPatienceMs = 1000;
// The stack may be what has overflowed.
constexpr std::size_t kStackSize = 64 * 1024;

Rescue rescue;                               // NOLINT: a handler has no other way to it.
std::array<char, kStackSize> handler_stack;  // NOLINT: the same.

void write_goodbye() {
  const char* at = rescue.goodbye.data();
  const char* const end = at + rescue.goodbye.size();
  while (at < end) {
    const ssize_t written = ::write(rescue.output.fd, at, static_cast<std::size_t>(end - at));
    if (written > 0) at += written;
    if (written >= 0 || errno == EINTR) continue;
    pollfd writable{.fd = rescue.output.fd, .events = POLLOUT, .revents = 0};
    if (errno != EAGAIN || ::poll(&writable, 1, kPatienceMs) <= 0) return;
  }
}

void restore(const Rescue::End& end) {
  if (end.flags) (void)::fcntl(end.fd, F_SETFL, *end.flags);
}

// SA_RESETHAND: the signal does its default when it comes again, which is when this returns.
void restore_terminal(int number) {
  write_goodbye();
  (void)::tcflush(rescue.input.fd, TCIFLUSH);
  (void)::tcsetattr(rescue.input.fd, TCSANOW, &rescue.before);
  restore(rescue.input);
  restore(rescue.output);
  (void)::raise(number);
}

void handle_all(void (*handler)(int), int flags) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  // One rescue is enough.
  if (handler != SIG_DFL) (void)::sigfillset(&action.sa_mask);
  for (const int number : kSignals) (void)::sigaction(number, &action, nullptr);
}

}  // namespace

void rescue_terminal(Rescue wanted) {
  rescue_no_terminal();
  rescue = std::move(wanted);
  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  (void)::sigaltstack(&stack, nullptr);
  handle_all(restore_terminal, SA_ONSTACK | SA_RESETHAND);
}

void rescue_no_terminal() {
  handle_all(SIG_DFL, 0);
}

}  // namespace cli
