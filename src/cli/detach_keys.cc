#include "cli/detach_keys.h"

#include <array>
#include <charconv>
#include <utility>

namespace cli {
namespace {

constexpr char kEscape = '\x1b';
constexpr std::uint32_t kControl = 4;       // In the modifiers of a key event.
constexpr std::uint32_t kLocks = 64 | 128;  // Caps Lock and Num Lock do not matter.
constexpr std::uint32_t kRelease = 3;       // An event type of kitty's protocol.
constexpr std::uint32_t kOtherKeys = 27;    // Begins a key event of modifyOtherKeys.
constexpr std::uint32_t kFirstPrintable = 0x20;

base::Error not_keys(std::string_view text) {
  return {.code = base::Code::invalid_argument,
          .what = "cannot read the detach keys \"" + std::string(text) + "\"",
          .advice =
              "Use none, a control key such as C-\\, or a control key and another key, such "
              "as \"C-x d\"."};
}

// CSI 92;5:1u has the parameters 92, 5 and, as a part of the second, 1.
struct Sequence {
  std::size_t length = 0;
  char final = 0;
  std::array<std::uint32_t, 3> parameters{};
  std::uint32_t event = 1;
};

std::optional<Sequence> control_sequence(std::string_view bytes) {
  if (!bytes.starts_with("\x1b[")) return std::nullopt;
  Sequence sequence;
  std::size_t parameter = 0;
  std::size_t part = 0;
  for (std::size_t at = 2; at < bytes.size(); ++at) {
    const char byte = bytes[at];
    if (byte >= '0' && byte <= '9') {
      std::uint32_t number = 0;
      const auto [end, error] =
          std::from_chars(bytes.data() + at, bytes.data() + bytes.size(), number);
      if (error != std::errc() || parameter >= sequence.parameters.size()) return std::nullopt;
      if (part == 0) sequence.parameters[parameter] = number;
      if (part == 1 && parameter == 1) sequence.event = number;
      at = static_cast<std::size_t>(end - bytes.data()) - 1;
    } else if (byte == ';') {
      ++parameter;
      part = 0;
    } else if (byte == ':') {
      ++part;
    } else {
      sequence.length = at + 1;
      sequence.final = byte;
      return sequence;
    }
  }
  return std::nullopt;
}

}  // namespace

struct DetachKeys::Press {
  std::size_t length = 0;
  std::optional<Key> key;  // None if it is no key that could detach.
  bool is_release = false;
};

// Only keys that could detach are told apart. Of any other, one byte is taken.
DetachKeys::Press DetachKeys::first_press(std::string_view bytes) {
  const auto event = [](std::size_t length, std::uint32_t code, std::uint32_t modifiers,
                        std::uint32_t type) {
    Press press{.length = length, .key = {}, .is_release = type == kRelease};
    const std::uint32_t held = modifiers == 0 ? 0 : (modifiers - 1) & ~kLocks;
    if (held == 0 || held == kControl)
      press.key = Key{.code = code, .is_control = held == kControl};
    return press;
  };
  if (const auto sequence = control_sequence(bytes)) {
    const auto [first, second, third] = sequence->parameters;
    if (sequence->final == 'u') return event(sequence->length, first, second, sequence->event);
    if (sequence->final == '~' && first == kOtherKeys)
      return event(sequence->length, third, second, 1);
  }
  const auto byte = static_cast<unsigned char>(bytes.front());
  if (byte >= kFirstPrintable || bytes.front() == kEscape)
    return {.length = 1, .key = Key{.code = byte, .is_control = false}};
  // 1 is C-a, 28 is C-\.
  const std::uint32_t code = byte >= 1 && byte <= 26 ? byte + 0x60U : byte + 0x40U;
  return {.length = 1, .key = Key{.code = code, .is_control = true}};
}

std::optional<DetachKeys::Key> DetachKeys::parse_key(std::string_view word) {
  const auto is_key = [](char key) { return key > ' ' && key <= '~'; };
  if (word.size() == 1 && is_key(word[0]))
    return Key{.code = static_cast<unsigned char>(word[0]), .is_control = false};
  if (word.size() != 3 || !word.starts_with("C-")) return std::nullopt;
  char key = word[2];
  if (key >= 'A' && key <= 'Z') key = static_cast<char>(key + 0x20);
  // C-[ is Escape, which begins the sequences of other keys.
  const bool has_byte = (key >= 'a' && key <= 'z') || key == '@' || (key >= '\\' && key <= '_');
  if (!has_byte) return std::nullopt;
  return Key{.code = static_cast<unsigned char>(key), .is_control = true};
}

base::Result<DetachKeys> DetachKeys::parse(std::string_view text) {
  DetachKeys keys;
  if (text == "none") return keys;
  const std::size_t space = text.find(' ');
  keys.first_ = parse_key(text.substr(0, space));
  if (!keys.first_ || !keys.first_->is_control) return base::fail(not_keys(text));
  if (space == std::string_view::npos) return keys;
  keys.second_ = parse_key(text.substr(space + 1));
  if (!keys.second_) return base::fail(not_keys(text));
  return keys;
}

DetachKeys::Typed DetachKeys::take(std::string_view bytes) {
  Typed typed;
  while (!bytes.empty()) {
    const Press press = first_press(bytes);
    const std::string_view as_typed = bytes.substr(0, press.length);
    bytes.remove_prefix(press.length);
    const bool is_second = !held_.empty();
    const bool is_awaited = first_ && press.key == (is_second ? second_ : first_);
    if (press.is_release) {
      typed.rest += as_typed;
    } else if (!is_awaited) {
      typed.rest.append(std::exchange(held_, {})).append(as_typed);
    } else if (second_ && !is_second) {
      held_ = as_typed;
    } else {
      held_.clear();
      typed.detaches = true;
      return typed;
    }
  }
  return typed;
}

std::string DetachKeys::in_words() const {
  std::string words;
  for (const auto& key : {first_, second_}) {
    if (!key) continue;
    if (!words.empty()) words += ' ';
    if (key->is_control) words += "Ctrl-";
    words += static_cast<char>(key->code);
  }
  return words;
}

}  // namespace cli
