// What a program tells the person outside of its screen: OSC 9 and OSC 777 are messages, OSC 9;4 is
// its progress. docs/vt.md describes them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vt {

struct Notice {
  enum class Kind : std::uint8_t {
    message,
    progress,  // It works, and has come this far if `percent` is known.
    paused,    // It works no further until somebody does something.
    over,      // It shows no progress any more.
  };
  static constexpr std::size_t kMaxText = 1024;

  Kind kind = Kind::message;
  std::string text{};            // Of a message, without controls but line feeds and tabs.
  std::optional<int> percent{};  // 0 to 100.

  friend bool operator==(const Notice&, const Notice&) = default;
};

// None if it tells nothing. `text` is what follows "9;" or "777;".
[[nodiscard]] std::optional<Notice> parse_notice(int command, std::string_view text);

}  // namespace vt
