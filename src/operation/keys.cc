#include "operation/keys.h"

#include <algorithm>
#include <array>
#include <optional>

#include "vt/utf8.h"

namespace operation {
namespace {

struct Modifiers {
  bool shift = false;
  bool alt = false;
  bool control = false;

  [[nodiscard]] bool any() const { return shift || alt || control; }
  // As in xterm's CSI sequences.
  [[nodiscard]] std::string number() const {
    return std::to_string(1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (control ? 4 : 0));
  }
};

// A key that sends one byte.
struct PlainKey {
  std::string_view name;
  char byte;
};
constexpr std::array<PlainKey, 10> kPlain{{
    {"enter", '\r'},
    {"return", '\r'},
    {"tab", '\t'},
    {"escape", '\x1b'},
    {"esc", '\x1b'},
    {"space", ' '},
    {"backspace", '\x7f'},
    {"bspace", '\x7f'},
    {"minus", '-'},
    {"null", '\0'},
}};

// A key that sends CSI and a letter; if the program asked for that, SS3 instead of CSI.
struct LetterKey {
  std::string_view name;
  char letter;
};
constexpr std::array<LetterKey, 6> kCursor{
    {{"up", 'A'}, {"down", 'B'}, {"right", 'C'}, {"left", 'D'}, {"end", 'F'}, {"home", 'H'}}};
// These always send SS3, unless they are modified.
constexpr std::array<LetterKey, 4> kFunction{{{"f1", 'P'}, {"f2", 'Q'}, {"f3", 'R'}, {"f4", 'S'}}};

// A key that sends CSI, a number and a tilde.
struct NumberKey {
  std::string_view name;
  int number;
};
constexpr std::array<NumberKey, 18> kNumbered{{
    {"insert", 2},
    {"ic", 2},
    {"delete", 3},
    {"dc", 3},
    {"pageup", 5},
    {"ppage", 5},
    {"pgup", 5},
    {"npage", 6},
    {"pagedown", 6},
    {"pgdn", 6},
    {"f5", 15},
    {"f6", 17},
    {"f7", 18},
    {"f8", 19},
    {"f9", 20},
    {"f10", 21},
    {"f11", 23},
    {"f12", 24},
}};

template <class Table>
auto find(const Table& table, std::string_view name) -> const typename Table::value_type* {
  const auto* const found = std::ranges::find(table, name, &Table::value_type::name);
  return found == table.end() ? nullptr : &*found;
}

// Takes the prefixes off the name.
Modifiers take_modifiers(std::string_view& name) {
  Modifiers modifiers;
  while (name.size() > 2 && name[1] == '-') {
    if (name[0] == 'C')
      modifiers.control = true;
    else if (name[0] == 'M')
      modifiers.alt = true;
    else if (name[0] == 'S')
      modifiers.shift = true;
    else
      break;
    name.remove_prefix(2);
  }
  return modifiers;
}

// What Ctrl makes of a character; none if nothing.
std::optional<char> with_control(char c) {
  if (c >= 'a' && c <= 'z') return static_cast<char>(c - 'a' + 1);
  if (c >= '@' && c <= '_') return static_cast<char>(c - '@');
  if (c == ' ') return '\0';
  if (c == '?') return '\x7f';
  return std::nullopt;
}

base::Error unknown(std::string_view name) {
  return {.code = base::Code::invalid_argument,
          .what = "there is no key \"" + std::string(name) + "\"",
          .advice = "Use a single character, or a name such as Enter, Up, F5, C-c or M-x."};
}

std::string sequence(char letter, const Modifiers& modifiers, bool is_ss3) {
  if (modifiers.any()) return "\x1b[1;" + modifiers.number() + letter;
  return (is_ss3 ? "\x1bO" : "\x1b[") + std::string(1, letter);
}

bool is_one_character(std::string_view text) {
  if (text.empty()) return false;
  (void)vt::take_utf8(text);
  return text.empty();
}

base::Result<std::string> character(std::string_view text, const Modifiers& modifiers,
                                    std::string_view name) {
  std::string bytes(text);
  if (modifiers.shift) {
    if (text.size() != 1 || text[0] < 'a' || text[0] > 'z') return base::fail(unknown(name));
    bytes = static_cast<char>(text[0] - 'a' + 'A');
  }
  if (modifiers.control) {
    const auto control = text.size() == 1 ? with_control(text[0]) : std::nullopt;
    if (!control) return base::fail(unknown(name));
    bytes = std::string(1, *control);
  }
  return modifiers.alt ? "\x1b" + bytes : bytes;
}

}  // namespace

base::Result<std::string> bytes_of_key(std::string_view name, const vt::Modes& modes) {
  std::string_view rest = name;
  const Modifiers modifiers = take_modifiers(rest);
  if (is_one_character(rest)) return character(rest, modifiers, name);

  std::string key(rest);
  std::ranges::transform(key, key.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (key == "btab" || (key == "tab" && modifiers.shift)) return "\x1b[Z";
  if (const PlainKey* const plain = find(kPlain, key)) {
    if (modifiers.shift || (modifiers.control && plain->byte != ' '))
      return base::fail(unknown(name));
    const std::string bytes(1, modifiers.control ? '\0' : plain->byte);
    return modifiers.alt ? "\x1b" + bytes : bytes;
  }
  if (const LetterKey* const cursor = find(kCursor, key))
    return sequence(cursor->letter, modifiers, modes.application_cursor_keys);
  if (const LetterKey* const function = find(kFunction, key))
    return sequence(function->letter, modifiers, true);
  if (const NumberKey* const numbered = find(kNumbered, key))
    return "\x1b[" + std::to_string(numbered->number) +
           (modifiers.any() ? ";" + modifiers.number() : "") + "~";
  return base::fail(unknown(name));
}

}  // namespace operation
