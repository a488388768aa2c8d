#include "session/store_watch.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/fd.h"
#include "base/log.h"

namespace session {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds kMoment{100};

}  // namespace

StoreWatch::StoreWatch(asio::any_io_executor executor, Store& store, std::function<void()> changed)
    : events_(executor), later_(executor), store_(store), changed_(std::move(changed)) {}

base::Status StoreWatch::start(const std::filesystem::path& file) {
  directory_ = file.parent_path();
  name_ = file.filename();
  base::Fd fd(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!fd) return base::fail(base::errno_error(errno, "watch " + directory_.native()));
  events_.assign(fd.release());
  if (auto watched = watch(); !watched) return watched;
  wait();
  return {};
}

base::Status StoreWatch::watch() {
  constexpr std::uint32_t kEvents =
      IN_MODIFY | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF;
  if (::inotify_add_watch(events_.native_handle(), directory_.c_str(), kEvents) < 0)
    return base::fail(base::errno_error(errno, "watch " + directory_.native()));
  return {};
}

void StoreWatch::stop() {
  boost::system::error_code ignored;  // It is closed either way.
  events_.close(ignored);
  later_.cancel();
}

void StoreWatch::wait() {
  events_.async_wait(asio::posix::stream_descriptor::wait_read,
                     [this](const boost::system::error_code& error) {
                       if (error) return;
                       if (read_events()) {
                         look();
                         later_.expires_after(kMoment);
                         later_.async_wait([this](const boost::system::error_code& stopped) {
                           if (!stopped) look();
                         });
                       }
                       wait();
                     });
}

// Whether one of the store's files was written.
bool StoreWatch::read_events() {
  alignas(inotify_event) std::array<char, 4096> buffer{};
  bool is_written = false;
  for (ssize_t size = 0;
       (size = ::read(events_.native_handle(), buffer.data(), buffer.size())) > 0;)
    for (std::size_t at = 0; at + sizeof(inotify_event) <= static_cast<std::size_t>(size);) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      // No name means that events were lost.
      const char* const name = buffer.data() + at + sizeof event;
      is_written |= event.len == 0 || std::string_view(name).starts_with(name_);
      at += sizeof event + event.len;
    }
  return is_written;
}

// Watches again, because the directory may have been replaced too.
void StoreWatch::restore() {
  const auto restored = store_.restore_file();
  if (!restored)
    return base::log(base::Level::error, "Cannot restore the store's file",
                     {{"error", restored.error()}});
  if (!*restored) return;
  base::log(base::Level::error,
            "The store's file was removed or replaced; wrote it again, nothing is lost",
            {{"file", (directory_ / name_).native()}});
  if (auto watched = watch(); !watched)
    base::log(base::Level::warning, "Can no longer watch the store's file",
              {{"error", watched.error()}});
}

void StoreWatch::look() {
  restore();
  const auto changed = store_.was_changed_elsewhere();
  if (!changed)
    base::log(base::Level::warning, "Cannot tell whether the store has changed",
              {{"error", changed.error()}});
  if (!changed || *changed) changed_();
}

}  // namespace session
