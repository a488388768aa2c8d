// talker: the program in the terminals of the side-by-side benchmark. In raw mode it prints READY
// and then answers keys:
// - `25F` with 25 MB of log lines and then a `~`, which occurs nowhere else;
// - `600K` with 600 KB of log lines;
// - any other key that is not a digit with itself.

#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>

namespace {

bool write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(1, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Part of a build log, with line ends for a terminal in raw mode.
std::string build_log() {
  std::string log;
  for (int line = 1; log.size() < 64 * 1024; ++line) {
    char text[160];
    const int size = std::snprintf(
        text, sizeof text,
        "[%4d/9999] Building CXX object src/part%d/CMakeFiles/part.dir/%s.cc.o\r\n", line,
        line % 17, std::string(static_cast<std::size_t>(line % 23) + 3, 'a').c_str());
    log.append(text, static_cast<std::size_t>(size));
  }
  return log;
}

bool flood(std::string_view log, std::size_t total) {
  for (std::size_t done = 0; done < total;) {
    const std::size_t size = std::min(log.size(), total - done);
    if (!write_all(log.substr(0, size))) return false;
    done += size;
  }
  return write_all("~");
}

}  // namespace

int main() {
  if (termios settings{}; ::tcgetattr(0, &settings) == 0) {
    ::cfmakeraw(&settings);
    ::tcsetattr(0, TCSANOW, &settings);
  }
  const std::string log = build_log();
  if (!write_all("READY\r\n")) return 1;
  std::size_t count = 0;
  for (char key = 0; ::read(0, &key, 1) == 1;) {
    if (key >= '0' && key <= '9') {
      count = count * 10 + static_cast<std::size_t>(key - '0');
      continue;
    }
    const std::size_t unit = key == 'F' ? 1'000'000 : key == 'K' ? 1'000 : 0;
    if (!(unit != 0 ? flood(log, count * unit) : write_all({&key, 1}))) return 1;
    count = 0;
  }
}
