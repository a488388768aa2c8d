#include "base/fd.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace base {

void Fd::reset(int fd) {
  // Linux releases the descriptor even when close reports EINTR, so it is never closed twice.
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

Result<Fd> duplicate(const Fd& fd) {
  Fd copy(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0));
  if (!copy) return fail(errno_error(errno, "duplicate a descriptor"));
  return copy;
}

Status set_on_exec(const Fd& fd, OnExec what) {
  if (::fcntl(fd.get(), F_SETFD, what == OnExec::close ? FD_CLOEXEC : 0) < 0)
    return fail(errno_error(errno, "set close-on-exec"));
  return {};
}

Status set_nonblocking(const Fd& fd) {
  const int flags = ::fcntl(fd.get(), F_GETFL);
  if (flags < 0 || ::fcntl(fd.get(), F_SETFL, flags | O_NONBLOCK) < 0)
    return fail(errno_error(errno, "set a descriptor non-blocking"));
  return {};
}

}  // namespace base
