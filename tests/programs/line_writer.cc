// line_writer [COUNT [PER_SECOND]]: writes the known lines to its terminal, without end and without
// a pause unless told. After the last of them it stays, and says nothing more.

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "programs/lines.h"

namespace {

bool write_all(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(1, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  const std::uint64_t per_second = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  const std::uint64_t batch = per_second == 0 ? 100 : std::max<std::uint64_t>(per_second / 200, 1);
  auto due = std::chrono::steady_clock::now();
  for (std::uint64_t number = 0; count == 0 || number < count;) {
    std::string text;
    for (std::uint64_t i = 0; i < batch && (count == 0 || number < count); ++i)
      text += lines::text(number++) + "\n";
    if (!write_all(text)) return 1;
    if (per_second == 0) continue;
    due += std::chrono::milliseconds(5);
    std::this_thread::sleep_until(due);
  }
  for (;;) ::pause();
}
