#include "cli/outer_answers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace cli {
namespace {

constexpr char kEscape = '\x1b';
constexpr std::string_view kAttributes = "\x1b[?";  // Numbers and c follow: the last answer.
constexpr std::size_t kLongestKey = 64;             // No sequence of a key is longer.

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// What follows the numbers at the beginning.
std::string_view after_numbers(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of("0123456789;:"), text.size()));
}

enum class Begins : std::uint8_t { no, perhaps, surely };

// Whether an OSC, DCS or APC string is an answer, by its first bytes: somebody may have pressed Alt
// and the key that begins it.
Begins begins_answer(char introducer, std::string_view text) {
  if (text.empty()) return Begins::perhaps;
  if (introducer == ']') {
    if (!is_digit(text[0])) return Begins::no;
    const auto end = text.find_first_not_of("0123456789");
    if (end == std::string_view::npos) return Begins::perhaps;
    if (text[end] != ';') return Begins::no;
    return end + 1 < text.size() ? Begins::surely : Begins::perhaps;
  }
  if (introducer == '_') {  // G, a letter and =
    if (text[0] != 'G') return Begins::no;
    if (text.size() < 3) return Begins::perhaps;
    return text[2] == '=' ? Begins::surely : Begins::no;
  }
  const std::string_view rest =
      text[0] == '>' || text[0] == '!' ? text.substr(1) : after_numbers(text);
  if (rest.empty()) return Begins::perhaps;
  const char second = rest.size() > 1 ? rest[1] : 'r';
  const bool is_status = (rest[0] == '$' || rest[0] == '+') && second == 'r';
  if (rest[0] != '|' && !is_status) return Begins::no;
  return rest[0] == '|' || rest.size() > 1 ? Begins::surely : Begins::perhaps;
}

// Of 1 to 4 hexadecimal digits, in which the largest number is full brightness.
std::optional<unsigned> brightness(std::string_view digits) {
  unsigned value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.empty() || digits.size() > 4 || error != std::errc() ||
      end != digits.data() + digits.size())
    return std::nullopt;
  const unsigned full = (1U << (4 * digits.size())) - 1;
  return (value * 255 + full / 2) / full;
}

// From rgb:ffff/8000/0000, or rgba: with a fourth part.
std::optional<std::string> colour(std::string_view text) {
  if (!text.starts_with("rgb:") && !text.starts_with("rgba:")) return std::nullopt;
  text.remove_prefix(text.find(':') + 1);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string written = "#";
  for (int part = 0; part < 3; ++part) {
    const std::size_t slash = text.find('/');
    if (part < 2 && slash == std::string_view::npos) return std::nullopt;
    const auto value = brightness(text.substr(0, slash));
    if (!value) return std::nullopt;
    written += kDigits[*value >> 4];
    written += kDigits[*value & 15];
    text.remove_prefix(
        std::min(text.size(), slash == std::string_view::npos ? text.size() : slash + 1));
  }
  return written;
}

}  // namespace

OuterAnswers::Match OuterAnswers::match() const {
  const std::string_view bytes = held_;
  if (bytes.size() == 1) return Match::begun;
  const char introducer = bytes[1];
  const std::string_view text = bytes.substr(2);
  if (introducer == '[') return control_sequence(text);
  if (introducer != ']' && introducer != 'P' && introducer != '_') return Match::none;
  const Begins begins = begins_answer(introducer, text);
  if (begins != Begins::surely) return begins == Begins::no ? Match::none : Match::begun;
  if (text.ends_with("\x1b\\") || text.ends_with('\a')) return Match::whole;
  // An answer has no control character but at its end.
  const char last = text.back();
  const bool ends_wrongly = text.size() > 1 && text[text.size() - 2] == kEscape;
  const bool is_control = static_cast<unsigned char>(last) < 0x20 && last != kEscape;
  return ends_wrongly || is_control ? Match::none : Match::certain;
}

// Keys have no parameters that begin with ? or >, and none of these final bytes. What programs ask
// for with a mode: CSI ? 997 n (the colour scheme) and CSI 48 t (sizes).
OuterAnswers::Match OuterAnswers::control_sequence(std::string_view text) {
  if (text.empty()) return Match::begun;
  const bool is_private = text[0] == '?' || text[0] == '>' || text[0] == '=';
  const std::string_view numbers = text.substr(is_private ? 1 : 0);
  const std::string_view rest = after_numbers(numbers);
  const Match unfinished = is_private ? Match::certain : Match::begun;
  if (numbers.size() > kLongestKey) return Match::none;
  if (rest.empty()) return unfinished;
  if (rest == "$") return is_private || !numbers.empty() ? unfinished : Match::none;
  if (numbers.starts_with("997;") && is_private && rest == "n") return Match::none;
  if (numbers.starts_with("48;") && rest == "t") return Match::none;
  if (is_private) return Match::whole;
  return rest == "n" || rest == "x" || rest == "t" || rest == "$y" ? Match::whole : Match::none;
}

std::string OuterAnswers::take(std::string_view bytes) {
  std::string typed;
  for (const char byte : bytes) {
    if (held_.empty() && byte != kEscape) {
      typed += byte;
      continue;
    }
    held_ += byte;
    matched_ = match();
    if (matched_ == Match::begun || matched_ == Match::certain) continue;
    if (matched_ == Match::whole) {
      understand();
      held_.clear();
    } else {
      // The byte that does not fit may begin an answer itself.
      held_.pop_back();
      typed += give_up();
      held_.clear();
      if (byte == kEscape)
        held_ = byte;
      else
        typed += byte;
    }
    matched_ = held_.empty() ? Match::none : Match::begun;
    released_ = 0;
  }
  if (is_answered_ && !is_certain()) typed += give_up();
  return typed;
}

std::string OuterAnswers::give_up() {
  return held_.substr(std::exchange(released_, held_.size()));
}

void OuterAnswers::understand() {
  if (held_.starts_with(kAttributes) && held_.ends_with('c')) is_answered_ = true;
  constexpr std::array<std::pair<const char*, std::string_view>, 3> kColours{
      {{"foreground", "\x1b]10;"}, {"background", "\x1b]11;"}, {"cursor", "\x1b]12;"}}};
  for (const auto& [name, begin] : kColours) {
    if (!held_.starts_with(begin)) continue;
    std::string_view text = std::string_view(held_).substr(begin.size());
    text.remove_suffix(text.ends_with('\a') ? 1 : 2);
    if (const auto told = colour(text)) theme_[name] = *told;
  }
}

}  // namespace cli
