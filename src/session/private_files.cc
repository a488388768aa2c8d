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
  // Whether this worked shows in what follows.
  std::filesystem::create_directories(dir.parent_path(), error);
  if (::mkdir(dir.c_str(), 0700) < 0 && errno != EEXIST)
    return base::fail(base::errno_error(errno, "make the directory " + dir.native(),
                                        "Choose another one, or make it yourself."));
  struct stat status{};
  if (::stat(dir.c_str(), &status) < 0)
    return base::fail(base::errno_error(errno, "look at the directory " + dir.native()));
  if (!S_ISDIR(status.st_mode))
    return base::fail(base::Code::invalid_argument, dir.native() + " is not a directory",
                      "Choose another one.");
  if (status.st_uid != ::geteuid() || (status.st_mode & 0022) != 0)
    return base::fail(
        base::Code::permission_denied, "others could put files into the directory " + dir.native(),
        "It must belong to you and be writable for you alone: chmod 700 " + dir.native());
  return {};
}

base::Status prepare_private_file(const std::filesystem::path& path) {
  const base::Fd made(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (made) return {};
  if (errno != EEXIST) return base::fail(base::errno_error(errno, "make " + path.native()));
  struct stat status{};
  if (::lstat(path.c_str(), &status) < 0)
    return base::fail(base::errno_error(errno, "look at " + path.native()));
  if (!S_ISREG(status.st_mode))
    return base::fail(base::Code::invalid_argument, path.native() + " is not a plain file",
                      "Move it away.");
  if ((status.st_mode & 0077) == 0) return {};
  base::log(base::Level::warning, "a private file was open to others; now it is not",
            {{"path", path.native()}});
  if (::chmod(path.c_str(), 0600) < 0)
    return base::fail(base::errno_error(errno, "chmod 600 " + path.native()));
  return {};
}

}  // namespace session
