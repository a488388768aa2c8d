// One press of a key in what a person types, in the forms that terminals send: plain bytes, kitty's
// keyboard protocol, xterm's modifyOtherKeys.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cli {

struct Key {
  std::uint32_t code = 0;  // A character: of the control key C-x it is x. Or one of those below.
  bool is_control = false;
  friend bool operator==(const Key&, const Key&) = default;

  // Keys without a character are beyond Unicode.
  static constexpr std::uint32_t kEscape = 0x1b;
  static constexpr std::uint32_t kUp = 0x110000;
  static constexpr std::uint32_t kDown = 0x110001;
  static constexpr std::uint32_t kHome = 0x110002;
  static constexpr std::uint32_t kEnd = 0x110003;
  static constexpr std::uint32_t kPageUp = 0x110004;
  static constexpr std::uint32_t kPageDown = 0x110005;

  [[nodiscard]] bool is_enter() const {
    return is_control ? code == 'm' || code == 'j' : code == '\r';
  }
};

struct Press {
  std::size_t length = 0;    // Of its bytes; 0 if the rest of a sequence is still to come.
  std::optional<Key> key{};  // None if it is no key that is known here.
  bool is_release = false;
  // Not a key at all: a report of the mouse or the focus, or an answer.
  bool is_report = false;
  enum class Paste : std::uint8_t { no, begins, ends } paste = Paste::no;
};

// Of bytes that are not empty.
[[nodiscard]] Press first_press(std::string_view bytes);

}  // namespace cli
