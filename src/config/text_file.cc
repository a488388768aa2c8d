#include "config/text_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/fd.h"

namespace config {
namespace {

// Nobody writes that much by hand; it is /dev/zero or a mistake.
constexpr std::size_t kMaxSize = 1024 * 1024;

}  // namespace

base::Result<std::string> read_text_file(const std::filesystem::path& path) {
  const base::Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) {
    // If a parent is not a directory, the file does not exist.
    const int error = errno == ENOTDIR ? ENOENT : errno;
    return base::fail(base::errno_error(error, "read " + path.native()));
  }
  std::string text;
  std::array<char, 16 * 1024> chunk{};
  for (;;) {
    const ssize_t size = ::read(file.get(), chunk.data(), chunk.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return base::fail(base::errno_error(errno, "read " + path.native()));
    if (size == 0) return text;
    text.append(chunk.data(), static_cast<std::size_t>(size));
    if (text.size() > kMaxSize)
      return base::fail(base::Code::too_large, path.native() + " is larger than 1 MiB");
  }
}

}  // namespace config
