// sequence_writer BYTES [EXIT_CODE]: writes the known sequence to its terminal or pipe as fast as
// it can, and exits.

#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "programs/sequence.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: sequence_writer BYTES [EXIT_CODE]\n", stderr);
    return 2;
  }
  const std::uint64_t total = std::strtoull(argv[1], nullptr, 10) / 8 * 8;
  if (termios settings{}; ::tcgetattr(1, &settings) == 0) {
    ::cfmakeraw(&settings);
    ::tcsetattr(1, TCSANOW, &settings);
  }
  std::vector<std::byte> buffer(64 * 1024);
  for (std::uint64_t offset = 0; offset < total;) {
    const std::span<std::byte> chunk(buffer.data(),
                                     std::min<std::uint64_t>(buffer.size(), total - offset));
    sequence::fill(chunk, offset);
    for (std::size_t done = 0; done < chunk.size();) {
      const ssize_t written = ::write(1, chunk.data() + done, chunk.size() - done);
      if (written < 0 && errno != EINTR) return 1;
      if (written > 0) done += static_cast<std::size_t>(written);
    }
    offset += chunk.size();
  }
  return argc > 2 ? std::atoi(argv[2]) : 0;
}
