#include "session/random.h"

#include <sys/random.h>

#include <array>
#include <cerrno>

namespace session {

base::Status fill_random(std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = ::getrandom(bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::fail(base::errno_error(errno, "getrandom"));
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

base::Result<std::string> random_id() {
  std::array<std::uint8_t, 16> bytes{};
  if (auto filled = fill_random(bytes); !filled) return base::fail(filled.error());
  return to_hex(bytes);
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace session
