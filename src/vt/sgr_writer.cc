#include "vt/sgr_writer.h"

#include <array>
#include <charconv>

namespace vt {
namespace {

void append_color(std::string& out, Color color, unsigned base) {
  const unsigned value = color.value();
  switch (color.kind()) {
    case Color::Kind::none:
      return;
    case Color::Kind::ansi:
      // 30 to 37 and 90 to 97; ten more for the background.
      out += ';';
      append_number(out, value < 8 ? base - 8 + value : base + 52 + value - 8);
      return;
    case Color::Kind::indexed:
      out += ';';
      append_number(out, base);
      out += base == 58 ? ":5:" : ";5;";
      append_number(out, value);
      return;
    case Color::Kind::rgb:
      out += ';';
      append_number(out, base);
      // Underline colours are newer than the colon syntax, so only some terminals accept them with
      // semicolons.
      out += base == 58 ? ":2::" : ";2;";
      for (int shift = 16; shift >= 0; shift -= 8) {
        append_number(out, value >> shift & 0xff);
        if (shift > 0) out += base == 58 ? ':' : ';';
      }
      return;
  }
}

struct FlagNumber {
  Style::Flag flag;
  char number;
};
constexpr std::array<FlagNumber, 7> kFlags{{
    {Style::kBold, '1'},
    {Style::kDim, '2'},
    {Style::kItalic, '3'},
    {Style::kBlink, '5'},
    {Style::kInverse, '7'},
    {Style::kInvisible, '8'},
    {Style::kStrike, '9'},
}};

}  // namespace

void append_number(std::string& out, unsigned value) {
  std::array<char, 12> digits;
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  out.append(digits.data(), result.ptr);
}

void append_sgr(std::string& out, const Style& style) {
  out += '0';
  for (const FlagNumber& entry : kFlags)
    if ((style.flags & entry.flag) != 0) out.append({';', entry.number});
  if ((style.flags & Style::kOverline) != 0) out += ";53";
  if (style.underline == Underline::single) out += ";4";
  if (style.underline > Underline::single) {
    out += ";4:";
    append_number(out, static_cast<unsigned>(style.underline));
  }
  append_color(out, style.fg, 38);
  append_color(out, style.bg, 48);
  append_color(out, style.underline_color, 58);
}

}  // namespace vt
