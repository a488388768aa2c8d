// Select graphic rendition, with xterm.js's reading of colours: `38;5;n`, `38;2;r;g;b`, `38:5:n`,
// `38:2::r:g:b` and their mixtures.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "vt/screen.h"

namespace vt {
namespace {

// Colour parameters laid out as [target, kind, colour space, value, value, value].
struct ColorParams {
  std::array<int, 6> at{0, 0, -1, 0, 0, 0};
  int taken = 0;  // parameters beyond the first
};

ColorParams read_color(const Params& params, int pos) {
  ColorParams color;
  auto& at = color.at;
  const int size = static_cast<int>(at.size());
  const auto set = [&at](int slot, int value) { at[static_cast<std::size_t>(slot)] = value; };
  int gap = 0;  // 1 once the colour space is known to be missing
  int i = 0;
  while (true) {
    set(i + gap, params[pos + i]);
    if (const auto subs = params.sub(pos + i); !subs.empty()) {
      for (int k = 0; k < static_cast<int>(subs.size()); ++k) {
        if (at[1] == 5) gap = 1;
        const int slot = i + k + 1 + gap;
        if (slot >= size) break;
        set(slot, subs[static_cast<std::size_t>(k)]);
      }
      break;
    }
    if ((at[1] == 5 && i + gap >= 2) || (at[1] == 2 && i + gap >= 5)) break;
    if (at[1] != 0) gap = 1;
    ++i;
    if (i + pos >= params.size() || i + gap >= size) break;
  }
  color.taken = i;
  for (std::size_t k = 2; k < at.size(); ++k) at[k] = at[k] == -1 ? 0 : at[k];
  return color;
}

void apply_color(const ColorParams& params, Style& pen) {
  const auto [target, kind, space, a, b, c] = params.at;
  Color* color = target == 38 ? &pen.fg : target == 48 ? &pen.bg : &pen.underline_color;
  if (kind == 2) {
    *color = Color::rgb(static_cast<unsigned>((a & 0xff) << 16 | (b & 0xff) << 8 | (c & 0xff)));
  } else if (kind == 5) {
    *color = Color::indexed(static_cast<unsigned>(a));
  }
}

Underline underline_of(std::span<const std::int32_t> subs) {
  if (subs.empty() || subs[0] < 0 || subs[0] > 5) return Underline::single;
  return static_cast<Underline>(subs[0]);
}

void set_flag(Style& pen, unsigned flag) {
  pen.flags = static_cast<std::uint16_t>(pen.flags | flag);
}
void clear_flag(Style& pen, unsigned flag) {
  pen.flags = static_cast<std::uint16_t>(pen.flags & ~flag);
}

// The attributes that are one flag, by the number that sets it.
constexpr std::array<unsigned, 10> kFlagByNumber{
    0, Style::kBold,    Style::kDim,       Style::kItalic, 0, Style::kBlink,
    0, Style::kInverse, Style::kInvisible, Style::kStrike};

// Numbers 0 to 29 and 53, 55, 59.
void apply_attribute(int number, std::span<const std::int32_t> subs, Style& pen) {
  switch (number) {
    case 0: {
      const LinkId link = pen.link;
      pen = {};
      pen.link = link;
      return;
    }
    case 4:
      pen.underline = underline_of(subs);
      return;
    case 21:
      pen.underline = Underline::double_line;
      return;
    case 22:
      return clear_flag(pen, Style::kBold | Style::kDim);
    case 24:
      pen.underline = Underline::none;
      return;
    case 23:
    case 25:
    case 27:
    case 28:
    case 29:
      return clear_flag(pen, kFlagByNumber[static_cast<std::size_t>(number - 20)]);
    case 39:
      pen.fg = Color();
      return;
    case 49:
      pen.bg = Color();
      return;
    case 53:
      return set_flag(pen, Style::kOverline);
    case 55:
      return clear_flag(pen, Style::kOverline);
    case 59:
      pen.underline_color = Color();
      return;
    default:
      if (number > 0 && number < 10) set_flag(pen, kFlagByNumber[static_cast<std::size_t>(number)]);
  }
}

void select(const Params& params, Style& pen) {
  for (int i = 0; i < params.size(); ++i) {
    const int number = params[i];
    if (number == 38 || number == 48 || number == 58) {
      const ColorParams color = read_color(params, i);
      apply_color(color, pen);
      i += color.taken;
    } else if (number >= 30 && number <= 37) {
      pen.fg = Color::ansi(static_cast<unsigned>(number - 30));
    } else if (number >= 40 && number <= 47) {
      pen.bg = Color::ansi(static_cast<unsigned>(number - 40));
    } else if (number >= 90 && number <= 97) {
      pen.fg = Color::ansi(static_cast<unsigned>(number - 90 + 8));
    } else if (number >= 100 && number <= 107) {
      pen.bg = Color::ansi(static_cast<unsigned>(number - 100 + 8));
    } else {
      apply_attribute(number, params.sub(i), pen);
    }
  }
}

// A pen without its link, which SGR never changes.
using PenBits = std::array<std::uint64_t, 2>;
static_assert(offsetof(Style, link) == sizeof(PenBits));

PenBits bits_of(const Style& pen) {
  PenBits bits;
  std::memcpy(bits.data(), &pen, sizeof bits);
  return bits;
}

// What a sequence does to a pen: some bits stay, some are set, the others are cleared.
struct Effect {
  SgrBytes bytes{};
  PenBits keep{};
  PenBits set{};
  std::uint64_t last_miss = 0;
};

void select(const SgrBytes& bytes, Style& pen) {
  Params params;
  const auto* const begin = reinterpret_cast<const unsigned char*>(bytes.data());
  params.parse(begin, begin + bytes.size());
  select(params, pen);
}

// Every part of a sequence sets bits to a value or leaves them alone, so applying it to two pens
// that differ in every bit shows its whole effect.
Effect effect_of(const SgrBytes& bytes) {
  Style zeros;
  Style ones;
  std::memset(static_cast<void*>(&ones), 0xff, sizeof ones);
  select(bytes, zeros);
  select(bytes, ones);
  const PenBits low = bits_of(zeros);
  const PenBits high = bits_of(ones);
  return {.bytes = bytes, .keep = {low[0] ^ high[0], low[1] ^ high[1]}, .set = low};
}

// Programs use few sequences, so some are cached, for all screens of a thread because they mean the
// same on each. An entry of zeros is valid: CSI m clears everything.
thread_local constinit std::array<Effect, 64> effects;

void apply(const SgrBytes& bytes, Style& pen) {
  std::uint64_t words[2];
  std::memcpy(words, bytes.data(), sizeof words);
  const std::uint64_t mix = (words[0] ^ words[1] * 0x9e3779b97f4a7c15ULL) * 0xc2b2ae3d27d4eb4fULL;
  Effect& effect = effects[mix >> 58];
  if (effect.bytes != bytes) {
    // A sequence that comes only once must not evict another.
    if (std::exchange(effect.last_miss, mix) != mix) return select(bytes, pen);
    effect = effect_of(bytes);
  }
  PenBits bits = bits_of(pen);
  for (std::size_t i = 0; i < bits.size(); ++i)
    bits[i] = (bits[i] & effect.keep[i]) | effect.set[i];
  std::memcpy(static_cast<void*>(&pen), bits.data(), sizeof bits);
}

}  // namespace

void Screen::select_attributes(const Params& params) {
  select(params, state_.pen);
  pen_changed_ = true;
}

void Screen::sgr(const SgrBytes& bytes) {
  apply(bytes, state_.pen);
  pen_changed_ = true;
  state_.preceding = 0;
}

void Screen::select_protected(const Params& params) {
  pen_changed_ = true;
  if (params[0] == 1) {
    set_flag(state_.pen, Style::kProtected);
    state_.tables.has_protected = true;
  }
  if (params[0] == 0 || params[0] == 2) clear_flag(state_.pen, Style::kProtected);
}

}  // namespace vt
