#include "cli/key_press.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace cli {
namespace {

constexpr char kEscapeByte = '\x1b';
constexpr std::uint32_t kControl = 4;       // In the modifiers of a key event.
constexpr std::uint32_t kLocks = 64 | 128;  // Caps Lock and Num Lock do not matter.
constexpr std::uint32_t kRelease = 3;       // An event type of kitty's protocol.
constexpr std::uint32_t kOtherKeys = 27;    // Begins a key event of modifyOtherKeys.
constexpr std::uint32_t kFirstPrintable = 0x20;
constexpr std::uint32_t kFirstNotAscii = 0x80;
constexpr std::size_t kLongest = 64;  // Of a sequence; more is none.

// CSI 92;5:1u has the parameters 92, 5 and, as a part of the second, 1.
struct Sequence {
  std::size_t length = 0;  // 0: its end is still to come.
  char final = 0;
  char prefix = 0;  // One of < = > ?
  std::array<std::uint32_t, 3> parameters{};
  std::uint32_t event = 1;
};

// Parameters that are too many or too large are left out: no key has them.
Sequence control_sequence(std::string_view bytes) {
  Sequence sequence;
  std::size_t parameter = 0;
  std::size_t part = 0;
  for (std::size_t at = 2; at < bytes.size(); ++at) {
    const char byte = bytes[at];
    if (byte >= '0' && byte <= '9') {
      std::uint32_t number = 0;
      const auto [end, error] =
          std::from_chars(bytes.data() + at, bytes.data() + bytes.size(), number);
      if (error == std::errc() && parameter < sequence.parameters.size()) {
        if (part == 0) sequence.parameters[parameter] = number;
        if (part == 1 && parameter == 1) sequence.event = number;
      }
      at = static_cast<std::size_t>(end - bytes.data()) - 1;
    } else if (byte == ';') {
      ++parameter;
      part = 0;
    } else if (byte == ':') {
      ++part;
    } else if (byte >= '<' && byte <= '?') {
      sequence.prefix = byte;
    } else {
      sequence.length = at + 1;
      sequence.final = byte;
      return sequence;
    }
  }
  return sequence;
}

std::optional<std::uint32_t> named(char final, std::uint32_t number) {
  constexpr std::array<std::pair<char, std::uint32_t>, 4> kFinals{
      {{'A', Key::kUp}, {'B', Key::kDown}, {'H', Key::kHome}, {'F', Key::kEnd}}};
  constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 6> kNumbers{{{1, Key::kHome},
                                                                             {4, Key::kEnd},
                                                                             {5, Key::kPageUp},
                                                                             {6, Key::kPageDown},
                                                                             {7, Key::kHome},
                                                                             {8, Key::kEnd}}};
  if (final == '~') {
    const auto* const found =
        std::ranges::find(kNumbers, number, [](auto& each) { return each.first; });
    return found == kNumbers.end() ? std::nullopt : std::optional(found->second);
  }
  const auto* const found =
      std::ranges::find(kFinals, final, [](auto& each) { return each.first; });
  return found == kFinals.end() ? std::nullopt : std::optional(found->second);
}

Press press_of(const Sequence& sequence) {
  const auto [first, second, third] = sequence.parameters;
  Press press{.length = sequence.length};
  std::optional<std::uint32_t> code;
  std::uint32_t event = sequence.event;
  if (sequence.prefix != 0 || sequence.final == 'I' || sequence.final == 'O') {
    press.is_report = true;
    return press;
  }
  if (sequence.final == '~' && (first == 200 || first == 201)) {
    press.paste = first == 200 ? Press::Paste::begins : Press::Paste::ends;
    return press;
  }
  if (sequence.final == 'u') {
    code = first;
  } else if (sequence.final == '~' && first == kOtherKeys) {
    code = third;
    event = 1;
  } else {
    code = named(sequence.final, first);
  }
  press.is_release = event == kRelease;
  const std::uint32_t held = second == 0 ? 0 : (second - 1) & ~kLocks;
  if (code && (held == 0 || held == kControl))
    press.key = Key{.code = *code, .is_control = held == kControl};
  return press;
}

Press escape_sequence(std::string_view bytes) {
  constexpr std::size_t kMouseReport = 6;  // CSI M and three bytes.
  if (bytes.size() == 1) return {};
  if (bytes[1] == '[') {
    if (bytes.size() > 2 && bytes[2] == 'M') {
      if (bytes.size() < kMouseReport) return {};
      return {.length = kMouseReport, .key = {}, .is_report = true};
    }
    const Sequence sequence = control_sequence(bytes);
    if (sequence.length == 0 && bytes.size() > kLongest) return {.length = 1};
    return press_of(sequence);
  }
  if (bytes[1] == 'O') {
    if (bytes.size() == 2) return {};
    Press press{.length = 3};
    if (const auto code = named(bytes[2], 0)) press.key = Key{.code = *code};
    return press;
  }
  // A key with Alt, or Escape and then a control key.
  if (static_cast<unsigned char>(bytes[1]) >= kFirstPrintable) return {.length = 2};
  return {.length = 1, .key = Key{.code = Key::kEscape}};
}

}  // namespace

Press first_press(std::string_view bytes) {
  if (bytes.front() == kEscapeByte) return escape_sequence(bytes);
  const auto byte = static_cast<unsigned char>(bytes.front());
  if (byte >= kFirstNotAscii) {  // A whole character, as far as it is there.
    const auto is_continued = [](char each) {
      return (static_cast<unsigned char>(each) & 0xc0) == 0x80;
    };
    const auto end = std::find_if_not(bytes.begin() + 1, bytes.end(), is_continued);
    return {.length = static_cast<std::size_t>(end - bytes.begin())};
  }
  if (byte >= kFirstPrintable) return {.length = 1, .key = Key{.code = byte}};
  // 1 is C-a, 28 is C-\.
  const std::uint32_t code = byte >= 1 && byte <= 26 ? byte + 0x60U : byte + 0x40U;
  return {.length = 1, .key = Key{.code = code, .is_control = true}};
}

}  // namespace cli
