#include "journal/wakeup.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "base/log.h"

namespace journal {

base::Result<Wakeup> Wakeup::create() {
  base::Fd fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!fd) return base::fail(base::errno_error(errno, "create a wake-up"));
  return Wakeup(std::move(fd));
}

void Wakeup::signal() const {
  const std::uint64_t one = 1;
  // EAGAIN means that the counter is full, so the other side has already been woken.
  if (::write(fd_.get(), &one, sizeof one) < 0 && errno != EAGAIN)
    base::log(base::Level::error, "cannot wake the other side of a journal",
              {{"error", base::errno_error(errno, "write to an eventfd")}});
}

base::Result<Wakeups> Wakeups::create() {
  auto data = Wakeup::create();
  if (!data) return base::fail(data.error());
  auto space = Wakeup::create();
  if (!space) return base::fail(space.error());
  return Wakeups{.data = std::move(*data), .space = std::move(*space)};
}

}  // namespace journal
