#include "daemon/log_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/log_bound.h"

namespace holdfast {
namespace {

constexpr off_t kSize = 4 * 1024 * 1024;

// Standard output goes to the same file.
void begin_another(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::rename(path, path.native() + ".1", error);
  const base::Fd fresh(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!error && fresh && ::dup2(fresh.get(), STDERR_FILENO) >= 0 &&
      ::dup2(fresh.get(), STDOUT_FILENO) >= 0)
    return;
  // If there is no new file, empty this one.
  [[maybe_unused]] const int truncated = ::ftruncate(STDERR_FILENO, 0);
}

}  // namespace

void bound_log_file(const std::filesystem::path& state_dir) {
  const auto path = log_file(state_dir);
  struct stat log{};
  struct stat file{};
  if (::fstat(STDERR_FILENO, &log) < 0 || ::stat(path.c_str(), &file) < 0) return;
  if (log.st_ino != file.st_ino || log.st_dev != file.st_dev) return;
  if (log.st_size > kSize) begin_another(path);
  base::bound_log(kSize, [path] { begin_another(path); });
}

}  // namespace holdfast
