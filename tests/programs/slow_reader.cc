// slow_reader FILE: a program that takes its time. In raw mode it reads nothing until FILE exists,
// then in small pieces with pauses, up to a byte of value 4, and says how many bytes came before
// that and their checksum.

#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <thread>

#include "programs/checksum.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  termios settings{};
  if (::tcgetattr(0, &settings) == 0) {
    ::cfmakeraw(&settings);
    ::tcsetattr(0, TCSANOW, &settings);
  }
  std::printf("ready\r\n");
  std::fflush(stdout);
  struct stat ignored{};
  while (::stat(argv[1], &ignored) != 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  char buffer[4096];
  std::uint64_t total = 0;
  std::uint64_t sum = checksum::kStart;
  for (;;) {
    const ssize_t count = ::read(0, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return 1;
    const char* end = static_cast<const char*>(std::memchr(buffer, 4, count));
    const std::size_t taken = end != nullptr ? end - buffer : count;
    sum = checksum::add(sum, {buffer, taken});
    total += taken;
    if (end != nullptr) break;
    std::this_thread::sleep_for(std::chrono::microseconds(300));
  }
  std::printf("got %" PRIu64 " %016" PRIx64 ".\r\n", total, sum);
  std::fflush(stdout);
  for (;;) ::pause();
}
