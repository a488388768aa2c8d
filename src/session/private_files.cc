#include "session/private_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/fd.h"
#include "base/log.h"

namespace session {

base::Status prepare_private_directory(const std::filesystem::path& dir) {
  std::error_code error;
  // The mkdir below fails if this did.
  std::filesystem::create_directories(dir.parent_path(), error);
  if (::mkdir(dir.c_str(), 0700) < 0 && errno != EEXIST)
    return base::fail(base::errno_error(errno, "create the directory " + dir.native(),
                                        "Create it yourself, or choose another one."));
  struct stat status{};
  if (::stat(dir.c_str(), &status) < 0)
    return base::fail(base::errno_error(errno, "stat the directory " + dir.native()));
  if (!S_ISDIR(status.st_mode))
    return base::fail(base::Code::invalid_argument, dir.native() + " is not a directory",
                      "Choose another one.");
  if (status.st_uid != ::geteuid() || (status.st_mode & 0022) != 0)
    return base::fail(base::Code::permission_denied,
                      "other users can write to the directory " + dir.native(),
                      "You must own it, and only you may write to it: chmod 700 " + dir.native());
  return {};
}

base::Status prepare_private_file(const std::filesystem::path& path) {
  const base::Fd made(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (made) return {};
  if (errno != EEXIST) return base::fail(base::errno_error(errno, "create " + path.native()));
  struct stat status{};
  if (::lstat(path.c_str(), &status) < 0)
    return base::fail(base::errno_error(errno, "stat " + path.native()));
  if (!S_ISREG(status.st_mode))
    return base::fail(base::Code::invalid_argument, path.native() + " is not a regular file",
                      "Move it away.");
  if ((status.st_mode & 0077) == 0) return {};
  base::log(base::Level::warning, "other users had access to a private file; removed it",
            {{"path", path.native()}});
  if (::chmod(path.c_str(), 0600) < 0)
    return base::fail(base::errno_error(errno, "chmod 600 " + path.native()));
  return {};
}

}  // namespace session
