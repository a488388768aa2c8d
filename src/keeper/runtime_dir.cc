#include "keeper/runtime_dir.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

namespace keeper {

base::Status prepare_runtime_dir(const std::filesystem::path& dir) {
  std::error_code error;
  std::filesystem::create_directories(dir.parent_path(), error);
  if (::mkdir(dir.c_str(), 0700) < 0 && errno != EEXIST)
    return base::fail(base::errno_error(errno, "make the runtime directory " + dir.native(),
                                        "Choose another one with --runtime-dir."));
  struct stat status{};
  if (::lstat(dir.c_str(), &status) < 0)
    return base::fail(base::errno_error(errno, "look at the runtime directory " + dir.native()));
  if (!S_ISDIR(status.st_mode))
    return base::fail(base::Code::invalid_argument, dir.native() + " is not a directory",
                      "Choose another one with --runtime-dir.");
  if (status.st_uid != ::geteuid() || (status.st_mode & 0066) != 0)
    return base::fail(base::Code::permission_denied,
                      "the runtime directory " + dir.native() + " is open to other users",
                      "It must belong to you and have mode 0700: chmod 700 " + dir.native());
  return {};
}

base::Result<base::Fd> lock_runtime_dir(const std::filesystem::path& dir) {
  const auto path = dir / "keeper.lock";
  base::Fd lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock) return base::fail(base::errno_error(errno, "open " + path.native()));
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) < 0) {
    std::array<char, 32> pid{};
    const ssize_t size = ::pread(lock.get(), pid.data(), pid.size(), 0);
    const std::string which =
        size > 0 ? "with pid " + std::string(pid.data(), static_cast<std::size_t>(size))
                 : "which is just starting";
    return base::fail(base::Code::busy, "a keeper runs already in " + dir.native() + ", " + which,
                      "Ask it with: holdfast-keeper --status --runtime-dir " + dir.native());
  }
  return lock;
}

base::Status sign_lock(const base::Fd& lock) {
  const std::string pid = std::to_string(::getpid());
  if (::ftruncate(lock.get(), 0) < 0 ||
      ::pwrite(lock.get(), pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size()))
    return base::fail(base::errno_error(errno, "write the keeper's lock"));
  return {};
}

}  // namespace keeper
