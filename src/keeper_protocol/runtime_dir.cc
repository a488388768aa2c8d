#include "keeper_protocol/runtime_dir.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/peer.h"

namespace keeper {
namespace {

constexpr const char* kChoose = "Choose another directory with --runtime-dir.";

bool is_trusted(uid_t uid) {
  return uid == ::geteuid() || uid == 0;
}

// A path to an open file, or to something in an open directory, that still works if the original is
// renamed.
std::string through(const base::Fd& fd, const std::string& name = {}) {
  return "/proc/self/fd/" + std::to_string(fd.get()) + (name.empty() ? "" : "/" + name);
}

base::Result<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return base::fail(base::Code::invalid_argument,
                      "the path " + path + " is too long for a socket",
                      "Use a runtime directory with a path of at most " +
                          std::to_string(sizeof address.sun_path - 16) + " characters.");
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

// With a trailing slash the kernel would follow a symlink.
std::filesystem::path without_slash(const std::filesystem::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

base::Result<base::Fd> open_verified(const std::filesystem::path& path) {
  base::Fd dir(::open(path.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!dir && (errno == ENOTDIR || errno == ELOOP))
    return base::fail(base::Code::invalid_argument, path.native() + " is not a directory", kChoose);
  if (!dir) {
    auto error = base::errno_error(errno, "open the runtime directory " + path.native());
    if (error.sys_errno == ENOENT) error.code = base::Code::unavailable;
    return base::fail(std::move(error));
  }
  struct stat status{};
  if (::fstat(dir.get(), &status) < 0)
    return base::fail(base::errno_error(errno, "check the runtime directory " + path.native()));
  if (!is_trusted(status.st_uid))
    return base::fail(base::Code::permission_denied,
                      "the runtime directory " + path.native() + " belongs to user " +
                          std::to_string(status.st_uid),
                      "Run this as that user, or choose another directory with --runtime-dir.");
  if ((status.st_mode & 0066) != 0)
    return base::fail(base::Code::permission_denied,
                      "the runtime directory " + path.native() + " is open to other users",
                      "It must have mode 0700: chmod 700 " + path.native());
  return dir;
}

}  // namespace

base::Result<RuntimeDir> RuntimeDir::make(const std::filesystem::path& asked) {
  const auto path = without_slash(asked);
  std::error_code error;  // If this fails, the mkdir below reports it.
  std::filesystem::create_directories(path.parent_path(), error);
  if (::mkdir(path.c_str(), 0700) < 0 && errno != EEXIST)
    return base::fail(
        base::errno_error(errno, "create the runtime directory " + path.native(), kChoose));
  auto dir = open_verified(path);
  if (!dir) return base::fail(dir.error());
  struct stat status{};
  if (::fstat(dir->get(), &status) < 0 || status.st_uid != ::geteuid())
    return base::fail(base::Code::permission_denied,
                      "the runtime directory " + path.native() + " belongs to root", kChoose);
  return RuntimeDir(path, std::move(*dir));
}

base::Result<RuntimeDir> RuntimeDir::open(const std::filesystem::path& asked) {
  const auto path = without_slash(asked);
  auto dir = open_verified(path);
  if (!dir) return base::fail(dir.error());
  return RuntimeDir(path, std::move(*dir));
}

base::Result<base::Fd> RuntimeDir::connect(const std::string& name, int type) const {
  const auto address = address_of(through(dir_, name));
  if (!address) return base::fail(address.error());
  base::Fd socket(::socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
  if (!socket) return base::fail(base::errno_error(errno, "open a socket"));
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) < 0) {
    auto error = base::errno_error(errno, "connect to " + (path_ / name).native());
    if (error.sys_errno == ENOENT || error.sys_errno == ECONNREFUSED)
      error.code = base::Code::unavailable;
    if (error.sys_errno == EACCES || error.sys_errno == EPERM)
      error.advice = "It belongs to another user. Run this as that user or as root.";
    return base::fail(std::move(error));
  }
  const auto peer = base::peer_of(socket.get());
  if (!peer) return base::fail(peer.error());
  if (!is_trusted(peer->uid))
    return base::fail(base::Code::permission_denied,
                      "the socket " + (path_ / name).native() + " is served by user " +
                          std::to_string(peer->uid) + ", not by you or root",
                      kChoose);
  return socket;
}

base::Result<base::Fd> RuntimeDir::connect_in(const std::filesystem::path& path,
                                              const std::string& name, int type) {
  const auto dir = open(path);
  if (!dir) return base::fail(dir.error());
  return dir->connect(name, type);
}

base::Result<base::Fd> RuntimeDir::listen(const std::string& name, int type) const {
  const std::string path = path_ / name;
  // Clients connect by this path, so it must fit, although bind uses the descriptor.
  if (auto address = address_of(path); !address) return base::fail(address.error());
  const auto address = address_of(through(dir_, name));
  if (!address) return base::fail(address.error());
  base::Fd socket(::socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return base::fail(base::errno_error(errno, "open a socket"));
  struct stat there{};
  if (::fstatat(dir_.get(), name.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 &&
      !S_ISSOCK(there.st_mode))
    return base::fail(base::Code::already_exists, path + " exists and is not a socket",
                      "Choose another path, or move that file.");
  if (::unlinkat(dir_.get(), name.c_str(), 0) < 0 && errno != ENOENT)
    return base::fail(base::errno_error(errno, "replace " + path));
  const mode_t before = ::umask(0177);
  const int bound =
      ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address);
  const int error = errno;
  ::umask(before);
  if (bound < 0) return base::fail(base::errno_error(error, "bind " + path));
  if (::listen(socket.get(), SOMAXCONN) < 0)
    return base::fail(base::errno_error(errno, "listen on " + path));
  return socket;
}

bool RuntimeDir::is_served(const std::string& name) const {
  const auto address = address_of(through(dir_, name));
  if (!address) return false;
  const base::Fd probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  return ::connect(probe.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) ==
             0 ||
         errno == EAGAIN;
}

base::Result<base::Fd> RuntimeDir::open_file(const std::string& name, int flags) const {
  base::Fd file(::openat(dir_.get(), name.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return base::fail(base::errno_error(errno, "open " + (path_ / name).native()));
  return file;
}

base::Status RuntimeDir::rename(const std::string& from, const std::string& to) const {
  if (::renameat(dir_.get(), from.c_str(), dir_.get(), to.c_str()) < 0)
    return base::fail(base::errno_error(errno, "rename " + (path_ / from).native()));
  return {};
}

void RuntimeDir::remove(const std::string& name) const {
  ::unlinkat(dir_.get(), name.c_str(), 0);
}

base::Status RuntimeDir::link(const std::string& name, const std::string& draft,
                              const std::filesystem::path& target) const {
  remove(draft);  // Left by a process of the same pid.
  if (::symlinkat(target.c_str(), dir_.get(), draft.c_str()) < 0)
    return base::fail(base::errno_error(errno, "create the link " + (path_ / name).native()));
  return rename(draft, name);
}

base::Result<base::Fd> RuntimeDir::lock() const {
  auto lock = open_file("keeper.lock", O_RDWR | O_CREAT);
  if (!lock) return lock;
  if (::flock(lock->get(), LOCK_EX | LOCK_NB) == 0) return lock;
  std::array<char, 32> pid{};
  const ssize_t size = ::pread(lock->get(), pid.data(), pid.size(), 0);
  const std::string which =
      size > 0 ? "with pid " + std::string(pid.data(), static_cast<std::size_t>(size))
               : "and is just starting";
  return base::fail(
      base::Code::busy, "a keeper is already running in " + path_.native() + ", " + which,
      "Show its status with: holdfast-keeper --status --runtime-dir " + path_.native());
}

base::Status RuntimeDir::set_mode(mode_t mode) const {
  if (::chmod(through(dir_).c_str(), mode) < 0)
    return base::fail(base::errno_error(errno, "change the mode of " + path_.native()));
  return {};
}

base::Status RuntimeDir::set_socket_mode(const std::string& name, mode_t mode) const {
  const auto fail = [&](int error) {
    return base::fail(base::errno_error(error, "change the mode of " + (path_ / name).native()));
  };
  const auto socket = open_file(name, O_PATH);
  if (!socket) return base::fail(socket.error());
  struct stat status{};
  if (::fstat(socket->get(), &status) < 0) return fail(errno);
  if (!S_ISSOCK(status.st_mode)) return fail(ENOTSOCK);
  if (::chmod(through(*socket).c_str(), mode) < 0) return fail(errno);
  return {};
}

base::Status sign_lock(const base::Fd& lock) {
  const std::string pid = std::to_string(::getpid());
  if (::ftruncate(lock.get(), 0) < 0 ||
      ::pwrite(lock.get(), pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size()))
    return base::fail(base::errno_error(errno, "write the keeper's lock"));
  return {};
}

}  // namespace keeper
